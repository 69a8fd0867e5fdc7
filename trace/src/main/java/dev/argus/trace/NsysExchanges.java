package dev.argus.trace;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.NameTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Send-and-receive kernels in which all ranks of a file exchange with all: an all-to-all is nothing else to NCCL, and no name tells it from
 * a transfer along a pipeline. The clock does, for all ranks of one file share it: every rank has as many of these kernels, the i-th of
 * all overlap, and they end together, because each waits for the last to come.
 */
final class NsysExchanges {
    /** How far apart the ends of one exchange are on a healthy host: launch and polling of kernels. */
    private static final long SAME_END_NANOS = 50_000;

    /** The clock of the GPUs is read every now and then: a few ends may be off. */
    private static final double MOST = 0.9;

    private static final int MAX_KERNELS = 1 << 20;

    private final Map<NsysParts.Rank, List<long[]>> found = new LinkedHashMap<>();
    private int size;
    private boolean all;
    private int group = -1;
    private int members = -1;

    /** Looks at all kernels of the file. */
    static NsysExchanges of(NsysRows rows, NsysParts parts, NsysEvents.Namer namer, NameTable names)
            throws SQLException {
        NsysExchanges exchanges = new NsysExchanges();
        if (parts.ranks().size() > 1) {
            List<String> columns =
                    List.of("start", "end", "deviceId", "globalPid", "demangledName", "shortName", "mangledName");
            rows.each(NsysEvents.KERNELS, columns, (v, row) -> {
                NsysParts.Rank rank = parts.of(v[3], Ids.of(v[2], -1));
                if (rank != null && namer.of(v[4], v[5], v[6]).op == CollectiveOp.SEND_RECV) {
                    exchanges.add(rank, v[0], v[1]);
                }
            });
            exchanges.decide(parts, names);
        }
        return exchanges;
    }

    private void add(NsysParts.Rank rank, long start, long end) {
        if (size++ < MAX_KERNELS && start >= 0 && end >= start) {
            found.computeIfAbsent(rank, r -> new ArrayList<>()).add(new long[] {start, end});
        }
    }

    private void decide(NsysParts parts, NameTable names) {
        List<NsysParts.Rank> ranks = parts.ranks();
        int n = found.getOrDefault(ranks.getFirst(), List.of()).size();
        if (n == 0
                || size > MAX_KERNELS
                || ranks.stream().anyMatch(r -> found.getOrDefault(r, List.of()).size() != n)) {
            return;
        }
        found.values().forEach(list -> list.sort(Comparator.comparingLong(k -> k[0])));
        int together = 0;
        for (int i = 0; i < n; i++) {
            together += together(i) ? 1 : 0;
        }
        all = together >= MOST * n;
        if (all) {
            int[] numbers = ranks.stream().mapToInt(r -> r.number).toArray();
            group = names.id("exchange of all ranks of a file");
            members = names.id(Arrays.toString(numbers));
        }
    }

    private boolean together(int i) {
        long lastStart = Long.MIN_VALUE;
        long firstEnd = Long.MAX_VALUE;
        long lastEnd = Long.MIN_VALUE;
        for (List<long[]> list : found.values()) {
            lastStart = Math.max(lastStart, list.get(i)[0]);
            firstEnd = Math.min(firstEnd, list.get(i)[1]);
            lastEnd = Math.max(lastEnd, list.get(i)[1]);
        }
        return lastStart < firstEnd && lastEnd - firstEnd <= SAME_END_NANOS;
    }

    /** The call behind a send-and-receive kernel of a rank; null if it is no exchange of all. */
    @Nullable
    CollectiveCall call(NsysParts.Rank rank, long start) {
        List<long[]> list = found.get(rank);
        if (!all || list == null) {
            return null;
        }
        int low = 0;
        int high = list.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (list.get(middle)[0] < start) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return list.get(low)[0] == start
                ? new CollectiveCall(CollectiveOp.ALL_TO_ALL, group, low, -1, -1, found.size(), members)
                : null;
    }
}
