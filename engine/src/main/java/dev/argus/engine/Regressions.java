package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds an attempt of a job against the one before: all ranks slower since a restart with other software, at the same work.
 *
 * <p>Software does not change within an attempt, so this is where a change of it shows. Work is the same when as many ranks, in as many peer
 * sets, launch as many threads. The ranks may run on other GPUs, which differ lastingly: the rise must exceed what that spread
 * does to the centre of a peer set. Without a change of software that the traces tell of, nothing is said: other data or other hosts may be the reason.
 */
public final class Regressions {
    /** A smaller rise of all ranks together is not worth a word. */
    private static final double COMPUTE_RATIO = 1.01;

    /** Steps hang on hosts and networks too, which a restart changes: their time alone must rise more. */
    private static final double STEP_RATIO = 1.08;

    /** So much may the threads launched differ at the same work. */
    private static final double SAME_WORK_RATIO = 0.02;

    /** The same where it is known what more of them cost. */
    private static final double NEAR_WORK_RATIO = 0.15;

    private static final int FEWEST_STEPS = 3;

    /** Half of the width that chance gives to a centre of n ranks, in standard deviations of healthy GPUs. */
    private static final double SIGMAS = 3;

    private static final double GPU_SPREAD = 0.008;

    /** From this share of the job's time on other trouble explains longer steps. */
    private static final double QUIET_RATIO = 0.01;

    private static final int MOST_CHANGES = 4;

    private final Thresholds thresholds;

    /** With the thresholds of the run. */
    public Regressions(Thresholds thresholds) {
        this.thresholds = thresholds;
    }

    /**
     * One attempt.
     *
     * @param shape its shape
     * @param software versions of its software by name
     * @param concluded what was concluded about it
     */
    public record Attempt(JobShape shape, Map<String, String> software, Concluded concluded) {}

    /** What was concluded about an attempt, with what it lost against the one before if it did. */
    public Concluded judge(Attempt before, Attempt after) {
        List<String> changes = changes(before.software(), after.software());
        Pace was = before.concluded().pace();
        Pace now = after.concluded().pace();
        if (changes.isEmpty() || before.shape().worldSize() != after.shape().worldSize() || !sameWork(was, now)) {
            return after.concluded();
        }
        return rise(before, after, changes).map(s -> with(after, s)).orElseGet(after::concluded);
    }

    /** Versions that differ, in words; what only one of both states is no change. */
    private static List<String> changes(Map<String, String> before, Map<String, String> after) {
        List<String> changes = new ArrayList<>();
        for (String name : new TreeSet<>(after.keySet())) {
            String old = before.get(name);
            if (old != null && !old.equals(after.get(name)) && changes.size() < MOST_CHANGES) {
                changes.add(name + " " + old + " to " + after.get(name));
            }
        }
        return changes;
    }

    private static boolean sameWork(Pace was, Pace now) {
        if (was.peerSets().isEmpty() || was.peerSets().size() != now.peerSets().size()) {
            return false;
        }
        for (int i = 0; i < was.peerSets().size(); i++) {
            Pace.Peers a = was.peerSets().get(i);
            Pace.Peers b = now.peerSets().get(i);
            boolean enough = a.steps() >= FEWEST_STEPS && b.steps() >= FEWEST_STEPS && a.ranks() == b.ranks();
            boolean same = a.workItems() > 0
                    && Math.abs(b.workItems() / a.workItems() - 1)
                            <= (slope(a, b) > 0 ? NEAR_WORK_RATIO : SAME_WORK_RATIO);
            if (!enough || !same) {
                return false;
            }
        }
        return true;
    }

    /** How compute grows with the threads launched, where both attempts show it; else 0. */
    private static double slope(Pace.Peers a, Pace.Peers b) {
        return a.slope() > 0 && b.slope() > 0 ? (a.slope() + b.slope()) / 2 : 0;
    }

    private Optional<Suspect> rise(Attempt before, Attempt after, List<String> changes) {
        Pace was = before.concluded().pace();
        Pace now = after.concluded().pace();
        double least = Double.MAX_VALUE;
        double ranks = 0;
        double rise = 0;
        double variance = 0;
        for (int i = 0; i < was.peerSets().size(); i++) {
            Pace.Peers a = was.peerSets().get(i);
            Pace.Peers b = now.peerSets().get(i);
            double more = Math.pow(b.workItems() / a.workItems(), slope(a, b));
            double ratio = b.computeNanos() / a.computeNanos() / more;
            double noise = Math.hypot(a.noiseRatio(), b.noiseRatio()) / Math.sqrt(Math.min(a.steps(), b.steps()));
            double chance = Math.hypot(GPU_SPREAD, noise) * Math.sqrt(2.0 / a.ranks());
            least = Math.min(least, ratio);
            ranks += a.ranks();
            rise += a.ranks() * (ratio - 1);
            variance += a.ranks() * a.ranks() * chance * chance;
        }
        // all of them together: of a stage with two ranks alone chance would leave little to say
        double demanded = Math.max(COMPUTE_RATIO - 1, SIGMAS * Math.sqrt(variance) / ranks);
        double margin = least > 1 ? rise / ranks / demanded : 0;
        double steps = now.stepNanos() / was.stepNanos();
        if (margin >= 1) {
            return Optional.of(
                    suspect(after, changes, "compute of all ranks", 1 + rise / ranks, 1 + demanded, margin, was));
        }
        boolean quiet = quiet(before.concluded()) && quiet(after.concluded());
        return quiet && steps >= STEP_RATIO
                ? Optional.of(suspect(after, changes, "steps", steps, STEP_RATIO, (steps - 1) / (STEP_RATIO - 1), was))
                : Optional.empty();
    }

    private static boolean quiet(Concluded c) {
        return c.claimedNanos() <= QUIET_RATIO * c.measuredNanos();
    }

    private static Suspect suspect(
            Attempt after, List<String> changes, String what, double ratio, double threshold, double margin, Pace was) {
        Pace now = after.concluded().pace();
        Suspect s = new Suspect(IncidentKind.REGRESSION, Scope.JOB, RankSet.EMPTY, "");
        double excess = Math.max(0, now.stepNanos() - was.stepNanos());
        int steps = now.peerSets().getFirst().steps();
        s.claim(now.firstStep(), Math.max(1, excess));
        s.claim(now.lastStep(), Math.max(1, excess));
        Concluded c = after.concluded();
        s.costNanos = Math.min(excess * steps, Math.max(0, c.measuredNanos() - c.claimedNanos()));
        s.levels.add(Level.L1);
        s.levels.add(Level.L2);
        s.margin = margin;
        s.activeSteps = steps;
        s.what = (what.equals("steps") ? "takes " : "computes ") + Say.times(ratio) + " as long as in attempt "
                + (c.attempt() - 1) + " at the same work, since its restart with other software";
        s.why = "Every rank is slower than before at the same work, and these versions changed with the restart: "
                + String.join(", ", changes) + ".";
        s.advice = CauseRules.advice(s.kind, s.scope);
        s.evidence.add(new Evidence(what, ratio, "x", "the attempt before", threshold));
        return s;
    }

    private Concluded with(Attempt after, Suspect s) {
        Concluded c = after.concluded();
        Pace now = c.pace();
        NavigableMap<Long, long[]> times = new TreeMap<>();
        times.put(now.firstStep(), new long[] {now.startNanos(), now.startNanos()});
        times.put(now.lastStep(), new long[] {now.endNanos(), now.endNanos()});
        boolean act = s.costNanos >= thresholds.incidentFloorRatio() * c.measuredNanos();
        Incident incident = new IncidentWriter(
                        c.attempt(), after.shape(), times, (from, to) -> c.measuredNanos(), false)
                .write(s, act);
        List<Incident> incidents = new ArrayList<>(c.incidents());
        List<Incident> observations = new ArrayList<>(c.observations());
        (act ? incidents : observations).add(incident);
        return c.with(incidents, observations, s.costNanos);
    }
}
