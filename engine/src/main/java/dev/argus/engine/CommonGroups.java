package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What ranks that belong together have in common: when nearly all members of a parallel group, or of a replica of the model,
 * are accused of the same, it is one trouble of theirs, not one of each rank.
 */
final class CommonGroups {
    /** The dimension of a replica, which is no process group. */
    static final String REPLICA = "replica";

    /** A group is at fault when at least this share of its members is: one of four may be missing or escape the threshold. */
    private static final double GROUP_SHARE = 0.75;

    /** Two ranks are a pair, and too easily two neighbours by chance. */
    private static final int LEAST_MEMBERS = 3;

    private final JobShape shape;
    private final List<ParallelGroup> sets;

    /**
     * A group that is slow as one.
     *
     * @param group group
     * @param findings what its members are accused of
     */
    record Common(ParallelGroup group, List<WorkFinding> findings) {}

    CommonGroups(JobShape shape) {
        this.shape = shape;
        this.sets = new ArrayList<>(shape.groups());
        sets.addAll(replicas(shape));
        sets.removeIf(g -> g.ranks().size() < LEAST_MEMBERS
                || 2 * g.ranks().size() > shape.ranks().size());
    }

    /** Ranks with the same coordinate of the data dimension: one copy of the model. */
    private static List<ParallelGroup> replicas(JobShape shape) {
        if (shape.topology().size("dp") < 2 || shape.topology().worldSize() != shape.worldSize()) {
            return List.of();
        }
        Map<Integer, List<Integer>> byCopy = new TreeMap<>();
        shape.ranks().stream()
                .forEach(r -> byCopy.computeIfAbsent(shape.topology().coordinate(r, "dp"), c -> new ArrayList<>())
                        .add(r));
        return byCopy.values().stream()
                .map(list -> new ParallelGroup(
                        REPLICA, RankSet.of(list.stream().mapToInt(r -> r).toArray())))
                .toList();
    }

    /** The group with the most accused members, the smaller of two with as many; null when there is none. Cost: the members of all groups. */
    @Nullable
    Common best(List<WorkFinding> findings) {
        return best(accused(findings), GROUP_SHARE);
    }

    /** The same of those that are accused as a whole and live on several hosts: no host explains as much. */
    @Nullable
    Common wholeAcrossHosts(List<WorkFinding> findings) {
        Common best = best(accused(findings), 1);
        return best == null || hosts(best.group().ranks()) < 2 ? null : best;
    }

    private int hosts(RankSet ranks) {
        TreeSet<String> hosts = new TreeSet<>();
        ranks.stream().forEach(r -> hosts.add(shape.hostOf(r)));
        hosts.remove("");
        return hosts.size();
    }

    private static Map<Integer, List<WorkFinding>> accused(List<WorkFinding> findings) {
        Map<Integer, List<WorkFinding>> accused = new LinkedHashMap<>();
        for (WorkFinding f : findings) {
            if (f.weight() == Weight.ACCUSES) {
                accused.computeIfAbsent(f.rank(), r -> new ArrayList<>()).add(f);
            }
        }
        return accused;
    }

    private @Nullable Common best(Map<Integer, List<WorkFinding>> accused, double share) {
        ParallelGroup best = null;
        long most = LEAST_MEMBERS - 1L;
        for (ParallelGroup g : accused.size() < LEAST_MEMBERS ? List.<ParallelGroup>of() : sets) {
            int size = g.ranks().size();
            long members = g.ranks().stream().filter(accused::containsKey).count();
            boolean more = members > most
                    || (best != null && members == most && size < best.ranks().size());
            if (more && members >= share * size) {
                best = g;
                most = members;
            }
        }
        if (best == null) {
            return null;
        }
        List<WorkFinding> own = new ArrayList<>();
        best.ranks().stream().forEach(r -> own.addAll(accused.getOrDefault(r, List.of())));
        return new Common(best, List.copyOf(own));
    }
}
