package dev.argus.digest;

import dev.argus.model.CpuSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Ranges of the CPU by start, to ask what lay over a time. */
final class SpanIndex {
    /** A range explains a gap when it covers at least this share of it. */
    private static final double COVER_SHARE = 0.6;

    private final List<CpuSpan> spans;
    private final long[] latestEnd;

    SpanIndex(List<CpuSpan> all, Predicate<CpuSpan> wanted) {
        spans = new ArrayList<>();
        for (CpuSpan s : all) {
            if (wanted.test(s)) {
                spans.add(s);
            }
        }
        spans.sort((a, b) -> Long.compare(a.startNanos(), b.startNanos()));
        latestEnd = new long[spans.size()];
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < latestEnd.length; i++) {
            latest = Math.max(latest, spans.get(i).endNanos());
            latestEnd[i] = latest;
        }
    }

    /** The shortest range that covers most of [from, to), or null. */
    @Nullable
    CpuSpan cover(long from, long to) {
        CpuSpan best = null;
        for (int i = lastStartingBefore(to); i >= 0 && latestEnd[i] > from; i--) {
            CpuSpan s = spans.get(i);
            long overlap = Math.min(to, s.endNanos()) - Math.max(from, s.startNanos());
            boolean explains = overlap >= COVER_SHARE * (to - from);
            if (explains && (best == null || s.durationNanos() < best.durationNanos())) {
                best = s;
            }
        }
        return best;
    }

    /** The shortest range that contains the time, or null. */
    @Nullable
    CpuSpan containing(long time) {
        CpuSpan best = null;
        for (int i = lastStartingBefore(time + 1); i >= 0 && latestEnd[i] > time; i--) {
            CpuSpan s = spans.get(i);
            if (s.endNanos() > time && (best == null || s.durationNanos() < best.durationNanos())) {
                best = s;
            }
        }
        return best;
    }

    List<CpuSpan> spans() {
        return spans;
    }

    private int lastStartingBefore(long time) {
        int low = 0;
        int high = spans.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (spans.get(middle).startNanos() < time) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }
}
