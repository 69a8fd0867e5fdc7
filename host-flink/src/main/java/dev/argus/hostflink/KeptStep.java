package dev.argus.hostflink;

import dev.argus.hostlocal.live.StepOverview;
import dev.argus.storage.Rows;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;

/**
 * A whole step of a job and its phases, over its ranks, to be kept for long.
 *
 * @param job the job
 * @param sinceNanos when the watch over it began
 * @param atMillis when it was told, by the time of the job, milliseconds since the Unix epoch
 * @param rows its numbers; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record KeptStep(String job, long sinceNanos, long atMillis, byte[] rows) implements Serializable {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    static KeptStep of(String job, long sinceNanos, int attempt, long nowNanos, StepOverview step) {
        WireWriter to = new WireWriter();
        to.writeSigned(attempt).writeSigned(step.step()).writeSigned(step.startNanos());
        spread(to, step.length());
        to.writeVarint(step.phases().size());
        for (StepOverview.PhaseSpread p : step.phases()) {
            to.writeText(p.phase().name().toLowerCase(Locale.ROOT));
            spread(to, p.span());
        }
        return new KeptStep(job, sinceNanos, nowNanos / NANOS_PER_MILLI, to.toByteArray());
    }

    private static void spread(WireWriter to, StepOverview.Spread s) {
        to.writeSigned(s.medianNanos())
                .writeSigned(s.maxNanos())
                .writeSigned(s.maxRank())
                .writeVarint(s.ranks());
    }

    /**
     * As rows, added to others.
     *
     * @throws WireException if the bytes are something else
     */
    public static void read(String job, byte[] rows, List<Rows.Step> steps, List<Rows.Phase> phases) {
        WireReader from = new WireReader(rows);
        int attempt = from.readSignedInt();
        long step = from.readSigned();
        long start = from.readSigned();
        steps.add(new Rows.Step(
                job, attempt, step, start, from.readSigned(), from.readSigned(), from.readSignedInt(), from.readInt()));
        for (int n = from.readCount(5); n > 0; n--) {
            phases.add(new Rows.Phase(
                    job,
                    attempt,
                    step,
                    from.readText(),
                    from.readSigned(),
                    from.readSigned(),
                    from.readSignedInt(),
                    from.readInt()));
        }
        from.expectEnd();
    }
}
