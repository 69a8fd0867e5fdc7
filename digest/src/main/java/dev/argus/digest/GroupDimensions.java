package dev.argus.digest;

import dev.argus.model.ParallelGroup;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which parallel dimension each group is, and the layout that follows.
 *
 * <p>Names of the framework win. Without them: groups that carry sends and receives are pipelines; groups of neighbours on
 * one host beside a wider kind are tensor parallel; what is left is data parallel.
 */
final class GroupDimensions {
    /** Dimension of groups known by their use alone, until all groups are known. */
    static final String POINT_TO_POINT = "p2p";

    /** What people are told of a group that neither a name nor its place in the layout tells anything about; in the glossary. */
    private static final String UNNAMED = "unnamed";

    private final int world;
    private final List<ParallelGroup> groups = new ArrayList<>();
    private final Set<Integer> guessed = new HashSet<>();
    private final boolean inferred;

    GroupDimensions(int world, List<ParallelGroup> declared, Map<Integer, String> hosts, boolean named) {
        this.world = world;
        groups.addAll(declared);
        pipelinesByUse();
        inferred = inferNames(hosts) || !named;
    }

    /** True if a description says that a group spans context ranks where there are some: it is that name's only where no other has the same members. */
    static boolean mayBeContext(@Nullable ProcessGroup pg) {
        return pg != null && pg.description().toUpperCase(Locale.ROOT).contains("WITH_CP");
    }

    /** Dimension by the framework's own description, empty when it does not say. */
    static String declared(@Nullable ProcessGroup pg, boolean whole, boolean pointToPoint) {
        String d = pg == null ? "" : pg.description().toUpperCase(Locale.ROOT);
        if (d.contains("EMBEDDING")) {
            return "embedding";
        }
        if (d.contains("DP_REPLICATE") || d.contains("DP_SHARD")) {
            return "dp";
        }
        if (d.contains("MESH_") && d.length() <= 12) {
            return d.substring(d.indexOf("MESH_") + 5).toLowerCase(Locale.ROOT).replace('_', '-');
        }
        String words = d.contains("PARALLEL") ? ofWords(d) : "";
        if (!words.isEmpty()) {
            return words;
        }
        if (pointToPoint) {
            return POINT_TO_POINT;
        }
        return whole ? "world" : "";
    }

    /** Megatron's words, one dimension each, joined by "-" where a group spans several; {@code WITH_CP} is no dimension. */
    private static String ofWords(String d) {
        boolean expert = d.contains("EXPERT");
        boolean tensor = d.contains("TENSOR");
        boolean pipeline = d.contains("PIPELINE");
        boolean data = d.contains("DATA");
        boolean plainModel = d.startsWith("MODEL_PARALLEL");
        boolean expertsApart = expert && (!tensor || d.contains("MODEL") || d.contains("TENSOR_AND_EXPERT"));
        List<String> parts = new ArrayList<>();
        if (tensor || plainModel) {
            parts.add(expert && d.startsWith("EXPERT") ? "etp" : "tp");
        }
        if (d.contains("CONTEXT")) {
            parts.add("cp");
        }
        if (data) {
            parts.add(expert ? "edp" : "dp");
        } else if (expertsApart) {
            parts.add("ep");
        }
        if (pipeline || plainModel) {
            parts.add("pp");
        }
        return String.join("-", parts);
    }

    /** The groups as people are told of them: one whose name was guessed has the name of its place in the layout, not a word that may be wrong. */
    List<ParallelGroup> shown(Topology layout) {
        List<Topology.Dimension> dimensions = layout.dimensions();
        if (dimensions.stream().filter(d -> d.size() > 1).count() == 1) {
            return named();
        }
        List<ParallelGroup> list = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            ParallelGroup g = groups.get(i);
            list.add(guessed.contains(i) ? new ParallelGroup(place(g, layout), g.ranks()) : g);
        }
        return list;
    }

    private static String place(ParallelGroup g, Topology layout) {
        for (int k = 0; k < layout.dimensions().size(); k++) {
            String name = layout.dimensions().get(k).name();
            if (g.ranks().get(0) < layout.worldSize()
                    && layout.group(g.ranks().get(0), name).equals(g.ranks())) {
                return layout.source().equals("given") ? name : Topology.unnamed(k + 1);
            }
        }
        return UNNAMED;
    }

    /** The groups with their dimensions, guessed where nothing names them. */
    List<ParallelGroup> named() {
        return List.copyOf(groups);
    }

    /** The groups of one dimension. */
    List<RankSet> of(String dimension) {
        return groups.stream()
                .filter(g -> g.dimension().equals(dimension) && g.ranks().size() > 1)
                .map(ParallelGroup::ranks)
                .toList();
    }

    /** Groups that carry sends and receives are pipelines; the group of all ranks only where there is no other. */
    private void pipelinesByUse() {
        boolean others =
                groups.stream().anyMatch(g -> g.ranks().size() > 1 && g.ranks().size() < world);
        for (int i = 0; i < groups.size(); i++) {
            ParallelGroup g = groups.get(i);
            if (g.dimension().equals(POINT_TO_POINT)) {
                groups.set(i, new ParallelGroup(others && g.ranks().size() == world ? "world" : "pp", g.ranks()));
            }
        }
    }

    /** The pipelines: groups of that dimension, joined where neighbours have a group of two each. */
    List<RankSet> pipelines() {
        List<RankSet> joined = new ArrayList<>();
        for (RankSet set : of("pp")) {
            RankSet all = set;
            for (int i = joined.size() - 1; i >= 0; i--) {
                if (!joined.get(i).intersect(all).isEmpty()) {
                    all = all.union(joined.remove(i));
                }
            }
            joined.add(all);
        }
        return joined;
    }

    /** True if a dimension had to be guessed. */
    private boolean inferNames(Map<Integer, String> hosts) {
        int unnamedKinds = (int) groups.stream()
                .filter(g -> g.dimension().isEmpty() && g.ranks().size() > 1)
                .map(g -> stride(g.ranks()))
                .distinct()
                .count();
        boolean dpKnown = groups.stream().anyMatch(g -> g.dimension().equals("dp"));
        boolean tpKnown = groups.stream().anyMatch(g -> g.dimension().equals("tp"));
        for (int i = 0; i < groups.size(); i++) {
            ParallelGroup g = groups.get(i);
            if (g.dimension().isEmpty() && g.ranks().size() > 1) {
                boolean neighbours = stride(g.ranks()) == 1 && oneHost(g.ranks(), hosts);
                boolean tensor = neighbours && !tpKnown && (unnamedKinds > 1 || dpKnown || !of("pp").isEmpty());
                groups.set(i, new ParallelGroup(tensor ? "tp" : "dp", g.ranks()));
                guessed.add(i);
            }
        }
        return !guessed.isEmpty();
    }

    private static boolean oneHost(RankSet ranks, Map<Integer, String> hosts) {
        String first = hosts.getOrDefault(ranks.get(0), "");
        return ranks.stream().allMatch(r -> hosts.getOrDefault(r, first).equals(first));
    }

    /** Distance between neighbours, or 0 when it is not even. */
    private static int stride(RankSet set) {
        int s = set.get(1) - set.get(0);
        for (int i = 2; i < set.size(); i++) {
            if (set.get(i) - set.get(i - 1) != s) {
                return 0;
            }
        }
        return s;
    }

    /** Layout over tp, cp, dp and pp, if the groups agree with one. */
    Topology topology() {
        if (groups.isEmpty()) {
            return Topology.UNKNOWN;
        }
        record Part(String name, int size, int stride) {}
        List<Part> parts = new ArrayList<>();
        int product = 1;
        for (String name : List.of("tp", "cp", "pp")) {
            List<RankSet> sets = (name.equals("pp") ? pipelines() : of(name))
                    .stream()
                            .filter(s -> stride(s) > 0)
                            .sorted(Comparator.comparingInt(RankSet::size).reversed())
                            .toList();
            if (!sets.isEmpty()) {
                parts.add(new Part(name, sets.getFirst().size(), stride(sets.getFirst())));
                product *= sets.getFirst().size();
            }
        }
        if (world <= 0 || world % product != 0) {
            return Topology.UNKNOWN;
        }
        int dp = world / product;
        if (dp > 1) {
            int stride = 1;
            for (Part p : parts) {
                if (p.stride() == stride) {
                    stride *= p.size();
                }
            }
            int dpStride = of("dp").stream()
                    .filter(s -> s.size() == dp)
                    .mapToInt(GroupDimensions::stride)
                    .findFirst()
                    .orElse(0);
            parts.add(new Part("dp", dp, dpStride > 0 ? dpStride : stride));
        }
        parts.sort(Comparator.comparingInt(Part::stride));
        List<Topology.Dimension> dimensions = new ArrayList<>();
        int expected = 1;
        for (Part p : parts) {
            if (p.stride() != expected) {
                return Topology.UNKNOWN;
            }
            expected *= p.size();
            dimensions.add(new Topology.Dimension(p.name(), p.size()));
        }
        return new Topology(dimensions, inferred ? "collectives" : "distributedInfo");
    }
}
