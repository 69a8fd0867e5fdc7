package dev.argus.hostflink;

import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.StepOverview;
import dev.argus.hostlocal.metrics.LabelText;
import dev.argus.hostlocal.metrics.Metric;
import dev.argus.hostlocal.metrics.VerdictSamples;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import java.io.Serializable;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a job at one moment, under the names and labels of {@code /metrics} of a server ({@link Metric}); at most some 350 series. What a server has and a topic does not tell (agents, clocks, own times by peer set, the histogram
 * of step times) is not among them.
 *
 * @param job the job
 * @param atMillis the moment by the time of the job, milliseconds since the Unix epoch
 * @param leftOut series that had no room
 * @param samples labels and values, as {@link SeriesBytes} has them; nothing at all: the job has ended, and so do its series. Not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record JobSeries(String job, long atMillis, int leftOut, byte[] samples) implements Serializable {
    private static final double NANOS = 1e9;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** The job is over: right after the last numbers, which may have been told at this very moment. */
    static JobSeries end(String job, long now) {
        return new JobSeries(job, now / NANOS_PER_MILLI + 1, 0, new byte[0]);
    }

    /**
     * As things are.
     *
     * @param last the newest whole step, null when it is not known
     * @param lagNanos by how much the time of the job is behind that of the machine
     */
    static JobSeries of(HostedJob of, @Nullable StepOverview last, long now, long lagNanos) {
        LiveJob live = of.live();
        SeriesBytes to = new SeriesBytes();
        String label = LabelText.of(of.job());
        RankSet silent = live.silent();
        if (live.expected() > 0) {
            to.gauge(Metric.RANKS_EXPECTED, live.expected(), label);
        }
        to.gauge(Metric.RANKS_REPORTING, live.declared().minus(silent).size(), label);
        to.gauge(Metric.RANKS_SILENT, silent.size(), label);
        to.gauge(Metric.STANDING, live.standsStill() ? 1 : 0, label);
        to.gauge(Metric.HEARD, of.heardNanos() / NANOS, label);
        to.gauge(Metric.LAG, lagNanos / NANOS, label);
        JobShape shape = live.shape();
        VerdictSamples verdict = new VerdictSamples(to, label);
        verdict.incidents(live.incidents(), live.usualNanos(), rank -> shape == null ? "" : shape.hostOf(rank));
        verdict.observations(live.observations());
        verdict.losses(of.counts().losses());
        to.counter(Metric.LOST, of.counts().lostGpuSeconds(), label);
        to.counter(Metric.MEASURED, live.measuredNanos() / NANOS, label);
        if (live.attempt() >= 0) {
            to.gauge(Metric.ATTEMPT, live.attempt(), label);
        }
        if (live.newestStep() >= 0) {
            to.gauge(Metric.NEWEST_STEP, (double) live.newestStep(), label);
        }
        if (live.usualNanos() > 0) {
            to.gauge(Metric.USUAL_STEP, live.usualNanos() / NANOS, label);
        }
        if (last != null) {
            spread(to, Metric.LAST_STEP, last.length(), label);
            for (StepOverview.PhaseSpread p : last.phases()) {
                spread(to, Metric.PHASE, p.span(), label, p.phase().name().toLowerCase(Locale.ROOT));
            }
        }
        return new JobSeries(of.job(), now / NANOS_PER_MILLI, to.leftOut(), to.toByteArray());
    }

    private static void spread(SeriesBytes to, Metric metric, StepOverview.Spread of, String... labels) {
        to.spread(metric, of.medianNanos() / NANOS, of.maxNanos() / NANOS, of.ranks(), labels);
    }
}
