package dev.argus.engine;

import dev.argus.model.Cost;
import dev.argus.model.Direction;
import dev.argus.model.GpuRef;
import dev.argus.model.HostText;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeSet;

/** Writes suspects down as incidents: sentence, confidence, price, places. */
final class IncidentWriter {
    /** From this share of the step on an incident is critical. */
    private static final double CRITICAL_RATIO = 0.05;

    /** Step time that was measured. */
    @FunctionalInterface
    interface Measured {
        /** That of the steps from one to another, inclusive. */
        double nanos(long from, long to);
    }

    private final int attempt;
    private final JobShape shape;
    private final NavigableMap<Long, long[]> times;
    private final Measured measured;
    private final boolean live;

    IncidentWriter(int attempt, JobShape shape, NavigableMap<Long, long[]> times, Measured measured, boolean live) {
        this.attempt = attempt;
        this.shape = shape;
        this.times = times;
        this.measured = measured;
        this.live = live;
    }

    /**
     * Writes down a suspect that has an id.
     *
     * @param act true when an operator should act on it
     * @param life what is remembered of it
     * @param again true when it was said before
     */
    Incident write(Suspect s, boolean act, IncidentRegister.Life life, boolean again) {
        boolean holds = (live || again) && !times.isEmpty() && s.lastStep() > times.lastKey() - life.holdSteps();
        IncidentState now = over(s) && !holds ? IncidentState.RESOLVED : IncidentState.ONGOING;
        IncidentState as = again || !live || now == IncidentState.RESOLVED ? now : IncidentState.OPEN;
        return write(s, act, life.id(), life.firstStep(), life.sinceNanos(), life.returns(), as, life.costNanos(s));
    }

    /** Writes down a suspect of an attempt that has been concluded: nobody will ask for it again. */
    Incident write(Suspect s, boolean act) {
        IncidentState as = over(s) ? IncidentState.RESOLVED : IncidentState.ONGOING;
        return write(s, act, id(s), s.firstStep(), since(s), 0, as, s.costNanos);
    }

    private boolean over(Suspect s) {
        return !times.isEmpty() && s.lastStep() >= 0 && s.lastStep() < times.lastKey();
    }

    /** @param costNanos what it has cost in all, also behind the horizon */
    private Incident write(
            Suspect s,
            boolean act,
            long id,
            long firstStep,
            long sinceNanos,
            int returns,
            IncidentState as,
            double costNanos) {
        double stepRatio = share(s.costNanos, measured.nanos(Long.MIN_VALUE, Long.MAX_VALUE));
        double during = share(s.costNanos, measured.nanos(s.firstStep(), s.lastStep()));
        boolean resolved = as == IncidentState.RESOLVED;
        return new Incident(
                String.format("%016x", id),
                s.kind,
                s.scope,
                severity(act, !live ? stepRatio : lasts(s) ? during : 0),
                confidence(s),
                s.levels,
                as,
                sinceNanos,
                resolved ? time(s.lastStep(), 1) : null,
                attempt,
                s.ranks,
                gpus(s.ranks),
                hosts(s),
                groups(s),
                firstStep,
                s.lastStep(),
                List.copyOf(s.kernels),
                s.kernels.isEmpty() && s.groups.isEmpty() ? null : Direction.LONGER,
                summary(s, firstStep, resolved) + (returns > 0 ? ", on and off" : ""),
                s.why,
                s.advice,
                List.copyOf(s.evidence),
                new Cost(stepRatio, costNanos / 1e9 * shape.worldSize(), during, s.upperBound));
    }

    private static double share(double nanos, double ofNanos) {
        return ofNanos > 0 ? Math.min(1, nanos / ofNanos) : 0;
    }

    /** Of a job that goes on one or two steps tell nothing about what comes. What lasts is as severe as it is while it lasts, whatever else there was in the last hours. */
    private static boolean lasts(Suspect s) {
        return s.claims.size() >= Conclusion.LASTING_STEPS;
    }

    /** How much it matters: nothing, unless one should act on it. */
    static Severity severity(boolean act, double stepRatio) {
        return !act ? Severity.INFO : stepRatio >= CRITICAL_RATIO ? Severity.CRITICAL : Severity.WARNING;
    }

    private long time(long step, int end) {
        Map.Entry<Long, long[]> e = times.floorEntry(step);
        return e == null ? 0 : e.getValue()[end];
    }

    private String summary(Suspect s, long firstStep, boolean over) {
        String when = firstStep == s.lastStep()
                ? ", in step " + firstStep
                : over ? ", in steps " + firstStep + " to " + s.lastStep() : ", since step " + firstStep;
        return subject(s) + " " + s.what + when;
    }

    private String subject(Suspect s) {
        if (s.scope == Scope.JOB) {
            return "the job";
        }
        if (s.scope == Scope.RANK || s.scope == Scope.GPU) {
            int rank = s.ranks.get(0);
            String host = shape.hostOf(rank);
            int gpu = shape.gpuIndex().getOrDefault(rank, -1);
            String where = host.isEmpty() ? "" : host + (gpu >= 0 ? ", GPU " + gpu : "");
            return "rank " + s.ranks + (where.isEmpty() ? "" : " (" + where + ")");
        }
        if (s.scope == Scope.HOST || s.scope == Scope.NVLINK_DOMAIN) {
            return HostText.of(s.host) + " (ranks " + s.ranks + ")";
        }
        int set = s.scope == Scope.GROUP ? shape.peerSets().indexOf(s.ranks) : -1;
        return set >= 0 && !shape.peerLabels().get(set).startsWith("all")
                ? shape.peerLabels().get(set) + " (ranks " + s.ranks + ")"
                : group(s) + " of ranks " + s.ranks;
    }

    private static String group(Suspect s) {
        return s.dimension.equals(CommonGroups.REPLICA)
                ? "data-parallel replica"
                : s.dimension.isEmpty() ? s.scope.text() : s.dimension + " " + s.scope.text();
    }

    /** What is doubted of an alarm, and of an observation, whose excess is just what its rule demands. */
    private static final double DOUBT = 0.08;

    private static final double OBSERVED_DOUBT = 0.25;

    /** The same of a GPU that is slower than its peers for good, by hardly more than healthy ones are: most that are so are the slowest of healthy ones. */
    private static final double LASTING_DOUBT = 0.7;

    /** The same of what was seen in one step only. */
    private static final double ONE_STEP_DOUBT = 0.03;

    private static final double OBSERVED_ONE_STEP_DOUBT = 0.06;

    /** Of ranks that were not recorded, where none was. */
    private static final double MISSING_DOUBT = 0.3;

    private static final double MOST_CONFIDENCE = 0.99;

    /**
     * Probability that somebody is at fault in this way: grows with the margin over the threshold and with the number of steps, falls with
     * missing ranks, and is lower for what is only observed. The doubts were fitted to what 2,440 simulated jobs of all kinds, severities
     * and damages were found to be (seeds from 300000) and stay on the humble side: of alarms just over their threshold 99 % were right.
     * What it is worth on other seeds stands in the page on accuracy.
     */
    private double confidence(Suspect s) {
        boolean lasting = s.observation && s.computes && s.standingNanos > 0;
        double doubt = lasting ? LASTING_DOUBT : s.observation ? OBSERVED_DOUBT : DOUBT;
        double once = s.observation ? OBSERVED_ONE_STEP_DOUBT : ONE_STEP_DOUBT;
        double margin = 1 - doubt * Math.exp(-(Math.max(1, s.margin) - 1));
        double steps = 1 - once / Math.max(1, s.activeSteps);
        double recorded = shape.worldSize() > 0 ? shape.ranks().size() / (double) shape.worldSize() : 0;
        double raw = margin * steps * (1 - MISSING_DOUBT * (1 - recorded));
        return Math.round(1000 * Math.min(MOST_CONFIDENCE, raw)) / 1000.0;
    }

    private List<GpuRef> gpus(RankSet ranks) {
        List<GpuRef> list = new ArrayList<>();
        for (int rank : ranks.toArray()) {
            String host = shape.hostOf(rank);
            list.add(new GpuRef(
                    rank, host.isEmpty() ? null : host, shape.gpuIndex().getOrDefault(rank, -1), null));
        }
        return list;
    }

    private List<String> hosts(Suspect s) {
        TreeSet<String> hosts = new TreeSet<>();
        if (!s.host.isEmpty()) {
            hosts.add(s.host);
        }
        s.ranks.stream().mapToObj(shape::hostOf).filter(h -> !h.isEmpty()).forEach(hosts::add);
        return List.copyOf(hosts);
    }

    private List<ParallelGroup> groups(Suspect s) {
        List<ParallelGroup> list = new ArrayList<>();
        for (ParallelGroup g : shape.groups()) {
            boolean concerned = s.groups.contains(g.ranks())
                    || (s.scope == Scope.RANK
                            && g.ranks().size() > 1
                            && g.ranks().containsAll(s.ranks));
            if (concerned && list.size() < 16 && g.ranks().size() < Math.max(3, shape.worldSize())) {
                list.add(g);
            }
        }
        return list;
    }

    /** The hash of a suspect. */
    long id(Suspect s) {
        return IncidentIds.hash(attempt, s.kind, s.scope, s.ranks, s.host, s.firstStep(), shape.worldSize());
    }

    /** When a suspect's first step began, nanoseconds since the epoch; 0 when unknown. */
    long since(Suspect s) {
        return time(s.firstStep(), 0);
    }
}
