package dev.argus.agent.feed;

import dev.argus.model.CpuSpan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Named ranges that have begun and not ended, outermost first; of more than {@value #MOST} the innermost are not kept. */
final class OpenRanges {
    static final int MOST = 64;

    private final List<Range> open = new ArrayList<>();

    /**
     * One range.
     *
     * @param name name id
     * @param sinceNanos its begin
     */
    record Range(int name, long sinceNanos) {}

    void begun(int name, long startNanos) {
        if (open.size() < MOST) {
            open.add(new Range(name, startNanos));
        }
    }

    /** A range has ended, and with it whatever has begun inside it and was never ended. */
    void ended(CpuSpan span) {
        for (int i = open.size() - 1; i >= 0; i--) {
            Range r = open.get(i);
            if (r.name() == span.name() && r.sinceNanos() == span.startNanos()) {
                open.subList(i, open.size()).clear();
                return;
            }
        }
    }

    @Nullable
    Range innermost() {
        return open.isEmpty() ? null : open.getLast();
    }
}
