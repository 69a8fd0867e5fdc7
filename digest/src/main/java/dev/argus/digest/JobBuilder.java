package dev.argus.digest;

import dev.argus.model.CommunicatorTrail;
import dev.argus.model.GroupUse;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.ParallelGroup;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.model.TraceHeader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what the ranks of one attempt say about the job: who is where, the groups, the layout, the peers.
 *
 * <p>Each rank knows its own groups only, and prints long member lists with "..." inside; so the sets are merged over all ranks.
 * The same group name may mean different sets on different ranks: a group is its set of members.
 *
 * <p>Not thread-safe. Cost: O(ranks x groups of a rank).
 */
public final class JobBuilder {
    /** No job has more ranks; larger numbers are damage. */
    public static final int MAX_WORLD = 1 << 20;

    private final NameTable names;
    private final int attempt;
    private final Map<Integer, RankDeclaration> declarations = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private Map<Print, RankSet> printers = Map.of();
    private Communicators communicators = new Communicators(Map.of(), Map.of(), 0);

    /** For one attempt. */
    public JobBuilder(int attempt, NameTable names) {
        this.attempt = attempt;
        this.names = names;
    }

    /** Adds what one rank's trace said. */
    public void add(int rank, TraceHeader header, AssembledTrace trace) {
        add(trace.declaration(attempt, rank, header, ""));
    }

    /** Adds what one rank declares, instead of what it declared before. */
    public void add(RankDeclaration declaration) {
        declarations.put(declaration.rank(), declaration);
    }

    /** Sentences about what was contradictory or had to be inferred; complete after {@link #build}. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * The shape.
     *
     * @param given layout stated by the user, or null
     */
    public JobShape build(@Nullable Topology given) {
        int world = 0;
        Map<Integer, String> hosts = new TreeMap<>();
        Map<Integer, Integer> gpuIndex = new TreeMap<>();
        Map<Integer, String> gpuModels = new TreeMap<>();
        for (Map.Entry<Integer, RankDeclaration> e : declarations.entrySet()) {
            TraceHeader h = e.getValue().header();
            int stated = h.worldSize() > MAX_WORLD ? -1 : h.worldSize();
            if (stated != h.worldSize()) {
                notes.add("rank " + e.getKey() + " states a world of " + h.worldSize() + " ranks, expected at most "
                        + MAX_WORLD + "; it is not believed");
            }
            world = Math.max(world, Math.max(stated, e.getKey() + 1));
            hosts.put(e.getKey(), hostOf(e.getKey(), h));
            gpuModels.put(e.getKey(), h.gpuModel());
            gpuIndex.put(e.getKey(), e.getValue().gpuIndex());
        }
        RankSet ranks =
                RankSet.of(declarations.keySet().stream().mapToInt(r -> r).toArray());
        List<ParallelGroup> groups = new ArrayList<>();
        Map<Integer, List<CommunicatorTrail>> trails = new TreeMap<>();
        declarations.forEach((rank, d) -> trails.put(rank, d.trails()));
        communicators = new Communicators(trails, hosts, world);
        Map<Integer, Map<Integer, Integer>> groupOf = resolveGroups(world, groups);
        GroupDimensions dimensions = new GroupDimensions(world, groups, hosts, declaresGroups());
        Topology topology =
                given != null && holds(given, world, groups, dimensions.named()) ? given : dimensions.topology();
        List<RankSet> peerSets = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        new Peers(ranks, topology, dimensions, declarations).fill(peerSets, labels);
        return new JobShape(
                attempt,
                world,
                ranks,
                hosts,
                gpuIndex,
                gpuModels,
                topology,
                dimensions.shown(topology),
                groupOf,
                peerSets,
                labels);
    }

    /** @param named the groups again, with dimensions inferred where the traces state none */
    private boolean holds(Topology given, int world, List<ParallelGroup> groups, List<ParallelGroup> named) {
        if (given.worldSize() != world) {
            notes.add("--topology describes " + given.worldSize() + " ranks, the traces say the job has " + world
                    + "; the option is not used: state every dimension, fastest first");
            return false;
        }
        for (int i = 0; i < groups.size(); i++) {
            String dimension = groups.get(i).dimension();
            String stated = dimension.equals(GroupDimensions.POINT_TO_POINT) ? "pp" : dimension;
            ParallelGroup g = named.get(i);
            boolean telling = g.dimension().equals("tp") || g.dimension().equals("pp");
            if (telling && g.ranks().size() < world && !agrees(given, stated, g.ranks())) {
                notes.add("--topology contradicts the traces: they have a group of ranks " + g.ranks() + " ("
                        + g.dimension()
                        + "), which is no such group of the layout given; the option is not used: check sizes and order,"
                        + " fastest first");
                return false;
            }
        }
        return true;
    }

    /** True if the layout has the group: under its own name where the traces state one, else anywhere. */
    private static boolean agrees(Topology given, String stated, RankSet set) {
        if (given.size(stated) > 1) {
            RankSet expected = given.group(set.get(0), stated);
            return expected.equals(set) || (stated.equals("pp") && expected.containsAll(set));
        }
        return combination(given, set);
    }

    /** True if the set is a product of whole dimensions. */
    private static boolean combination(Topology t, RankSet set) {
        int product = 1;
        for (Topology.Dimension d : t.dimensions()) {
            int c = t.coordinate(set.get(0), d.name());
            if (set.stream().anyMatch(r -> t.coordinate(r, d.name()) != c)) {
                product *= d.size();
            }
        }
        return product == set.size();
    }

    private boolean declaresGroups() {
        return declarations.values().stream().anyMatch(d -> !d.header().groups().isEmpty());
    }

    private static String hostOf(int rank, TraceHeader h) {
        if (!h.host().isEmpty()) {
            return h.host();
        }
        return h.gpusPerHost() > 1 ? "host" + rank / h.gpusPerHost() : "";
    }

    /** Merges declared and printed groups; fills {@code groups} and returns (rank, name id) to position. */
    private Map<Integer, Map<Integer, Integer>> resolveGroups(int world, List<ParallelGroup> groups) {
        Map<RankSet, Integer> byMembers = new LinkedHashMap<>();
        Map<Integer, Map<Integer, Integer>> groupOf = new HashMap<>();
        List<Integer> known = new ArrayList<>();
        printers = printers(declarations);
        for (Map.Entry<Integer, RankDeclaration> e : declarations.entrySet()) {
            int rank = e.getKey();
            Map<String, ProcessGroup> declared = new HashMap<>();
            e.getValue().header().groups().forEach(g -> declared.put(g.name(), g));
            List<GroupUse> uses = e.getValue().groups();
            Map<Integer, Integer> own = new HashMap<>();
            for (GroupUse use : uses) {
                ProcessGroup pg = declared.get(names.name(use.group()));
                RankSet members = members(rank, use, pg, world);
                if (members.isEmpty()) {
                    continue;
                }
                String dimension = GroupDimensions.declared(pg, members.size() == world, use.pointToPoint());
                boolean guessed = GroupDimensions.declared(pg, false, false).isEmpty();
                int telling = telling(dimension, guessed || GroupDimensions.mayBeContext(pg));
                Integer at = byMembers.get(members);
                if (at == null) {
                    at = groups.size();
                    byMembers.put(members, at);
                    groups.add(new ParallelGroup(dimension, members));
                    known.add(telling);
                } else if (telling > known.get(at)) {
                    groups.set(at, new ParallelGroup(dimension, members));
                    known.set(at, telling);
                }
                own.put(use.group(), at);
            }
            groupOf.put(rank, own);
            declared.values().forEach(pg -> rename(pg, byMembers, groups, known));
        }
        return groupOf;
    }

    /** A group that no collective was seen of may still say what the same ranks are called. */
    private static void rename(
            ProcessGroup pg, Map<RankSet, Integer> byMembers, List<ParallelGroup> groups, List<Integer> known) {
        Integer at = pg.complete() ? byMembers.get(pg.ranks()) : null;
        String dimension = at == null ? "" : GroupDimensions.declared(pg, false, false);
        int telling = telling(dimension, GroupDimensions.mayBeContext(pg));
        if (at != null && telling > known.get(at)) {
            groups.set(at, new ParallelGroup(dimension, pg.ranks()));
            known.set(at, telling);
        }
    }

    /** How much a name says: one set may be the embedding's group, tensor and context together, and the pipeline's. */
    private static int telling(String dimension, boolean guessed) {
        if (dimension.isEmpty()) {
            return 0;
        }
        if (guessed || dimension.equals("embedding")) {
            return 1;
        }
        return dimension.contains("-") ? 2 : 3;
    }

    private RankSet members(int rank, GroupUse use, @Nullable ProcessGroup pg, int world) {
        if (GroupUses.isUnnamed(names.name(use.group()))) {
            RankSet met = communicators.members(rank, use.group());
            return met.isEmpty() && oneUnnamedGroup(use.calls()) ? RankSet.range(0, world - 1) : met;
        }
        if (pg != null && pg.complete() && !pg.ranks().isEmpty()) {
            return pg.ranks();
        }
        if (use.members() >= 0) {
            RankSet printed = RankLists.parse(names.name(use.members()));
            if (printed != null) {
                return printed;
            }
        }
        if (use.size() == world || (pg != null && pg.size() == world)) {
            return RankSet.range(0, world - 1);
        }
        RankSet declared = otherRanksView(rank, use);
        return declared.isEmpty() ? samePrint(use) : declared;
    }

    /** The ranks that print the same cut list for a group of the same name, when they are as many as it has members. */
    private RankSet samePrint(GroupUse use) {
        RankSet users = printers.getOrDefault(new Print(use.group(), use.members()), RankSet.EMPTY);
        return use.members() >= 0 && users.size() == use.size() ? users : RankSet.EMPTY;
    }

    private static Map<Print, RankSet> printers(Map<Integer, RankDeclaration> declarations) {
        Map<Print, List<Integer>> ranks = new HashMap<>();
        declarations.forEach((rank, d) -> d.groups()
                .forEach(u -> ranks.computeIfAbsent(new Print(u.group(), u.members()), p -> new ArrayList<>())
                        .add(rank)));
        Map<Print, RankSet> sets = new HashMap<>();
        ranks.forEach((print, list) ->
                sets.put(print, RankSet.of(list.stream().mapToInt(r -> r).toArray())));
        return sets;
    }

    private record Print(int group, int members) {}

    /**
     * True if no rank names any group, each has a single communicator, and all made the same number of calls: then it is the
     * communicator of all.
     */
    private boolean oneUnnamedGroup(long calls) {
        boolean stated = declarations.values().stream().anyMatch(d -> d.header().worldSize() > 0);
        int highest = declarations.keySet().stream().mapToInt(r -> r).max().orElse(0);
        if (!stated && declarations.size() < highest + 1) {
            return false;
        }
        for (RankDeclaration t : declarations.values()) {
            boolean same = t.groups().size() == 1
                    && GroupUses.isUnnamed(names.name(t.groups().getFirst().group()))
                    && Math.abs(t.groups().getFirst().calls() - calls) <= 0.02 * calls;
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /** A set that another rank declares completely under the same name and size, if it holds this rank. */
    private RankSet otherRanksView(int rank, GroupUse use) {
        String name = names.name(use.group());
        for (RankDeclaration d : declarations.values()) {
            for (ProcessGroup g : d.header().groups()) {
                boolean same =
                        g.name().equals(name) && g.complete() && g.ranks().contains(rank);
                if (same && (use.size() < 0 || use.size() == g.ranks().size())) {
                    return g.ranks();
                }
            }
        }
        return RankSet.EMPTY;
    }
}
