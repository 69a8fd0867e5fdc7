package dev.argus.digest;

import dev.argus.model.Gap;
import dev.argus.model.OwnTime;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.List;

/** What is being added up for one step of one rank. */
final class StepAccount {
    long computeNanos;
    long copyNanos;
    long exposedCommNanos;
    long idleNanos;
    long hostIdleNanos;
    private final List<Gap> gaps = new ArrayList<>();

    OwnTime own() {
        return new OwnTime(computeNanos, copyNanos, exposedCommNanos, idleNanos, hostIdleNanos);
    }

    /** Keeps the gap if it is among the longest. */
    void gap(Gap gap) {
        int at = gaps.size();
        while (at > 0 && gaps.get(at - 1).durationNanos() < gap.durationNanos()) {
            at--;
        }
        if (at < StepDigest.MAX_GAPS) {
            gaps.add(at, gap);
            if (gaps.size() > StepDigest.MAX_GAPS) {
                gaps.removeLast();
            }
        }
    }

    /** The shortest gap worth keeping now. */
    long gapFloorNanos() {
        return gaps.size() < StepDigest.MAX_GAPS ? 0 : gaps.getLast().durationNanos();
    }

    List<Gap> gaps() {
        return List.copyOf(gaps);
    }
}
