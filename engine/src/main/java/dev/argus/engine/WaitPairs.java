package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ledger rank by rank: in each collective of one step, who waited, how long, and for whom.
 *
 * <p>The waits are those of {@link WaitPartial}, matched and split by the same code, before they are summed: their sum over a step equals the
 * sum of its {@code sufferedNanos}, and what is told of a late rank equals its {@code causedNanos}. For views that show pairs; the detectors need
 * the sums only.
 */
public final class WaitPairs {
    /** Stands for the late rank where the members came together: nobody was late by more than the ends of one collective differ. */
    public static final int NOBODY = -1;

    private static final Out NOWHERE = new Out() {
        @Override
        public void emit(Partial partial) {
            // the detectors have had it
        }

        @Override
        public void timer(long eventNanos) {
            // nothing waits
        }

        @Override
        public void loss(String reason) {
            // counted where the detectors met it
        }
    };

    /** Hears of waits. */
    @FunctionalInterface
    public interface Listener {
        /**
         * A rank waited in a collective.
         *
         * @param late the last to arrive, or {@link #NOBODY}
         * @param waiter who waited
         * @param nanos the part of its wait that no compute covers; above 0
         */
        void waited(int late, int waiter, long nanos);
    }

    private final JobShape shape;
    private final DetectorGraph graph;

    /** Of the groups of a job; the graph tells which collective is of which group. */
    public WaitPairs(JobShape shape, DetectorGraph graph) {
        this.shape = shape;
        this.graph = graph;
    }

    /**
     * Tells all waits of one step.
     *
     * @param digests that step of each rank read
     * @param to hears of them, group by group
     */
    public void tell(List<StepDigest> digests, Listener to) {
        Map<Integer, GroupMembers> groups = new TreeMap<>();
        int attempt = 0;
        long step = 0;
        for (StepDigest d : digests) {
            attempt = d.attempt();
            step = d.step();
            for (GroupStep g : graph.groupSteps(d)) {
                groups.computeIfAbsent(g.group(), k -> new GroupMembers(0)).put(g.rank(), g.mover(), g.collectives());
            }
        }
        for (Map.Entry<Integer, GroupMembers> e : groups.entrySet()) {
            RankSet ranks = shape.groups().get(e.getKey()).ranks();
            if (e.getValue().size() > 1) {
                new GroupMatching(
                                shape,
                                attempt,
                                e.getKey(),
                                step,
                                e.getValue(),
                                ranks,
                                TransferSample.Spread.of(shape, ranks))
                        .telling(to)
                        .emit(NOWHERE);
            }
        }
    }
}
