package dev.argus.engine.replay;

import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive steps of a job, played again from their digests: as they were, and as they would have been had some ranks done what a
 * typical peer did, in its time.
 *
 * <p>The peer is the one of the same stage, not accused, whose own time is the median; it lends its times, the suspect keeps its partners and
 * the transfers with them ({@link RankChain}). What is left out: the first of the steps begins on all ranks at once.
 *
 * <p>Cost: about 1 us for each operation (three a collective) and play; a job with more of them than there is room for is not played, nor is
 * one of which a rank is missing. Not thread-safe.
 */
public final class StepReplay {
    /** Of no rank may communication without known partners be more of the steps: what it waited for would not be known. */
    private static final double MOST_UNMATCHED_RATIO = 0.01;

    /** Played as recorded, the steps must take what they took, or something else held them up. */
    private static final double MOST_ERROR_RATIO = 0.03;

    private final JobShape shape;
    private final int mostOperations;
    private final Map<Integer, List<StepDigest>> byRank = new TreeMap<>();
    private final Map<RankSet, Double> played = new HashMap<>();
    private long longest;
    private boolean playable;

    /**
     * Puts steps together.
     *
     * @param digests all ranks in some consecutive steps, in any order
     * @param shape shape of the job
     * @param mostOperations operations there is room for
     */
    public StepReplay(List<StepDigest> digests, JobShape shape, int mostOperations) {
        this.shape = shape;
        this.mostOperations = mostOperations;
        playable = !digests.isEmpty();
        for (StepDigest d : digests) {
            playable &= d.gpu() && !d.partial();
            byRank.computeIfAbsent(d.rank(), r -> new ArrayList<>()).add(d);
        }
        playable &= byRank.size() == shape.worldSize();
        for (List<StepDigest> mine : byRank.values()) {
            playable &= mine.size() == byRank.values().iterator().next().size();
            mine.sort(Comparator.comparingLong(StepDigest::step));
            StepDigest last = mine.getLast();
            longest = Math.max(
                    longest,
                    last.startNanos() + last.durationNanos() - mine.getFirst().startNanos());
        }
    }

    /**
     * What was played.
     *
     * @param recordedNanos all steps as they were
     * @param withoutNanos all steps, had the suspects been like a typical peer; at most the former
     * @param lostNanos what the suspects cost: the mean of what they cost as the only ones and of what they cost beside all others
     *     that are accused, for a late rank hides behind a later one
     */
    public record Played(double recordedNanos, double withoutNanos, double lostNanos) {}

    /**
     * Plays the steps with and without suspects.
     *
     * @param suspects who is replaced
     * @param accused who is nobody's measure, the suspects among them
     * @return empty when the steps cannot be played, or not as they were recorded, or a suspect has no peer that does the same
     */
    public Optional<Played> without(RankSet suspects, RankSet accused) {
        double was = nanos(RankSet.EMPTY, accused);
        if (!(Math.abs(was / longest - 1) <= MOST_ERROR_RATIO)) {
            return Optional.empty();
        }
        double without = Math.min(was, nanos(suspects, accused));
        double alone = nanos(accused.minus(suspects), accused);
        double nobody = nanos(accused, accused);
        double lost = (was - without + Math.max(0, alone - nobody)) / 2;
        return Double.isNaN(lost) ? Optional.empty() : Optional.of(new Played(was, without, lost));
    }

    /** How long the steps take with some ranks replaced; NaN when that cannot be said. */
    private double nanos(RankSet replaced, RankSet accused) {
        return played.computeIfAbsent(
                replaced, r -> schedule(r, accused).map(Schedule::replay).orElse(Double.NaN));
    }

    private Optional<Schedule> schedule(RankSet replaced, RankSet accused) {
        if (!playable) {
            return Optional.empty();
        }
        ScheduleBuilder builder = new ScheduleBuilder(mostOperations);
        for (Map.Entry<Integer, List<StepDigest>> e : byRank.entrySet()) {
            RankChain own = new RankChain(shape, e.getValue());
            if (builder.full() || own.unmatchedNanos() > MOST_UNMATCHED_RATIO * longest) {
                return Optional.empty();
            }
            if (!replaced.contains(e.getKey())) {
                own.addTo(builder, own, 1);
            } else if (!replace(e.getKey(), own, accused, builder)) {
                return Optional.empty();
            }
        }
        return builder.build();
    }

    /** With a typical peer; where its whole stage is accused, evenly sooner, as ranks of other stages with the same work are done. */
    private boolean replace(int rank, RankChain own, RankSet accused, ScheduleBuilder builder) {
        int set = shape.peerSetOf(rank);
        if (set < 0) {
            return false;
        }
        RankSet peers = shape.peerSets().get(set).minus(accused);
        if (peers.isEmpty()) {
            RankChain other = typical(shape.ranks().minus(accused), own::worksLike);
            if (other == null || own.ownNanos() <= 0) {
                return false;
            }
            own.addTo(builder, own, Math.min(1, (double) other.ownNanos() / own.ownNanos()));
            return true;
        }
        RankChain peer = typical(peers, own::isLike);
        if (peer == null) {
            return false;
        }
        own.addTo(builder, peer, 1);
        return true;
    }

    private @Nullable RankChain typical(RankSet among, Predicate<RankChain> alike) {
        List<RankChain> found = new ArrayList<>();
        for (int peer : among.toArray()) {
            List<StepDigest> of = byRank.get(peer);
            if (of != null) {
                found.add(new RankChain(shape, of));
            }
        }
        found.removeIf(chain -> !alike.test(chain));
        found.sort(Comparator.comparingLong(RankChain::ownNanos));
        return found.isEmpty() ? null : found.get((found.size() - 1) / 2);
    }
}
