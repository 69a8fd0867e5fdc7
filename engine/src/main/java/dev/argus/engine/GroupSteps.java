package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.model.PackedCollectives;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Divides the collectives of a digest by group; groups unknown to the job are left out. Where those of each group stand together nothing is
 * copied. A rank is in a handful of groups.
 */
final class GroupSteps {
    private static final int UNKNOWN = -1;

    private final JobShape shape;
    private final StepDigest digest;
    private final PackedCollectives all;
    private final Mover mover;

    private GroupSteps(JobShape shape, StepDigest digest) {
        this.shape = shape;
        this.digest = digest;
        this.all = PackedCollectives.of(digest.collectives());
        this.mover = Mover.of(digest);
    }

    static List<GroupStep> of(JobShape shape, StepDigest digest) {
        return new GroupSteps(shape, digest).divide();
    }

    private List<GroupStep> divide() {
        List<GroupStep> steps = new ArrayList<>(2);
        int begin = 0;
        while (begin < all.size()) {
            int end = endOfRun(begin);
            int group = shape.groupIndex(digest.rank(), all.group(begin));
            if (group >= 0) {
                if (knows(steps, group)) {
                    return scattered();
                }
                steps.add(step(group, all.range(begin, end)));
            }
            begin = end;
        }
        return steps;
    }

    /** Behind the last collective in a row with the same name of its group. */
    private int endOfRun(int begin) {
        int name = all.group(begin);
        int end = begin + 1;
        while (end < all.size() && all.group(end) == name) {
            end++;
        }
        return end;
    }

    private static boolean knows(List<GroupStep> steps, int group) {
        for (GroupStep s : steps) {
            if (s.group() == group) {
                return true;
            }
        }
        return false;
    }

    private GroupStep step(int group, PackedCollectives collectives) {
        return new GroupStep(digest.attempt(), group, digest.rank(), digest.step(), mover, collectives);
    }

    /** Of groups whose collectives alternate. */
    private List<GroupStep> scattered() {
        int n = all.size();
        int[] places = new int[n];
        int[] groups = new int[n];
        int[] counts = new int[n];
        int known = 0;
        for (int begin = 0; begin < n; ) {
            int end = endOfRun(begin);
            int group = shape.groupIndex(digest.rank(), all.group(begin));
            int place = group < 0 ? UNKNOWN : 0;
            while (place >= 0 && place < known && groups[place] != group) {
                place++;
            }
            if (place == known) {
                groups[known++] = group;
            }
            Arrays.fill(places, begin, end, place);
            if (place >= 0) {
                counts[place] += end - begin;
            }
            begin = end;
        }
        List<GroupStep> steps = new ArrayList<>(known);
        for (int g = 0; g < known; g++) {
            int[] positions = new int[counts[g]];
            int at = 0;
            for (int i = 0; i < n; i++) {
                if (places[i] == g) {
                    positions[at++] = i;
                }
            }
            steps.add(step(groups[g], all.at(positions)));
        }
        return steps;
    }
}
