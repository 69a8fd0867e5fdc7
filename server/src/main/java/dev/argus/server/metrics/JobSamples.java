package dev.argus.server.metrics;

import dev.argus.hostlocal.metrics.LabelText;
import dev.argus.hostlocal.metrics.Metric;
import dev.argus.hostlocal.metrics.VerdictSamples;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.JobView;
import dev.argus.server.job.JobView.AgentView;
import dev.argus.storage.Rows;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The series of one job: what nobody may miss ({@link #verdict}), and the rest ({@link #details}). Bounded for each job as stated by the constants; ranks have series of their own only
 * in {@link VerdictSamples}.
 */
@SuppressWarnings("LongDoubleConversion") // the format has doubles; counts beyond 2^53 do not occur
final class JobSamples {
    /** Phases of a job. */
    static final int MOST_PHASES = 32;

    /** Peer sets of a job. */
    static final int MOST_PEER_SETS = 64;

    private static final double NANOS = 1e9;

    private final Samples to;
    private final JobView job;
    private final JobMeter meter;
    private final String label;
    private final VerdictSamples verdict;

    JobSamples(Samples to, JobView job, JobMeter meter) {
        this.to = to;
        this.job = job;
        this.meter = meter;
        this.label = LabelText.of(job.job());
        this.verdict = new VerdictSamples(to, label);
    }

    /** Verdict and coverage. */
    void verdict(long nowNanos) {
        if (job.expected() > 0 && !job.gone().said()) {
            to.gauge(Metric.RANKS_EXPECTED, job.expected(), label);
        }
        to.gauge(Metric.RANKS_REPORTING, job.reporting().size(), label);
        to.gauge(Metric.RANKS_SILENT, job.silent().size(), label);
        to.gauge(Metric.STANDING, job.standing() ? 1 : 0, label);
        to.gauge(Metric.HEARD, job.heardNanos() / NANOS, label);
        to.gauge(Metric.LAG, job.lagNanos() / NANOS, label);
        JobShape shape = job.shape();
        verdict.incidents(job.incidents(), job.usualNanos(), rank -> shape == null ? "" : shape.hostOf(rank));
        to.counter(Metric.LOST, meter.lost(job.attempt(), job.lostGpuSeconds()), label);
        to.counter(Metric.MEASURED, meter.measured(job.attempt(), job.measuredNanos() / NANOS), label);
        if (job.attempt() >= 0) {
            to.gauge(Metric.ATTEMPT, job.attempt(), label);
        }
        if (job.newestStep() >= 0) {
            to.gauge(Metric.NEWEST_STEP, job.newestStep(), label);
        }
        verdict.losses(job.losses());
        agents(job.agents().values(), nowNanos);
        to.gauge(Metric.CLOCK_ERROR, job.clockErrorNanos() / NANOS, label);
    }

    /**
     * How long things take; nothing of a job that does not go on now, as far as is known.
     *
     * @param own what ranks spent on themselves, the newest step last; null when it is not known
     */
    void details(@Nullable HeatMapData own, long nowNanos) {
        meter.write(to, label);
        verdict.observations(job.observations());
        if (job.ended() || job.isUnheard(nowNanos)) {
            return;
        }
        Rows.Step last = job.last();
        if (last != null) {
            to.spread(Metric.LAST_STEP, last.medianNanos() / NANOS, last.maxNanos() / NANOS, last.ranks(), label);
        }
        if (job.usualNanos() > 0) {
            to.gauge(Metric.USUAL_STEP, job.usualNanos() / NANOS, label);
        }
        List<Rows.Phase> phases = job.lastPhases();
        to.leaveOut(Metric.PHASE, 3L * Math.max(0, phases.size() - MOST_PHASES));
        phases.stream()
                .sorted(Comparator.comparingLong(Rows.Phase::maxNanos).reversed())
                .limit(MOST_PHASES)
                .forEach(p -> to.spread(
                        Metric.PHASE,
                        p.medianNanos() / NANOS,
                        p.maxNanos() / NANOS,
                        p.ranks(),
                        label,
                        LabelText.of(p.phase())));
        JobShape shape = job.shape();
        if (own != null && shape != null && own.attempt() == shape.attempt() && own.steps().length > 0) {
            ownTimes(own, shape);
        }
    }

    private void ownTimes(HeatMapData own, JobShape shape) {
        Map<Integer, Integer> rows = new HashMap<>();
        for (int row = 0; row < own.ranks().length; row++) {
            rows.put(own.ranks()[row], row);
        }
        int width = own.steps().length;
        int sets = Math.min(MOST_PEER_SETS, shape.peerSets().size());
        to.leaveOut(Metric.OWN_TIME, 3L * (shape.peerSets().size() - sets));
        for (int i = 0; i < sets; i++) {
            RankSet peers = shape.peerSets().get(i);
            double[] values = peers.stream()
                    .mapToDouble(rank -> {
                        Integer row = rows.get(rank);
                        return row == null ? Double.NaN : own.seconds()[row * width + width - 1];
                    })
                    .toArray();
            to.spread(
                    Metric.OWN_TIME,
                    values,
                    label,
                    LabelText.of(shape.peerLabels().get(i)));
        }
    }

    private void agents(Collection<AgentView> agents, long nowNanos) {
        to.gauge(Metric.AGENTS, agents.size(), label);
        spread(Metric.AGENT_SILENCE, agents, a -> Math.max(0, nowNanos - a.heardNanos()) / NANOS);
        spread(Metric.AGENT_OVERHEAD, agents, AgentView::slowerRatio);
        spread(Metric.AGENT_CPU, agents, AgentView::cpuRatio);
        spread(Metric.AGENT_MEMORY, agents, a -> a.memoryBytes() < 0 ? Double.NaN : a.memoryBytes());
        spread(Metric.CLOCK_AHEAD, agents, a -> a.clockNanos() / NANOS);
    }

    private void spread(Metric metric, Collection<AgentView> agents, ToDoubleFunction<AgentView> value) {
        to.spread(metric, agents.stream().mapToDouble(value).toArray(), label);
    }
}
