package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.model.ParallelGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the members of one parallel group have in common: when nearly all of them are accused of the same, it is one trouble of
 * the group (the replicas of one set of experts, one tensor group), not one of each rank.
 */
final class CommonGroups {
    /** A group is at fault when at least this share of its members is: one of four may be missing or escape the threshold. */
    private static final double GROUP_SHARE = 0.75;

    /** Two ranks are a pair, and too easily two neighbours by chance. */
    private static final int LEAST_MEMBERS = 3;

    private final JobShape shape;

    /**
     * A group that is slow as one.
     *
     * @param group group
     * @param findings what its members are accused of
     */
    record Common(ParallelGroup group, List<WorkFinding> findings) {}

    CommonGroups(JobShape shape) {
        this.shape = shape;
    }

    /** The group with the most accused members, the smaller of two with as many; null when there is none. Cost: the members of all groups. */
    @Nullable
    Common best(List<WorkFinding> findings) {
        Map<Integer, List<WorkFinding>> accused = new LinkedHashMap<>();
        for (WorkFinding f : findings) {
            if (f.weight() == Weight.ACCUSES) {
                accused.computeIfAbsent(f.rank(), r -> new ArrayList<>()).add(f);
            }
        }
        ParallelGroup best = null;
        long most = LEAST_MEMBERS - 1L;
        for (ParallelGroup g : accused.size() < LEAST_MEMBERS ? List.<ParallelGroup>of() : shape.groups()) {
            int size = g.ranks().size();
            if (size < LEAST_MEMBERS || 2 * size > shape.ranks().size()) {
                continue;
            }
            long members = g.ranks().stream().filter(accused::containsKey).count();
            boolean more = members > most
                    || (best != null && members == most && size < best.ranks().size());
            if (more && members >= GROUP_SHARE * size) {
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
