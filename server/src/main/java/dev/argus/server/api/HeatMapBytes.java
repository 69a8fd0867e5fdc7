package dev.argus.server.api;

import dev.argus.hostlocal.report.HeatMap;
import dev.argus.server.http.Answer;
import dev.argus.server.http.Problem;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import dev.argus.wire.WireWriter;
import java.util.Arrays;

/**
 * A heat map as bytes.
 *
 * <pre>
 * magic "ARGH"  version:byte=1  value:byte(0 duration, 1 own, 2 wait)  attempt(s)
 * n ranks, n x difference to the rank before, the first to 0 (s)
 * n steps, n x difference to the step before, the first to 0 (s)
 * ranks x steps x code, 2 bytes, little-endian, one rank after the other
 * </pre>
 *
 * <p>Varints (base 128), (s) zigzag. A code is 0 where nothing was reported, else the value is 2^((code - 1) / 1024) ns, within 0.04 %; 1 stands for everything up to a
 * nanosecond. At most {@value #MOST_CELLS} cells: of more the newest steps that fit.
 */
final class HeatMapBytes {
    /** Media type. */
    static final String TYPE = "application/x-argus-heatmap";

    /** Most cells. */
    static final int MOST_CELLS = 4 << 20;

    /** Most cells as JSON. */
    static final int MOST_JSON_CELLS = 100_000;

    private static final int VERSION = 1;
    private static final double SECOND_NANOS = 1e9;

    private HeatMapBytes() {}

    static byte[] encode(HeatValue value, HeatMapData data) {
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
        int first = Math.max(0, steps.length - MOST_CELLS / Math.max(1, ranks.length));
        out.writeVarint(steps.length - first);
        before = 0;
        for (int i = first; i < steps.length; i++) {
            out.writeSigned(steps[i] - before);
            before = steps[i];
        }
        byte[] cells = new byte[2 * ranks.length * (steps.length - first)];
        int at = 0;
        for (int r = 0; r < ranks.length; r++) {
            for (int c = first; c < steps.length; c++) {
                int code = code(data.seconds()[r * steps.length + c]);
                cells[at++] = (byte) code;
                cells[at++] = (byte) (code >>> 8);
            }
        }
        return out.writeRaw(cells).toByteArray();
    }

    private static int code(float seconds) {
        return Float.isNaN(seconds) ? 0 : HeatMap.nanosCode(Math.round(seconds * SECOND_NANOS));
    }

    private static int place(HeatValue value) {
        return switch (value) {
            case DURATION -> 0;
            case OWN -> 1;
            case WAIT -> 2;
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
                    json.value(RowJson.shortest(seconds));
                }
                json.endArray();
            }
            json.endArray().endObject();
        });
    }
}
