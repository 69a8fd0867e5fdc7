package dev.argus.digest;

import dev.argus.model.CpuSpan;
import dev.argus.model.Gap;
import dev.argus.model.NameTable;
import dev.argus.model.Phase;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * In which ranges a rank without GPU does nothing for its training: it waits for data, or for what {@link StallWords#STALL} names.
 *
 * <p>There may be many short ones in a step, so those of one name are one gap: as long as they are together, from where the first begins.
 */
final class CpuGaps {
    private final List<CpuSpan> stalls = new ArrayList<>();
    private final List<CpuSpan> all = new ArrayList<>();
    private final long[] latestEnd;
    private final NameTable names;

    CpuGaps(List<CpuSpan> spans, NameTable names) {
        this.names = names;
        for (CpuSpan s : spans) {
            if (s.collective() != null || s.kind() == SpanKind.GPU_ANNOTATION) {
                continue;
            }
            String name = names.name(s.name());
            if (StallWords.isStall(name)) {
                stalls.add(s);
                all.add(s);
            } else if (s.kind() == SpanKind.ANNOTATION && Phases.of(name) == Phase.DATA_LOADING) {
                all.add(s);
            }
        }
        stalls.sort(Comparator.comparingLong(CpuSpan::startNanos));
        all.sort(Comparator.comparingLong(CpuSpan::startNanos));
        latestEnd = new long[all.size()];
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < latestEnd.length; i++) {
            latest = Math.max(latest, all.get(i).endNanos());
            latestEnd[i] = latest;
        }
    }

    /** The union of the stalls and of other ranges. */
    Intervals with(Intervals others) {
        Intervals union = new Intervals();
        int at = 0;
        for (CpuSpan s : stalls) {
            for (; at < others.size() && others.start(at) <= s.startNanos(); at++) {
                union.add(others.start(at), others.end(at));
            }
            union.add(s.startNanos(), s.endNanos());
        }
        for (; at < others.size(); at++) {
            union.add(others.start(at), others.end(at));
        }
        return union;
    }

    /** The gaps in [start, end), longest first, at most {@value StepDigest#MAX_GAPS}. */
    List<Gap> of(long start, long end) {
        Map<Integer, Gap> byName = new LinkedHashMap<>();
        Map<Integer, Long> endOf = new LinkedHashMap<>();
        for (int i = first(start); i < all.size() && all.get(i).startNanos() < end; i++) {
            CpuSpan s = all.get(i);
            long from = Math.max(Math.max(start, s.startNanos()), endOf.getOrDefault(s.name(), Long.MIN_VALUE));
            long to = Math.min(end, s.endNanos());
            if (to <= from) {
                continue;
            }
            endOf.put(s.name(), to);
            boolean input = !StallWords.isStall(names.name(s.name()));
            Gap before = byName.get(s.name());
            byName.put(
                    s.name(),
                    new Gap(
                            before == null ? from : before.startNanos(),
                            to - from + (before == null ? 0 : before.durationNanos()),
                            true,
                            input,
                            false,
                            s.name(),
                            s.kind()));
        }
        return byName.values().stream()
                .sorted(Comparator.comparingLong(Gap::durationNanos).reversed().thenComparingLong(Gap::startNanos))
                .limit(StepDigest.MAX_GAPS)
                .toList();
    }

    /** Position of the first range that may reach beyond a time. */
    private int first(long time) {
        int low = 0;
        int high = latestEnd.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (latestEnd[middle] > time) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
