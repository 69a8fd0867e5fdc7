package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Suspects by own history: all ranks slower since one step is the job; many, but not all, are those ranks, of which the comparison with
 * peers sees none or half, because the centre has moved with them.
 */
final class ShiftSuspects {
    /** A smaller rise of all ranks together is worth a note only. */
    private static final double GLOBAL_RATIO = 0.03;

    /** From this share on the typical rank moves, and what the comparison says of kernels is half true. */
    private static final double CENTRE_SHARE = 0.4;

    /** From this share of a peer set on all of it has changed. */
    private static final double ALL_SHARE = 0.9;

    /** Steps behind an event that show a change of its own. */
    private static final int OUTLASTS = 3;

    private final Diagnosis.State state;
    private final JobShape shape;
    private final Set<Long> events;
    private final JobTimes times;

    ShiftSuspects(Diagnosis.State state, JobShape shape, Set<Long> events, JobTimes times) {
        this.state = state;
        this.shape = shape;
        this.events = events;
        this.times = times;
    }

    /** Adds what history shows to what the comparison of ranks showed; of both about the same ranks, history stays. */
    void join(List<Suspect> known) {
        List<PeerShift> shifts = state.shifts.stream()
                .filter(s -> !events.contains(s.firstStep()) || goesOn(s))
                .toList();
        if (shape.ranks().size() < 2 || shifts.isEmpty()) {
            return;
        }
        if (everybody(shifts)) {
            if (known.stream()
                    .noneMatch(s -> s.computes
                            && !s.isState()
                            && 4 * s.ranks.size() >= shape.ranks().size())) {
                known.add(global(shifts));
            }
            return;
        }
        for (PeerShift shift : shifts) {
            if (!shift.sameWork() || 2 * shift.changed().size() > shape.ranks().size()) {
                continue; // other work perhaps; and more than half of a job is nobody in particular
            }
            double seen = 0;
            for (Suspect s : known) {
                boolean same = s.computes
                        && !s.isState()
                        && overlap(s, shift)
                        && 2 * s.ranks.intersect(shift.changed()).size() >= s.ranks.size();
                seen += same ? s.ranks.intersect(shift.changed()).size() : 0;
            }
            boolean centreMoved = shift.changed().size() >= CENTRE_SHARE * shift.ranks();
            if (seen < shift.changed().size() || centreMoved) {
                known.removeIf(
                        s -> s.computes && overlap(s, shift) && shift.changed().containsAll(s.ranks));
                known.add(some(shift));
            }
        }
    }

    /** True for a change that began in an event of the job, or beside one, and outlasted it. */
    private boolean goesOn(PeerShift shift) {
        return times.steps().stream()
                        .filter(s -> s >= shift.firstStep() && s <= shift.lastStep() && !events.contains(s))
                        .count()
                >= OUTLASTS;
    }

    private static boolean overlap(Suspect s, PeerShift shift) {
        return s.firstStep() <= shift.lastStep() && s.lastStep() >= shift.firstStep();
    }

    private boolean everybody(List<PeerShift> shifts) {
        Set<Integer> sets = new HashSet<>();
        long first = shifts.getFirst().firstStep();
        for (PeerShift s : shifts) {
            if (Math.abs(s.firstStep() - first) <= 1 && s.changed().size() >= ALL_SHARE * s.ranks()) {
                sets.add(s.peerSet());
            }
        }
        return state.references.stream().allMatch(r -> sets.contains(r.peerSet()));
    }

    private Suspect global(List<PeerShift> shifts) {
        PeerShift least = shifts.getFirst();
        double nanos = 0;
        long since = Long.MIN_VALUE;
        long last = Long.MIN_VALUE;
        for (PeerShift s : shifts) {
            least = s.ratio() < least.ratio() ? s : least;
            nanos = Math.max(nanos, s.nanos());
            since = Math.max(since, s.firstStep());
            last = Math.max(last, s.lastStep());
        }
        Suspect s = new Suspect(IncidentKind.GLOBAL_SLOWDOWN, Scope.JOB, RankSet.EMPTY, "");
        claim(s, since, last, nanos);
        s.observation = least.ratio() - 1 < GLOBAL_RATIO;
        s.levels.add(Level.L1);
        s.margin = (least.ratio() - 1) / GLOBAL_RATIO;
        s.what = "computes " + Say.times(least.ratio()) + " as long as before on all ranks";
        s.why = "The compute of every peer set rose together at the same work, so comparing ranks with each other shows"
                + " nothing; this is against the job's own history.";
        s.advice = CauseRules.advice(s.kind, s.scope);
        s.evidence.add(new Evidence(
                "compute of all ranks", least.ratio(), "x", "the same ranks at other steps", 1 + GLOBAL_RATIO));
        return s;
    }

    private Suspect some(PeerShift shift) {
        List<String> hosts = new ArrayList<>();
        for (int rank : shift.changed().toArray()) {
            String host = shape.hostOf(rank);
            if (!hosts.contains(host)) {
                hosts.add(host);
            }
        }
        boolean oneHost = hosts.size() == 1 && !hosts.getFirst().isEmpty();
        Suspect s = new Suspect(
                IncidentKind.COMPUTE_STRAGGLER,
                oneHost ? Scope.HOST : Scope.GROUP,
                shift.changed(),
                oneHost ? hosts.getFirst() : "");
        claim(s, shift.firstStep(), shift.lastStep(), shift.nanos());
        if (times.slowerIn(s.claims.keySet())) {
            s.levels.add(Level.L1);
        }
        s.computes = true;
        s.margin = Math.max(1, shift.sigmas() / 5);
        s.what = (oneHost ? "computes " : "compute ") + Say.times(shift.ratio()) + " as long as before, "
                + shift.changed().size() + " of " + shift.ranks() + " ranks that do the same work";
        s.why =
                "At the same work these ranks became slower in one step, and the others did not. So many moved that the typical rank"
                        + " moved with them: this is against their own history.";
        s.advice = CauseRules.advice(s.kind, s.scope);
        s.evidence.add(new Evidence(
                "compute of these ranks", shift.ratio(), "x", "the same ranks at other steps", Double.NaN));
        return s;
    }

    private void claim(Suspect s, long first, long last, double nanos) {
        for (long step = first; step <= last; step++) {
            if (!Double.isNaN(times.at(step)) && !events.contains(step)) {
                s.claim(step, nanos);
            }
        }
        s.levels.add(Level.L2);
        s.activeSteps = s.claims.size();
    }
}
