package dev.argus.engine.replay;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/**
 * What one rank does in consecutive steps, as a chain of its own work: cut where a collective starts and where it begins to be waited for
 * ({@link Awaited}). One that is wholly covered is awaited by nobody, and one that was queued is known to have been held up by its predecessor only.
 * Collectives meet by group and number, sends and receives by order; what has no partner in the record keeps its time. Of broadcasts and the like only
 * the others wait for the root; here the root waits for them too, which holds it up only when they are late.
 */
final class RankChain {
    private static final double SAME_WORK_RATIO = 0.02;
    private static final int WORK = Integer.MIN_VALUE;

    private final JobShape shape;
    private final int rank;
    private final List<StepDigest> steps;

    /** Collectives by what they are and which of these they are, the same on all ranks that do the same. */
    private final Map<String, CollectiveStat> byPlace = new HashMap<>();

    private final Map<String, String> meetings = new HashMap<>();

    RankChain(JobShape shape, List<StepDigest> steps) {
        this.shape = shape;
        this.rank = steps.getFirst().rank();
        this.steps = steps;
        for (StepDigest d : steps) {
            Map<String, Integer> numbers = new HashMap<>();
            for (CollectiveStat c : d.collectives()) {
                String what = d.step() + "/" + c.op() + "/" + partner(c);
                String place = what + "/" + numbers.merge(what, 1, Integer::sum);
                byPlace.put(place, c);
                meetings.put(place, meeting(d.step(), c, numbers));
            }
        }
    }

    /** True if another rank does the same collectives in the same steps. */
    boolean isLike(RankChain other) {
        return steps.size() == other.steps.size() && byPlace.keySet().equals(other.byPlace.keySet());
    }

    /** Its own time in all steps. */
    long ownNanos() {
        return steps.stream().mapToLong(d -> d.own().ownNanos()).sum();
    }

    /** True if another rank launches as much. */
    boolean worksLike(RankChain other) {
        long mine = steps.stream().mapToLong(StepDigest::workItems).sum();
        long its = other.steps.stream().mapToLong(StepDigest::workItems).sum();
        return mine > 0 && Math.abs((double) its / mine - 1) <= SAME_WORK_RATIO;
    }

    /** Exposed communication without known partners, in nanoseconds: what held it up is not known. */
    long unmatchedNanos() {
        long sum = 0;
        for (Map.Entry<String, CollectiveStat> e : byPlace.entrySet()) {
            sum += meetings.getOrDefault(e.getKey(), "").isEmpty()
                    ? e.getValue().exposedNanos()
                    : 0;
        }
        return sum;
    }

    /**
     * Adds the work of this rank, with its own partners and transfers, in the times of a rank that is like it.
     *
     * @param to where to
     * @param times the rank whose times they are, this one or one that is like it
     * @param factor on own work
     */
    void addTo(ScheduleBuilder to, RankChain times, double factor) {
        List<Long> cuts = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (StepDigest d : times.steps) {
            cuts.add(d.startNanos());
            end = Math.max(end, d.startNanos() + d.durationNanos());
        }
        Awaited awaited = new Awaited(times.byPlace.values());
        Map<Integer, Integer> lanes = new HashMap<>();
        for (Map.Entry<String, CollectiveStat> e : times.byPlace.entrySet()) {
            CollectiveStat c = e.getValue();
            CollectiveStat mine = byPlace.getOrDefault(e.getKey(), c);
            to.add(
                    rank,
                    lanes.computeIfAbsent(c.stream(), s -> lanes.size()),
                    0,
                    c.startNanos(),
                    c.durationNanos(),
                    mine.durationNanos(),
                    meetings.getOrDefault(e.getKey(), ""),
                    !c.queued(),
                    awaited.isAwaited(c));
            cuts.add(c.startNanos());
            end = Math.max(end, c.startNanos() + c.durationNanos());
        }
        work(to, cuts, awaited, times.steps.getFirst().startNanos(), end, factor);
    }

    /** Own work: what is left between waits, cut where something is launched. */
    private void work(ScheduleBuilder to, List<Long> cuts, Awaited awaited, long begin, long end, double factor) {
        cuts.sort(Comparator.naturalOrder());
        NavigableMap<Long, Long> waits = awaited.waits();
        waits.merge(end, end, Math::max);
        long at = begin;
        int next = 0;
        for (Map.Entry<Long, Long> wait : waits.entrySet()) {
            while (next < cuts.size() && cuts.get(next) < wait.getKey()) {
                piece(to, at, cuts.get(next), factor);
                at = Math.max(at, cuts.get(next++));
            }
            piece(to, at, wait.getKey(), factor);
            at = Math.max(at, wait.getValue());
        }
    }

    private void piece(ScheduleBuilder to, long from, long until, double factor) {
        if (until > from) {
            to.add(rank, WORK, 0, from, until - from, (long) ((until - from) * factor), "", true, true);
        }
    }

    private String partner(CollectiveStat c) {
        if (c.op() == CollectiveOp.SEND || c.op() == CollectiveOp.RECV) {
            return "to " + shape.peerSetOf(c.peer());
        }
        int group = shape.groupIndex(rank, c.group());
        return group < 0 ? "" : shape.groups().get(group).dimension();
    }

    private String meeting(long step, CollectiveStat c, Map<String, Integer> numbers) {
        if (c.op() == CollectiveOp.SEND || c.op() == CollectiveOp.RECV) {
            boolean sends = c.op() == CollectiveOp.SEND;
            String pair = (sends ? rank : c.peer()) + ">" + (sends ? c.peer() : rank);
            return c.peer() < 0
                    ? ""
                    : pair + "/" + step + "/" + numbers.merge((sends ? "s" : "r") + pair, 1, Integer::sum);
        }
        int group = shape.groupIndex(rank, c.group());
        if (group < 0 || c.op().isPointToPoint() || c.op() == CollectiveOp.UNKNOWN) {
            return "";
        }
        String of = group + "/" + c.op() + "/" + c.sequence();
        return of + "/" + step + "/" + numbers.merge(of, 1, Integer::sum);
    }
}
