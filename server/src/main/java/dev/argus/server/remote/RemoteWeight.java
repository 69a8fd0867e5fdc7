package dev.argus.server.remote;

import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What values out of topics take in memory, bytes: a little more rather than less. Cost: linear in the parts, not in characters or ranks. */
final class RemoteWeight {
    private static final long OBJECT = 64;
    private static final long PER_CHAR = 2;
    private static final long PER_ENTRY = 96;

    private RemoteWeight() {}

    /** An incident; the few words of the contract weigh nothing. */
    static long of(Incident i) {
        long sum = 4 * OBJECT
                + of(i.id())
                + of(i.ranks())
                + texts(i.hosts())
                + texts(i.kernels())
                + of(i.summary())
                + of(i.explanation())
                + of(i.advice());
        for (GpuRef gpu : i.gpus()) {
            sum += OBJECT + of(gpu.host()) + of(gpu.uuid());
        }
        for (ParallelGroup group : i.groups()) {
            sum += OBJECT + of(group.dimension()) + of(group.ranks());
        }
        for (Evidence row : i.evidence()) {
            sum += OBJECT + of(row.what()) + of(row.unit()) + of(row.reference());
        }
        return sum;
    }

    /** Metrics without which ranks report. */
    static long of(RemoteMetrics m) {
        long sum = 4 * OBJECT + of(m.job()) + texts(m.notes());
        for (Map.Entry<String, Long> loss : m.losses().entrySet()) {
            sum += PER_ENTRY + of(loss.getKey());
        }
        return sum;
    }

    /** A set of ranks. */
    static long of(RankSet ranks) {
        return OBJECT + (long) Integer.BYTES * ranks.size();
    }

    /** A text. */
    static long of(@Nullable String text) {
        return text == null ? 0 : OBJECT + PER_CHAR * text.length();
    }

    private static long texts(Collection<String> texts) {
        long sum = OBJECT;
        for (String text : texts) {
            sum += of(text);
        }
        return sum;
    }
}
