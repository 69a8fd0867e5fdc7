package dev.argus.model;

import java.util.List;
import java.util.Map;

/**
 * What is known of the shape of one attempt of a job: who runs where, who belongs to which group, who does the same work.
 *
 * @param attempt attempt of the job
 * @param worldSize number of ranks, as far as known
 * @param ranks ranks with usable data
 * @param hosts host of each rank read; empty text when unknown
 * @param gpuIndex GPU index on its host of each rank read, -1 when unknown
 * @param gpuModels name of the GPU model of each rank read; empty text when unknown
 * @param topology layout over dimensions
 * @param groups process groups, members resolved over all ranks
 * @param groupOf group name id as used by a rank to the position in {@code groups}, per rank
 * @param peerSets ranks that do the same work: one stage each
 * @param peerLabels what each peer set is, in words: "stage 1 of 4", "all ranks"
 */
public record JobShape(
        int attempt,
        int worldSize,
        RankSet ranks,
        Map<Integer, String> hosts,
        Map<Integer, Integer> gpuIndex,
        Map<Integer, String> gpuModels,
        Topology topology,
        List<ParallelGroup> groups,
        Map<Integer, Map<Integer, Integer>> groupOf,
        List<RankSet> peerSets,
        List<String> peerLabels) {

    /** Position of the rank's peer set, or -1. */
    public int peerSetOf(int rank) {
        for (int i = 0; i < peerSets.size(); i++) {
            if (peerSets.get(i).contains(rank)) {
                return i;
            }
        }
        return -1;
    }

    /** True if the peer sets are stages of a pipeline, so that their work may be held against each other. */
    public boolean hasStages() {
        return topology.size("pp") > 1
                || groups.stream()
                        .anyMatch(g -> g.dimension().equals("pp") && g.ranks().size() > 1);
    }

    /** Position of the group that a rank calls by a name id, or -1. */
    public int groupIndex(int rank, int nameId) {
        Map<Integer, Integer> own = groupOf.get(rank);
        return own == null ? -1 : own.getOrDefault(nameId, -1);
    }

    /** Host of a rank, empty when unknown. */
    public String hostOf(int rank) {
        return hosts.getOrDefault(rank, "");
    }

    /** Ranks read that run on a host. */
    public RankSet ranksOn(String host) {
        return RankSet.of(ranks.stream().filter(r -> host.equals(hosts.get(r))).toArray());
    }

    /** Number of distinct hosts known. */
    public int hostCount() {
        return (int)
                hosts.values().stream().filter(h -> !h.isEmpty()).distinct().count();
    }
}
