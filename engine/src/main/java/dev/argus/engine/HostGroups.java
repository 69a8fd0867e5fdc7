package dev.argus.engine;

import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.ParallelGroup;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a host's digests leaves it: groups whose members all sit on one host are matched there, by the same {@code GroupWaits} that matches the others, and
 * only what came of it is shipped; thousands of tensor-parallel collectives a step would not fit.
 */
public final class HostGroups {
    private final JobShape shape;
    private final boolean[] local;

    /** For one attempt. */
    public HostGroups(JobShape shape) {
        this.shape = shape;
        local = new boolean[shape.groups().size()];
        for (int g = 0; g < local.length; g++) {
            ParallelGroup group = shape.groups().get(g);
            String host = shape.hostOf(group.ranks().get(0));
            local[g] = !host.isEmpty()
                    && group.ranks().stream().allMatch(r -> shape.hostOf(r).equals(host));
        }
    }

    /** True if all members of a group sit on one host that is known. */
    public boolean isLocal(int group) {
        return local[group];
    }

    /** The digest without the collectives of groups inside the host. */
    public StepDigest shipped(StepDigest d) {
        List<CollectiveStat> left = new ArrayList<>();
        for (CollectiveStat c : d.collectives()) {
            int group = shape.groupIndex(d.rank(), c.group());
            if (group < 0 || !local[group]) {
                left.add(c);
            }
        }
        return d.with(left);
    }
}
