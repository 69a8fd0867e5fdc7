package dev.argus.server.job;

import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.wire.json.JsonWriter;
import dev.argus.wire.json.Members;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Pictures of kernels as JSON: what the interface hands out of incidents that last, and what is kept of those that are over. */
public final class KernelPictureJson {
    /** The kind of rows in the store that hold such pictures, as an array. */
    public static final String KEPT = "kernels";

    /** Characters of what is kept of an incident at a time. */
    public static final int MOST_CHARS = 64 << 10;

    private KernelPictureJson() {}

    /** A float with the fewest digits that tell it from others, which its double has not. */
    public static double shortest(float value) {
        return Double.parseDouble(Float.toString(value));
    }

    /** Writes one picture. At most some 12,000 characters and the kernel's name. */
    public static void write(JsonWriter json, KernelPicture picture) throws IOException {
        json.beginObject();
        json.name("kernel").value(picture.kernel());
        json.name("incident").value(picture.incident().isEmpty() ? null : picture.incident());
        json.name("concerned").value(picture.concerned());
        Members.steps(json, picture.firstStep(), picture.lastStep());
        json.name("stepsLooked").value(picture.steps());
        json.name("ranks").beginArray();
        for (KernelPicture.Member member : picture.ranks()) {
            json.beginObject().name("rank").value(member.rank());
            json.name("suspect").value(member.suspect());
            json.name("count").value(member.count());
            json.name("meanNanos").value(member.meanNanos());
            json.name("signedRatio").value(member.signedRatio());
            json.name("movedRatio").value(member.movedRatio());
            json.name("modeRatio").value(member.modeRatio()).endObject();
        }
        json.endArray();
        json.name("lowNanos").value(picture.lowNanos());
        json.name("highNanos").value(picture.highNanos());
        curve(json, "peerLow", picture.peerLow());
        curve(json, "peerMid", picture.peerMid());
        curve(json, "peerHigh", picture.peerHigh());
        json.name("curves").beginArray();
        for (KernelPicture.Curve curve : picture.curves()) {
            json.beginObject().name("rank").value(curve.rank());
            curve(json, "share", curve.share());
            json.endObject();
        }
        json.endArray().endObject();
    }

    /** All of some pictures as an array, but those with which it would be longer than {@value #MOST_CHARS} characters: names of kernels may be long. Empty where there are none. */
    public static String kept(List<KernelPicture> pictures) {
        StringBuilder all = new StringBuilder("[");
        for (KernelPicture picture : pictures) {
            StringBuilder one = new StringBuilder();
            try {
                write(new JsonWriter(one, 0), picture);
            } catch (IOException e) {
                throw new UncheckedIOException(e); // a StringBuilder does not throw
            }
            if (all.length() + one.length() + 2 <= MOST_CHARS) {
                all.append(all.length() > 1 ? "," : "").append(one);
            }
        }
        return all.length() == 1 ? "" : all.append(']').toString();
    }

    private static void curve(JsonWriter json, String name, float[] shares) throws IOException {
        json.name(name).beginArray();
        for (float share : shares) {
            json.value(shortest(share));
        }
        json.endArray();
    }
}
