package dev.argus.digest;

import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.StepMark;
import java.util.Collection;
import java.util.function.IntPredicate;

/**
 * The newest events of a rank that goes on, as packed rows: taken once as they come, assembled whenever steps have ended, and forgotten when no later step needs them. The digests are those
 * that {@link RankAssembler} makes of the same events.
 *
 * <p>Footprint: 48 bytes for work of the GPU, 24 for a launch, and the ranges of the CPU as they are. Cost of {@link #forget}: linear in what is kept and forgotten. Belongs to one thread.
 */
public final class KeptEvents {
    private final NameKinds kinds;
    private final EventStore store;

    /** Nothing yet. */
    public KeptEvents(NameKinds kinds) {
        this.kinds = kinds;
        this.store = new EventStore(kinds);
    }

    /** Takes work of the GPU. */
    public void gpu(GpuEvent event) {
        store.gpu(event);
    }

    /** Takes a launch. */
    public void launch(LaunchEvent event) {
        store.launch(event);
    }

    /** Takes a range of the CPU. */
    public void span(CpuSpan span) {
        store.span(span);
    }

    /** Events kept. */
    public int size() {
        return store.gpuSize() + store.launchSize() + store.spanSize();
    }

    /**
     * Assembles what is kept; it stays as it is.
     *
     * @param rank global rank to write into the digests
     * @param marks the steps, the one after the last among them
     * @param spansBefore ranges that begin at this time or later are left out, nanoseconds since the epoch
     * @param digests takes the digests
     * @param kernels takes the kernels of the rank's main GPU, grouped by step
     */
    public AssembledTrace assemble(
            int rank, Collection<StepMark> marks, long spansBefore, DigestListener digests, KernelListener kernels) {
        store.steps(marks, spansBefore);
        return RankAssembler.assemble(store, kinds.names(), rank, false, false, digests, kernels);
    }

    /**
     * Keeps what the step after an end needs: work that ends in it and the last that ended before it, for a gap reaches back to that; launches whose work is not over; and ranges around it.
     *
     * @param beforeNanos begin of the step that ended
     * @param endNanos its end
     */
    public void forget(long beforeNanos, long endNanos) {
        long latest = Long.MIN_VALUE;
        int rows = store.gpuSize();
        for (int row = 0; row < rows; row++) {
            long end = store.end(row);
            latest = end < endNanos ? Math.max(latest, end) : latest;
        }
        long from = latest == Long.MIN_VALUE ? endNanos : latest;
        long[] over = new long[rows];
        long[] going = new long[rows];
        int overs = 0;
        int goings = 0;
        for (int row = 0; row < rows; row++) {
            if (store.end(row) < from) {
                over[overs++] = store.correlation(row);
            } else {
                going[goings++] = store.correlation(row);
            }
        }
        Correlations.sort(over, overs);
        Correlations.sort(going, goings);
        int has = overs;
        int still = goings;
        store.keep(
                row -> store.end(row) >= from,
                new IntPredicate() {
                    private int next; // behind the one found last

                    @Override
                    public boolean test(int row) {
                        long end = store.launchEnd(row);
                        return end >= endNanos || (end >= beforeNanos && !isOver(store.launchCorrelation(row)));
                    }

                    private boolean isOver(long correlation) {
                        int at = Correlations.find(over, has, correlation, next);
                        next = at < 0 ? next : at + 1;
                        return at >= 0 && Correlations.find(going, still, correlation, 0) < 0;
                    }
                },
                span -> span.endNanos() >= beforeNanos);
    }
}
