package dev.argus.simulator;

import java.util.ArrayList;
import java.util.List;

/** How long the recorded steps of a job took: all that is kept of what would have been without a fault. 16 bytes a step. */
final class StepTimes {
    private final double world;
    private final List<Long> begins = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();

    StepTimes(int world) {
        this.world = world;
    }

    /** Adds the next step: one entry a rank. */
    void add(List<RankStep> ranks) {
        long begin = 0;
        long end = 0;
        for (RankStep rank : ranks) {
            begin += rank.begin();
            end += rank.finish();
        }
        begins.add(begin);
        ends.add(end);
    }

    /** Duration of a step, mean over the ranks, from its begin to the next one's; of the last, to its mark's end. */
    double nanos(int position) {
        long end = position + 1 < begins.size() ? begins.get(position + 1) : ends.get(position);
        return (end - begins.get(position)) / world;
    }

    /** Duration of all steps. */
    double total() {
        double sum = 0;
        for (int i = 0; i < begins.size(); i++) {
            sum += nanos(i);
        }
        return sum;
    }
}
