package dev.argus.engine;

import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;

/**
 * Layout of what a host ships of the groups inside it: {@code attempt group step(s) instances ambiguous n, n x { rank suffered caused }}, varints, (s) zigzag;
 * exact, about 6 bytes a member.
 */
public final class WaitCodec {
    private WaitCodec() {}

    /** Appends the waits of one group and step. */
    public static void encode(WaitPartial w, WireWriter to) {
        to.writeVarint(w.attempt())
                .writeVarint(w.group())
                .writeSigned(w.step())
                .writeVarint(w.instances())
                .writeVarint(w.ambiguous())
                .writeVarint(w.ranks().length);
        for (int i = 0; i < w.ranks().length; i++) {
            to.writeVarint(w.ranks()[i]).writeVarint(w.sufferedNanos()[i]).writeVarint(w.causedNanos()[i]);
        }
    }

    /**
     * Reads the waits of one group and step.
     *
     * @throws dev.argus.wire.WireException if the bytes are not what {@link #encode} writes
     */
    public static WaitPartial decode(WireReader from) {
        int attempt = from.readInt();
        int group = from.readInt();
        long step = from.readSigned();
        int instances = from.readInt();
        int ambiguous = from.readInt();
        int n = from.readCount(3);
        int[] ranks = new int[n];
        long[] suffered = new long[n];
        long[] caused = new long[n];
        for (int i = 0; i < n; i++) {
            ranks[i] = from.readInt();
            suffered[i] = from.readVarint();
            caused[i] = from.readVarint();
        }
        return new WaitPartial(attempt, group, step, ranks, suffered, caused, instances, ambiguous);
    }
}
