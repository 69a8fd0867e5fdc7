package dev.argus.server.api;

import dev.argus.hostlocal.report.HeatMap;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Problem;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import dev.argus.server.job.KernelPictureJson;
import dev.argus.wire.WireWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * A heat map as bytes.
 *
 * <pre>
 * magic "ARGH"  version:byte=1  value:byte(0 duration, 1 own, 2 wait, 3 outside)  attempt(s)
 * n ranks, n x difference to the rank before, the first to 0 (s)
 * n steps, n x difference to the step before, the first to 0 (s)
 * ranks x steps x code, 2 bytes, little-endian, one rank after the other
 * </pre>
 *
 * <p>Varints (base 128), (s) zigzag. A code is 0 where nothing was reported, else the value is 2^((code - 1) / 1024) ns, within 0.04 %; 1 stands for everything up to a
 * nanosecond. At most {@value #MOST_CELLS} cells: of more the newest steps that fit.
 *
 * <p>Written row by row: a map of 12,960 ranks by 1,000 steps has 26 MB, and is not held twice. Cost: 3 ns a cell.
 */
final class HeatMapBytes {
    /** Media type. */
    static final String TYPE = "application/x-argus-heatmap";

    /** Most cells. */
    static final int MOST_CELLS = 16 << 20;

    /** Most cells as JSON. */
    static final int MOST_JSON_CELLS = 100_000;

    private static final int VERSION = 1;
    private static final int PER_OCTAVE = 1024;
    private static final int CHUNK = 64 << 10;
    private static final double SECOND_NANOS = 1e9;

    private HeatMapBytes() {}

    /** Position in a table of logarithms: the first eight bits of a mantissa; between two a straight line is off by 3e-6. */
    private static final int TABLE_BITS = 8;

    private static final int REST_BITS = 23 - TABLE_BITS;
    private static final float[] LOG_2 = new float[(1 << TABLE_BITS) + 1];

    static {
        for (int i = 0; i < LOG_2.length; i++) {
            LOG_2[i] = (float) (Math.log1p(i / (double) (1 << TABLE_BITS)) / Math.log(2));
        }
    }

    /** Whole nanoseconds count below this. */
    private static final float SMALL_SECONDS = 1e-5f;

    /** All of it, for maps that are small. */
    static byte[] encode(HeatValue value, HeatMapData data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            write(value, data, out, () -> {});
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }

    /** Cells that are given of a map. */
    static long cells(HeatMapData data) {
        return (long) data.ranks().length * (data.steps().length - first(data));
    }

    private static int first(HeatMapData data) {
        return Math.max(0, data.steps().length - MOST_CELLS / Math.max(1, data.ranks().length));
    }

    /**
     * Writes it.
     *
     * @param goesOn called when some of it was written
     */
    static void write(HeatValue value, HeatMapData data, OutputStream to, Runnable goesOn) throws IOException {
        WireWriter out = new WireWriter();
        for (char c : "ARGH".toCharArray()) {
            out.writeByte(c);
        }
        out.writeByte(VERSION).writeByte(place(value)).writeSigned(data.attempt());
        int[] ranks = data.ranks();
        out.writeVarint(ranks.length);
        long before = 0;
        for (int rank : ranks) {
            out.writeSigned(rank - before);
            before = rank;
        }
        long[] steps = data.steps();
        int first = first(data);
        out.writeVarint(steps.length - first);
        before = 0;
        for (int i = first; i < steps.length; i++) {
            out.writeSigned(steps[i] - before);
            before = steps[i];
        }
        to.write(out.toByteArray());
        int columns = steps.length - first;
        int rowsAtATime = Math.max(1, CHUNK / Math.max(1, 2 * columns));
        byte[] cells = new byte[2 * columns * Math.min(ranks.length, rowsAtATime)];
        for (int r = 0; r < ranks.length; ) {
            int at = 0;
            for (int end = Math.min(ranks.length, r + rowsAtATime); r < end; r++) {
                for (int c = first; c < steps.length; c++) {
                    int code = code(data.seconds()[r * steps.length + c]);
                    cells[at++] = (byte) code;
                    cells[at++] = (byte) (code >>> 8);
                }
            }
            to.write(cells, 0, at);
            goesOn.run();
        }
    }

    private static int code(float seconds) {
        if (Float.isNaN(seconds)) {
            return 0;
        }
        if (seconds < SMALL_SECONDS) {
            return HeatMap.nanosCode(Math.round(seconds * SECOND_NANOS));
        }
        float nanos = (float) (seconds * SECOND_NANOS);
        int bits = Float.floatToRawIntBits(nanos);
        int place = (bits >>> REST_BITS) & ((1 << TABLE_BITS) - 1);
        float rest = (bits & ((1 << REST_BITS) - 1)) / (float) (1 << REST_BITS);
        float log = LOG_2[place] + rest * (LOG_2[place + 1] - LOG_2[place]);
        float octaves = (bits >>> 23) - 127 + log;
        return Math.min(0xFFFF, 1 + Math.round(octaves * PER_OCTAVE));
    }

    private static int place(HeatValue value) {
        return switch (value) {
            case DURATION -> 0;
            case OWN -> 1;
            case WAIT -> 2;
            case OUTSIDE -> 3;
        };
    }

    static Answer json(HeatValue value, HeatMapData data) throws Problem {
        if ((long) data.ranks().length * data.steps().length > MOST_JSON_CELLS) {
            throw new Problem(
                    406,
                    "a heat map of " + data.ranks().length + " ranks and " + data.steps().length
                            + " steps is too large for JSON",
                    TYPE + ", or fewer steps");
        }
        return Answer.json(json -> {
            json.beginObject().name("attempt").value(data.attempt());
            json.name("value").value(value.text());
            json.name("ranks").beginArray();
            for (int rank : data.ranks()) {
                json.value(rank);
            }
            json.endArray().name("steps").beginArray();
            for (long step : data.steps()) {
                json.value(step);
            }
            json.endArray().name("seconds").beginArray();
            for (int r = 0; r < data.ranks().length; r++) {
                int from = r * data.steps().length;
                json.beginArray();
                for (float seconds : Arrays.copyOfRange(data.seconds(), from, from + data.steps().length)) {
                    json.value(KernelPictureJson.shortest(seconds));
                }
                json.endArray();
            }
            json.endArray().endObject();
        });
    }
}
