package dev.argus.stacks;

import java.util.EnumMap;
import java.util.Map;

/** Counts what was dropped, by reason. Belongs to one thread; footprint: one long a reason. */
public final class StackLosses {
    private static final StackLoss[] ALL = StackLoss.values();

    private final long[] counts = new long[ALL.length];

    void add(StackLoss loss) {
        add(loss, 1);
    }

    void add(StackLoss loss, long count) {
        counts[loss.ordinal()] += count;
    }

    /** {@return how often since the beginning} */
    public long count(StackLoss loss) {
        return counts[loss.ordinal()];
    }

    /** {@return all of them together} */
    public long total() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    /** {@return the reasons that occurred, with their counts} */
    public Map<StackLoss, Long> counts() {
        Map<StackLoss, Long> found = new EnumMap<>(StackLoss.class);
        for (StackLoss loss : ALL) {
            if (count(loss) > 0) {
                found.put(loss, count(loss));
            }
        }
        return found;
    }

    @Override
    public String toString() {
        return counts().toString();
    }
}
