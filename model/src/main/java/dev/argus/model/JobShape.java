package dev.argus.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is known of the shape of one attempt of a job: who runs where, who belongs to which group, who does the same work.
 *
 * <p>Immutable. What is asked for every record (peer set, host, group of a rank) is looked up in tables made once: O(1) where the ranks
 * have no holes, else O(log ranks). Footprint of the tables: 20 bytes a rank.
 */
public final class JobShape {
    private final int attempt;
    private final int worldSize;
    private final RankSet ranks;
    private final Map<Integer, String> hosts;
    private final Map<Integer, Integer> gpuIndex;
    private final Map<Integer, String> gpuModels;
    private final Topology topology;
    private final Topology shownTopology;
    private final List<ParallelGroup> groups;
    private final Map<Integer, Map<Integer, Integer>> groupOf;
    private final List<RankSet> peerSets;
    private final List<String> peerLabels;

    private final RankSet peers;

    /** True when no rank between the first and the last is without peers. */
    private final boolean dense;

    /** By position in {@link #peers}. */
    private final int[] peerSetOf;

    private final Map<String, RankSet> ranksOn;

    /** By rank of the world: a number of its host, 0 where it is unknown; ranks beyond are looked up. */
    private final int[] hostNumbers;

    private final int hostCount;

    /**
     * Of what is known.
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
     * @param peerSets ranks that do the same work: one stage each; a rank of several belongs to the first
     * @param peerLabels what each peer set is, in words: "stage 1 of 4", "all ranks"
     */
    public JobShape(
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
        this.attempt = attempt;
        this.worldSize = worldSize;
        this.ranks = ranks;
        this.hosts = hosts;
        this.gpuIndex = gpuIndex;
        this.gpuModels = gpuModels;
        this.topology = topology;
        this.shownTopology = shown(topology, groups);
        this.groups = groups;
        this.groupOf = groupOf;
        this.peerSets = peerSets;
        this.peerLabels = peerLabels;
        ranksOn = ranksByHost(ranks, hosts);
        Map<String, Integer> numbers = new HashMap<>();
        numbers.put("", 0);
        hostNumbers = new int[Math.clamp(worldSize, 0, hosts.size())];
        hosts.forEach((rank, host) -> {
            int number = numbers.computeIfAbsent(host, h -> numbers.size());
            if (rank >= 0 && rank < hostNumbers.length) {
                hostNumbers[rank] = number;
            }
        });
        hostCount = numbers.size() - 1;
        peers = RankSet.of(peerSets.stream().flatMapToInt(RankSet::stream));
        dense = !peers.isEmpty() && peers.get(peers.size() - 1) - peers.get(0) == peers.size() - 1;
        peerSetOf = new int[peers.size()];
        for (int i = peerSets.size() - 1; i >= 0; i--) {
            int set = i;
            peerSets.get(i).stream().forEach(rank -> peerSetOf[peers.indexOf(rank)] = set);
        }
    }

    private static Map<String, RankSet> ranksByHost(RankSet ranks, Map<Integer, String> hosts) {
        Map<String, int[]> members = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < ranks.size(); i++) {
            String host = hosts.get(ranks.get(i));
            if (host != null) {
                int n = counts.merge(host, 1, Integer::sum);
                int[] known = members.getOrDefault(host, new int[8]);
                int[] room = n > known.length ? Arrays.copyOf(known, 2 * known.length) : known;
                room[n - 1] = ranks.get(i);
                members.put(host, room);
            }
        }
        Map<String, RankSet> sets = new HashMap<>();
        members.forEach((host, list) -> sets.put(host, RankSet.of(Arrays.copyOf(list, counts.getOrDefault(host, 0)))));
        return sets;
    }

    private static Topology shown(Topology topology, List<ParallelGroup> groups) {
        List<Topology.Dimension> dimensions = topology.dimensions();
        boolean stated = topology.source().equals("given") || groups.isEmpty();
        if (stated || dimensions.stream().filter(d -> d.size() > 1).count() < 2) {
            return topology;
        }
        Set<String> named = groups.stream()
                .map(ParallelGroup::dimension)
                .distinct()
                .flatMap(name -> Stream.of(name.split("-", -1)))
                .collect(Collectors.toSet());
        List<Topology.Dimension> shown = new ArrayList<>();
        for (Topology.Dimension d : dimensions) {
            boolean known = d.size() < 2 || named.contains(d.name());
            shown.add(known ? d : new Topology.Dimension(Topology.unnamed(shown.size() + 1), d.size()));
        }
        return new Topology(shown, topology.source());
    }

    /** Attempt of the job. */
    public int attempt() {
        return attempt;
    }

    /** Number of ranks, as far as known. */
    public int worldSize() {
        return worldSize;
    }

    /** Ranks with usable data. */
    public RankSet ranks() {
        return ranks;
    }

    /** Host of each rank read; empty text when unknown. */
    public Map<Integer, String> hosts() {
        return hosts;
    }

    /** GPU index on its host of each rank read, -1 when unknown. */
    public Map<Integer, Integer> gpuIndex() {
        return gpuIndex;
    }

    /** Name of the GPU model of each rank read; empty text when unknown. */
    public Map<Integer, String> gpuModels() {
        return gpuModels;
    }

    /** Layout over dimensions. */
    public Topology topology() {
        return topology;
    }

    /** Process groups, members resolved over all ranks. */
    public List<ParallelGroup> groups() {
        return groups;
    }

    /** Group name id as used by a rank to the position in {@link #groups()}, per rank. */
    public Map<Integer, Map<Integer, Integer>> groupOf() {
        return groupOf;
    }

    /**
     * The layout for people. A name that no group of the records has, and that only stands for what was left over or guessed, is {@link Topology#unnamed} here: two ranks of
     * a context dimension were called data parallel. Sizes and order are the same; where there is one dimension alone, its name is kept.
     */
    public Topology shownTopology() {
        return shownTopology;
    }

    /** Ranks that do the same work: one stage each. */
    public List<RankSet> peerSets() {
        return peerSets;
    }

    /** What each peer set is, in words. */
    public List<String> peerLabels() {
        return peerLabels;
    }

    /** Position of the rank's peer set, or -1. */
    public int peerSetOf(int rank) {
        int at = dense ? rank - peers.get(0) : peers.indexOf(rank);
        return at >= 0 && at < peerSetOf.length ? peerSetOf[at] : -1;
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

    /** True for the first rank of a tensor-parallel group, which by convention loads the data for all of it. */
    public boolean loadsForOthers(int rank) {
        return topology.size("tp") > 1 && topology.coordinate(rank, "tp") == 0;
    }

    /** Host of a rank, empty when unknown. */
    public String hostOf(int rank) {
        return hosts.getOrDefault(rank, "");
    }

    /** True if two ranks are on one host, or on unknown ones both. */
    public boolean onOneHost(int rank, int other) {
        return (Math.min(rank, other) >= 0 && Math.max(rank, other) < hostNumbers.length)
                ? hostNumbers[rank] == hostNumbers[other]
                : hostOf(rank).equals(hostOf(other));
    }

    /** Ranks read that run on a host. */
    public RankSet ranksOn(String host) {
        return ranksOn.getOrDefault(host, RankSet.EMPTY);
    }

    /** Number of distinct hosts known. */
    public int hostCount() {
        return hostCount;
    }
}
