package dev.argus.digest;

import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Ranks that do the same work: the same pipeline stage. Where the layout does not tell the stages, the position in a pipeline's
 * group does; where there is neither, ranks with the same set of compute kernels are peers.
 */
final class Peers {
    private final RankSet ranks;
    private final Topology topology;
    private final GroupDimensions dimensions;
    private final Map<Integer, RankDeclaration> declarations;

    Peers(RankSet ranks, Topology topology, GroupDimensions dimensions, Map<Integer, RankDeclaration> declarations) {
        this.ranks = ranks;
        this.topology = topology;
        this.dimensions = dimensions;
        this.declarations = declarations;
    }

    /** Fills in the sets and what they are, in words. */
    void fill(List<RankSet> sets, List<String> labels) {
        List<RankSet> all = new ArrayList<>();
        List<String> names = new ArrayList<>();
        alike(all, names);
        for (int i = 0; i < all.size(); i++) {
            RankSet gpu = RankSet.of(all.get(i).stream().filter(this::hasGpu).toArray());
            RankSet cpu = all.get(i).minus(gpu);
            if (!gpu.isEmpty()) {
                sets.add(gpu);
                labels.add(names.get(i));
            }
            if (!cpu.isEmpty()) {
                sets.add(cpu);
                labels.add(gpu.isEmpty() ? names.get(i) : names.get(i) + ", without GPU events");
            }
        }
    }

    /** Times of the CPU and of a GPU cannot be held against each other. */
    private boolean hasGpu(int rank) {
        RankDeclaration t = declarations.get(rank);
        return t != null && t.gpu();
    }

    private void alike(List<RankSet> sets, List<String> labels) {
        Map<Integer, List<Integer>> byStage = new TreeMap<>();
        int stages = topology.size("pp");
        boolean layout = !topology.dimensions().isEmpty();
        boolean pipeline = !dimensions.pipelines().isEmpty();
        for (int rank : ranks.toArray()) {
            int stage = layout ? topology.coordinate(rank, "pp") : pipeline ? stageInGroup(rank) : 0;
            byStage.computeIfAbsent(stage, s -> new ArrayList<>()).add(rank);
        }
        if (!layout && !pipeline) {
            bySignature(sets, labels);
            return;
        }
        int count = Math.max(stages, byStage.size());
        byStage.forEach((stage, members) -> {
            sets.add(RankSet.of(members.stream().mapToInt(r -> r).toArray()));
            labels.add(count > 1 ? "stage " + stage + " of " + count : "all ranks");
        });
    }

    private int stageInGroup(int rank) {
        int stage = 0;
        int size = 0;
        for (RankSet set : dimensions.pipelines()) {
            if (set.contains(rank) && set.size() > size) {
                size = set.size();
                stage = set.indexOf(rank);
            }
        }
        return stage;
    }

    private void bySignature(List<RankSet> sets, List<String> labels) {
        Map<Long, List<Integer>> bySignature = new TreeMap<>();
        for (int rank : ranks.toArray()) {
            RankDeclaration t = declarations.get(rank);
            bySignature
                    .computeIfAbsent(t == null ? 0L : t.workSignature(), s -> new ArrayList<>())
                    .add(rank);
        }
        bySignature.values().forEach(members -> {
            sets.add(RankSet.of(members.stream().mapToInt(r -> r).toArray()));
            labels.add(bySignature.size() == 1 ? "all ranks" : "ranks with the same kernels");
        });
    }
}
