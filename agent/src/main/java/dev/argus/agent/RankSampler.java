package dev.argus.agent;

import dev.argus.agent.feed.RankFeed;
import dev.argus.digest.StallWords;
import dev.argus.model.CpuSpan;
import dev.argus.model.IncidentKind;
import dev.argus.model.NameTable;
import dev.argus.model.SpanKind;
import dev.argus.model.StackRecord;
import dev.argus.stacks.FoldedStacks;
import dev.argus.stacks.SampledStack;
import dev.argus.stacks.StackAccessException;
import dev.argus.stacks.StackSampler;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one process from outside: what its threads do, and whether its main thread gets a CPU.
 *
 * <p>What is seen of the main thread becomes ranges of the rank, so that a pause has a cause: a sample in whose stack the compiler or the collector is stands
 * for the time to the next one; samples in a row are one range. A wait for a CPU is placed at the end of the time in which it was measured.
 */
final class RankSampler implements AutoCloseable {
    /** Shorter waits for a CPU happen to everybody. */
    private static final long LEAST_WAIT_NANOS = 2_000_000L;

    /** Waits are asked for at every second look of the usual twenty a second. */
    private static final long WAITS_NANOS = 90_000_000L;

    /** What a stack alone can show; the loading of data and checkpoints are phases, and known better. */
    private static final Set<IncidentKind> SHOWN = EnumSet.of(IncidentKind.JIT_STALL, IncidentKind.GC_PAUSE);

    /** A main thread that runs for this share of the time, over so long, works. */
    private static final double BUSY_RATIO = 0.2;

    private static final double BUSY_NANOS = 3e9;

    private static final int DISTINCT = 512;
    private static final int KEPT = 32;

    /** Frames of which it is known what they tell; of more, all are looked at again. */
    private static final int MOST_FRAMES = 4096;

    private final NameTable names;
    private final long epochOffset;
    private final long pid;
    private final @Nullable CpuWaits waits;
    private final FoldedStacks folded = new FoldedStacks(DISTINCT);
    private @Nullable StackSampler stacks;
    private double rate;
    private String refused = "";
    private final Map<String, Optional<IncidentKind>> kinds = new HashMap<>();
    private long lookedMono = Long.MIN_VALUE;
    private @Nullable RankFeed lookedFor;
    private long lookMono;
    private final Consumer<SampledStack> sampled = this::sampled;
    private double busy;
    private long busySinceMono = Long.MIN_VALUE;
    private List<String> shownOf = List.of();
    private @Nullable String shown;
    private int open = -1;
    private long openMono;
    private long seenMono;

    private RankSampler(NameTable names, long epochOffset, long pid, @Nullable CpuWaits waits) {
        this.names = names;
        this.epochOffset = epochOffset;
        this.pid = pid;
        this.waits = waits;
    }

    /**
     * Of a process of this host; what it does not allow is left out.
     *
     * @param rate samples a second; 0 for none
     */
    static RankSampler of(Path proc, long pid, double rate, NameTable names, long epochOffset) {
        RankSampler sampler = new RankSampler(names, epochOffset, pid, CpuWaits.open(proc, pid));
        sampler.rate(rate);
        return sampler;
    }

    /** Why there are no stacks; empty when there are, or none are wanted. */
    String refused() {
        return refused;
    }

    /** Samples a second that are taken; 0 for none. */
    double rate() {
        return stacks == null ? 0 : rate;
    }

    /** Changes the rate of stacks; 0 stops them. */
    void rate(double perSecond) {
        rate = perSecond;
        if (perSecond <= 0) {
            open = -1;
            return;
        }
        try {
            StackSampler sampler = stacks == null ? StackSampler.attach(Math.toIntExact(pid)) : stacks;
            sampler.rate(perSecond);
            stacks = sampler;
            refused = "";
        } catch (StackAccessException | UnsupportedOperationException e) {
            refused = String.valueOf(e.getMessage());
        }
    }

    /** Looks, if it is time. */
    void look(@Nullable RankFeed feed, long nowMono) {
        if (stacks != null && rate > 0 && !stacks.ended()) {
            lookedFor = feed;
            lookMono = nowMono;
            stacks.sampleOnce(nowMono, sampled);
        }
        if (waits != null && (lookedMono == Long.MIN_VALUE || nowMono - lookedMono >= WAITS_NANOS)) {
            waits.look();
            long waited = waits.waited();
            long since = lookedMono == Long.MIN_VALUE ? 0 : nowMono - lookedMono;
            long length = Math.min(waited, since);
            if (feed != null && length >= LEAST_WAIT_NANOS) {
                span(feed, SpanKind.SCHEDULER, names.id(StallWords.NO_CPU), nowMono - length, length);
            }
            busy(waits.ran(), nowMono);
            lookedMono = nowMono;
        }
    }

    /** Counts on a mean of some seconds: who waits wakes up now and then, who works reads and writes. */
    private void busy(long ran, long nowMono) {
        if (ran < 0 || lookedMono == Long.MIN_VALUE || nowMono <= lookedMono) {
            return;
        }
        double since = nowMono - lookedMono;
        double fresh = since / (since + BUSY_NANOS);
        busy += fresh * (Math.min(1, ran / since) - busy);
        if (busy < BUSY_RATIO) {
            busySinceMono = Long.MIN_VALUE;
        } else if (busySinceMono == Long.MIN_VALUE) {
            busySinceMono = nowMono;
        }
    }

    /** Since when the main thread has been running on a CPU, nanoseconds since the Unix epoch; 0 when it has not. */
    long busySince() {
        return busySinceMono == Long.MIN_VALUE ? 0 : busySinceMono + epochOffset;
    }

    private void sampled(SampledStack stack) {
        folded.add(stack);
        if (!stack.main()) {
            return;
        }
        RankFeed feed = lookedFor;
        long nowMono = lookMono;
        String shown = shown(stack);
        int name = shown == null ? -1 : names.id(StallWords.STALL + shown);
        if (open >= 0 && open != name && feed != null) {
            span(feed, SpanKind.PYTHON, open, openMono, nowMono - openMono);
        }
        if (name != open) {
            openMono = nowMono;
        }
        open = name;
        seenMono = nowMono;
    }

    /** The innermost frame that tells what else than training is done, or null. */
    @SuppressWarnings("ReferenceEquality") // a fast way for the very same list; others are looked at
    private @Nullable String shown(SampledStack stack) {
        if (stack.frames() != shownOf) {
            shownOf = stack.frames();
            shown = look(shownOf);
        }
        return shown;
    }

    private @Nullable String look(List<String> frames) {
        for (String frame : frames) {
            Optional<IncidentKind> kind = kinds.get(frame);
            if (kind == null) {
                if (kinds.size() >= MOST_FRAMES) {
                    kinds.clear();
                }
                kind = Optional.ofNullable(StallWords.of(frame));
                kinds.put(frame, kind);
            }
            if (kind.isPresent()) {
                return SHOWN.contains(kind.get()) ? frame : null;
            }
        }
        return null;
    }

    /** A range that goes on is told up to now: a step is cut when it ends, not when the range does. */
    void flush(RankFeed feed) {
        if (open >= 0 && seenMono > openMono) {
            span(feed, SpanKind.PYTHON, open, openMono, seenMono - openMono);
            openMono = seenMono;
        }
    }

    private void span(RankFeed feed, SpanKind kind, int name, long startMono, long length) {
        feed.span(new CpuSpan(kind, name, 0, 0, startMono + epochOffset, length, 0, null));
    }

    /** The stacks since the last call, or null when there are none. */
    @Nullable
    StackRecord take(int attempt, int rank, String process) {
        if (folded.samples() == 0) {
            return null;
        }
        StackRecord record = folded.record(attempt, rank, process, KEPT, names);
        folded.clear();
        return record;
    }

    @Override
    public void close() {
        if (stacks != null) {
            stacks.close();
        }
        if (waits != null) {
            waits.close();
        }
    }
}
