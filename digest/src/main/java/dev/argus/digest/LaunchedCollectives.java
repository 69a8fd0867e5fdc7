package dev.argus.digest;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CpuSpan;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import org.jspecify.annotations.Nullable;

/**
 * Which collective a kernel belongs to that does not say so itself: the one whose call on the CPU contains its launch, as in step digests.
 *
 * <p>Launches and calls come in any order, then questions. Footprint: 24 bytes a launch. Not thread-safe.
 */
public final class LaunchedCollectives {
    private final EventStore store;
    private @Nullable LaunchIndex launches;
    private @Nullable SpanIndex calls;

    /** @param names names of the events */
    public LaunchedCollectives(NameTable names) {
        this.store = new EventStore(new NameKinds(names));
    }

    /** Takes a launch. */
    public void launch(LaunchEvent event) {
        launches = null;
        store.launch(event);
    }

    /** Takes a range; those that are no call of a collective of a known group on the CPU are not kept. */
    public void span(CpuSpan span) {
        if (GpuRank.isIdentified(span)) {
            calls = null;
            store.span(span);
        }
    }

    /**
     * The collective of a kernel, or null.
     *
     * @param correlation that of the kernel and its launch
     */
    public @Nullable CollectiveCall of(long correlation) {
        LaunchIndex known = launches;
        if (known == null) {
            known = new LaunchIndex(store);
            launches = known;
        }
        SpanIndex over = calls;
        if (over == null) {
            over = new SpanIndex(store.spans(), GpuRank::isIdentified);
            calls = over;
        }
        long launch = known.start(correlation);
        CpuSpan span = launch == LaunchIndex.UNKNOWN ? null : over.containing(launch);
        return span == null ? null : span.collective();
    }
}
