package dev.argus.benchmarks.scale;

import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.model.Topology.Dimension;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A made job: tensor parallel over the 8 GPUs of a host, data parallel across hosts, {@value #STAGES} pipeline stages, four slow ranks.
 *
 * @param dp hosts a stage
 * @param seed of all noise
 */
public record ScaleJob(int dp, long seed) implements Conditions {
    static final int TP = 8;

    /** Pipeline stages. */
    public static final int STAGES = 9;

    /** Where the slow ranks lie, as shares of all ranks, and what they are: all kernels slow, but for the last one. */
    private static final double[] SLOW_AT = {0.123, 0.371, 0.644, 0.871};

    private static final double[] SLOWNESS = {1.12, 1.10, 1.15, 1.12};

    /** A job of so many ranks, a multiple of 72. */
    public static ScaleJob ofRanks(int ranks) {
        if (ranks < 2 * TP * STAGES || ranks % (TP * STAGES) != 0) {
            throw new IllegalArgumentException(
                    ranks + " ranks, expected a multiple of " + TP * STAGES + " from " + 2 * TP * STAGES + " on");
        }
        return new ScaleJob(ranks / (TP * STAGES), 20261129);
    }

    /** Number of ranks. */
    public int ranks() {
        return TP * dp * STAGES;
    }

    int stage(int rank) {
        return rank / (TP * dp);
    }

    int rankOf(int rank, int otherStage) {
        return rank + (otherStage - stage(rank)) * TP * dp;
    }

    /** Position among the data-parallel groups. */
    int dpGroup(int rank) {
        return rank % TP + TP * stage(rank);
    }

    /** The ranks that are slow. */
    public RankSet slow() {
        int[] ranks = new int[SLOW_AT.length];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = (int) (SLOW_AT[i] * ranks());
        }
        return RankSet.of(ranks);
    }

    /** The same in every step. */
    @Override
    public double slowness(int rank, long step) {
        for (int i = 0; i < SLOW_AT.length; i++) {
            if (rank == (int) (SLOW_AT[i] * ranks())) {
                return SLOWNESS[i];
            }
        }
        return 1;
    }

    @Override
    public boolean slowMemory(int rank) {
        return rank == (int) (SLOW_AT[SLOW_AT.length - 1] * ranks());
    }

    /** What the detectors know of the job. */
    public JobShape shape(NameTable names) {
        int ranks = ranks();
        int dpName = names.id("data parallel");
        int ppName = names.id("pipeline");
        List<ParallelGroup> groups = new ArrayList<>();
        List<RankSet> peerSets = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        int stageRanks = TP * dp;
        for (int s = 0; s < STAGES; s++) {
            peerSets.add(RankSet.range(s * stageRanks, (s + 1) * stageRanks - 1));
            labels.add("stage " + s + " of " + STAGES);
            for (int t = 0; t < TP; t++) {
                int[] members = new int[dp];
                for (int d = 0; d < dp; d++) {
                    members[d] = t + TP * d + s * stageRanks;
                }
                groups.add(new ParallelGroup("dp", RankSet.of(members)));
            }
        }
        for (int i = 0; i < stageRanks; i++) {
            int[] members = new int[STAGES];
            for (int s = 0; s < STAGES; s++) {
                members[s] = i + s * stageRanks;
            }
            groups.add(new ParallelGroup("pp", RankSet.of(members)));
        }
        Map<Integer, String> hosts = new HashMap<>();
        Map<Integer, Integer> gpus = new HashMap<>();
        Map<Integer, String> models = new HashMap<>();
        Map<Integer, Map<Integer, Integer>> groupOf = new HashMap<>();
        String host = "";
        for (int r = 0; r < ranks; r++) {
            host = r % TP == 0 ? "node" + r / TP : host;
            hosts.put(r, host);
            gpus.put(r, r % TP);
            models.put(r, "NVIDIA H100 80GB HBM3");
            groupOf.put(r, Map.of(dpName, dpGroup(r), ppName, TP * STAGES + r % stageRanks));
        }
        Topology topology = new Topology(
                List.of(new Dimension("tp", TP), new Dimension("dp", dp), new Dimension("pp", STAGES)), "made");
        return new JobShape(
                0,
                ranks,
                RankSet.range(0, ranks - 1),
                hosts,
                gpus,
                models,
                topology,
                groups,
                groupOf,
                peerSets,
                labels);
    }

    /** A number of its own for a rank and what is drawn there. */
    long mixed(long rank, long what) {
        long h = seed + rank * 0x9E3779B97F4A7C15L + what * 0xC2B2AE3D27D4EB4FL;
        h = (h ^ (h >>> 30)) * 0xBF58476D1CE4E5B9L;
        h = (h ^ (h >>> 27)) * 0x94D049BB133111EBL;
        return h ^ (h >>> 31);
    }
}
