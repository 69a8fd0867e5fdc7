package dev.argus.agent.feed;

import dev.argus.digest.NameKinds;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CpuSpan;
import dev.argus.model.FlightRecord;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.KernelClass;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * How far the GPU of a rank is behind its CPU: what was launched and not reported, which collectives are therefore open, and whether all of a step has been told.
 *
 * <p>Ends of GPU work are told late: a buffer of CUPTI comes when all in it has ended, which may be seconds later; events of a framework are asked after a step. So that nothing was
 * told means nothing by itself. What means something: work launched later has ended, or the producer says that everything that had ended by a time has been told.
 *
 * <p>A process that tells nothing of its GPU is taken at its word: its calls end when they return.
 *
 * <p>State: {@link InFlight}, {@link GpuLaunches} and {@link GraphLaunches}. Cost: constant for each event.
 */
final class GpuWatch {
    /** How long a step waits for what its threads report after it. */
    static final long CPU_SETTLE_NANOS = 100_000_000L;

    /** How long a step waits for work of the GPU that others overtook. */
    static final long GPU_SETTLE_NANOS = 2_000_000_000L;

    /** How long a step waits for work of the GPU at all: less than others wait for its rank. */
    static final long GPU_LATEST_NANOS = 8_000_000_000L;

    /** Nothing heard of the GPU for so long while steps go on: nothing will be heard. */
    private static final long NEVER_NANOS = 60_000_000_000L;

    /** A GPU that ended a kernel of its own so lately is at work, though its CPU has been silent for longer. */
    private static final long WORKING_NANOS = 5_000_000_000L;

    /** Threads from this on are none: lanes, on which the Python producer places what runs on the host beside threads. */
    private static final int LANES = 0x80_0000;

    private final NameKinds kinds;
    private final GpuLaunches launches = new GpuLaunches();
    private final InFlight flight;

    /** Something was told of its GPU. */
    private boolean heard;

    /** Ends of work are told in a way that tells which calls they end. */
    private boolean joins;

    private long joinedNanos = Long.MIN_VALUE;
    private long newestStart = Long.MIN_VALUE;

    /** Launch of the newest kernel of its own that ended, and that end. */
    private long reached = Long.MIN_VALUE;

    private long workedNanos = Long.MIN_VALUE / 2; // so that differences of times do not overflow
    private long workingSince;
    private long overUntil = Long.MIN_VALUE;
    private long newestMark = Long.MIN_VALUE;
    private long reportedUntil;
    private long lostNanos = Long.MIN_VALUE;
    private int stepsSinceLoss;

    GpuWatch(NameKinds kinds, NameTable names) {
        this.kinds = kinds;
        this.flight = new InFlight(names, launches);
    }

    // ---------------------------------------------------------------- what happens

    void launched(LaunchEvent event) {
        if (event.correlation() == 0 || !kinds.startsKernel(event.name())) {
            return;
        }
        if (kinds.startsGraph(event.name())) {
            launches.launchedGraph(event.correlation(), event.thread(), event.startNanos());
            return;
        }
        if (launches.launched(event.correlation(), event.thread(), event.startNanos())) {
            flight.communicatedIfCalled(event.thread(), event.startNanos());
        }
    }

    void ended(GpuEvent event) {
        heard = true;
        newestStart = Math.max(newestStart, event.startNanos());
        CollectiveCall call = event.collective();
        boolean known = launches.ended(event, kinds.isGraph(event.name()));
        boolean communication = event.activity() == GpuActivity.KERNEL
                && (call != null || kinds.classOf(event.name()) == KernelClass.COMMUNICATION);
        if (known || call != null) {
            joined(event.endNanos());
        }
        if (call != null) {
            flight.kernelEnded(call);
        } else if (communication && known) {
            flight.communicated(launches.foundThread(), launches.foundStart());
        }
        if (!communication && event.activity() == GpuActivity.KERNEL) {
            reached = known ? Math.max(reached, launches.foundStart()) : reached;
            workingSince = event.startNanos() - workedNanos > WORKING_NANOS ? event.startNanos() : workingSince;
            workedNanos = Math.max(workedNanos, event.endNanos());
        }
    }

    void begun(CollectiveCall call, int name, long startNanos) {
        flight.begun(call, name, startNanos);
    }

    /** A call has returned, or its work is over where that is on the host. */
    void called(CpuSpan span) {
        CollectiveCall call = span.collective();
        if (call == null) {
            return;
        }
        boolean onGpu = joins && span.kind() == SpanKind.OPERATOR && span.thread() < LANES;
        if (onGpu) {
            flight.launched(call, span.name(), span.thread(), span.startNanos(), span.endNanos());
        } else {
            flight.ended(call);
        }
    }

    /** The GPU has reached the end of a step: what was launched before that step began is over. Not what was launched in it, which may go on beside the next. */
    void reached(StepMark mark) {
        heard = true;
        joined(mark.endNanos());
        newestMark = Math.max(newestMark, mark.step());
        over(mark.startNanos());
    }

    private void joined(long nanos) {
        joins = true;
        joinedNanos = Math.max(joinedNanos, nanos);
    }

    private void over(long beforeNanos) {
        if (beforeNanos > overUntil) {
            overUntil = beforeNanos;
            flight.over(beforeNanos);
        }
    }

    /** Steps by their begin: what was launched before a step is over once the GPU has done something of the next. */
    void passed(NavigableMap<Long, Long> begun) {
        Map.Entry<Long, Long> at = reached == Long.MIN_VALUE ? null : begun.lastEntry();
        while (at != null && at.getValue() > reached) {
            at = begun.lowerEntry(at.getKey());
        }
        Map.Entry<Long, Long> before = at == null ? null : begun.lowerEntry(at.getKey());
        if (before != null) {
            over(before.getValue());
        }
    }

    /** Steps have their numbers again. */
    void countAnew() {
        newestMark = Long.MIN_VALUE;
    }

    void stepBegun(long nanos) {
        if (joins && nanos - joinedNanos > NEVER_NANOS) {
            joins = false; // recording of it was switched off
            heard &= newestStart != Long.MIN_VALUE && nanos - newestStart <= NEVER_NANOS;
            over(nanos);
        }
        if (lostNanos != Long.MIN_VALUE && nanos > lostNanos && ++stepsSinceLoss > 1) {
            flight.forget(lostNanos);
            lostNanos = Long.MIN_VALUE;
        }
    }

    /** Records until a time are missing, ends of kernels and calls perhaps among them. */
    void lost(long untilNanos) {
        launches.clear();
        lostNanos = untilNanos == Long.MAX_VALUE
                ? Math.max(lostNanos, flight.newestNanos())
                : Math.max(lostNanos, untilNanos);
        stepsSinceLoss = 0;
    }

    void reported(long untilNanos) {
        reportedUntil = Math.max(reportedUntil, untilNanos);
    }

    // ---------------------------------------------------------------- what is known

    /**
     * Whether all of a step has been told, as far as can be expected: nothing that was launched before its end is open. The longest wait is {@value #GPU_LATEST_NANOS} ns.
     *
     * @param endNanos end of the step on the CPU
     */
    boolean told(long step, long endNanos, long nowNanos) {
        long since = nowNanos - endNanos;
        if (!heard) {
            return since >= CPU_SETTLE_NANOS;
        }
        if (since >= GPU_LATEST_NANOS) {
            return true;
        }
        if (newestStart == Long.MIN_VALUE) { // told by marks of steps alone
            return newestMark >= step
                    ? since >= CPU_SETTLE_NANOS
                    : newestMark == Long.MIN_VALUE && since >= GPU_SETTLE_NANOS;
        }
        if (launches.newest() == Long.MIN_VALUE) {
            return newestStart > endNanos || since >= GPU_SETTLE_NANOS;
        }
        if (launches.oldest() >= endNanos) {
            return launches.newest() > endNanos || since >= GPU_SETTLE_NANOS;
        }
        return reached > endNanos && since >= GPU_SETTLE_NANOS;
    }

    /**
     * True if work that was launched before a time is not known to have ended, nor to have been overtaken: of a step that ended then and was waited for in vain, not all is here. Missing kernels look like an idle GPU.
     */
    boolean lacks(long endNanos) {
        return heard && launches.newest() != Long.MIN_VALUE && launches.oldest() < endNanos && reached <= endNanos;
    }

    /** Since when the rank has been at work, 0 when it is not known to be. */
    long workingSince(long busyNanos, long cpuNanos, long nowNanos) {
        if (busyNanos > 0 && !flight.anyOpen()) {
            return busyNanos;
        }
        boolean works = heard && nowNanos - cpuNanos > WORKING_NANOS && nowNanos - workedNanos < WORKING_NANOS;
        return works ? workingSince : 0;
    }

    /** Which collectives the rank has called and not seen end; null before its first. */
    @Nullable
    FlightRecord record(int attempt, int rank, Map<String, ProcessGroup> declared, long nowNanos) {
        long own = Long.MIN_VALUE;
        if (joins && reportedUntil >= Math.max(flight.newestNanos(), launches.newest())) {
            own = launches.oldestUnfinished(flight::contains);
        }
        return flight.record(attempt, rank, declared, joins ? reportedUntil : nowNanos, own, nowNanos);
    }

    /** Adds what was given up, by reason. */
    void aside(Map<String, Long> to) {
        if (flight.givenUp() > 0) {
            to.merge("collective-end-unseen", flight.givenUp(), Long::sum);
        }
        if (launches.givenUp() > 0) {
            to.merge("kernel-end-unseen", launches.givenUp(), Long::sum);
        }
    }
}
