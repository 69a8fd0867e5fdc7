package dev.argus.stacks;

import dev.argus.model.StackFrames;
import dev.argus.stacks.StackReader.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Samples the call stacks of one CPython process: 3.11 to 3.14, with the GIL, 64 bits, little-endian, main interpreter.
 *
 * <p>The main thread and whichever thread holds the GIL are sampled at the full rate, every other thread once a second, spread over the second. A
 * stack's weight makes them comparable: a sample taken once a second stands for as many as the full rate takes in it. Who sleeps and has not run since its last sample is
 * not read again: its stack cannot have changed. Native frames are not seen: a
 * thread inside a C call shows the Python function that called it.
 *
 * <p>Nothing is done on its own: whoever owns it calls {@link #sampleOnce} when {@link #nextNanos} is due, always from the same thread. Only {@link
 * #rate(double)} may be called from others. The process is not stopped and not written to. What cannot be trusted is dropped and counted in {@link
 * #losses}. Cost: about 30 us of CPU a sample of 30 frames ({@code ./argus bench stacks}); memory: about 1 MiB, and at most 8 MiB of code objects.
 */
public final class StackSampler implements AutoCloseable {
    /** Samples a second of the main thread and the holder of the GIL, unless told otherwise. */
    public static final double DEFAULT_RATE = 20;

    /** Most samples a second. */
    public static final double MAX_RATE = 1000;

    private static final long SECOND = 1_000_000_000L;

    /** Whether a main thread has run is asked in two samples of so many while it has, and in each while it has not: who works, and sleeps just when he is looked at, is not asked for nothing. */
    private static final int MOVED = 16;

    /** Whether a main thread that is found where it was sleeps or runs is asked in one sample of so many: the kernel writes down fifty numbers for that one letter. That it lives is asked each time. */
    private static final int STATE_SAMPLES = 20;

    private final ForeignMemory memory;
    private final PythonProcess python;
    private final StackLosses losses = new StackLosses();
    private final ThreadList threads;
    private final StackReader reader;
    private final CodeCache codes;

    /** Keeps the process from being taken for another one, at less than a look at the file of its main thread; null where the system has none. */
    private final @Nullable ProcessPin pin;

    private volatile long periodNanos = (long) (SECOND / DEFAULT_RATE);
    private final List<SampledStack> taken = new ArrayList<>();
    private boolean begun;
    private long nextNanos;
    private long refreshedNanos;
    private long takenCount;
    private long unmoved;
    private boolean ended;

    private StackSampler(ForeignMemory memory, PythonProcess python, @Nullable ProcessPin pin) {
        this.memory = memory;
        this.pin = pin;
        this.python = python;
        this.threads = new ThreadList(memory, python, losses);
        this.codes = new CodeCache(memory, python);
        this.reader = new StackReader(memory, python, codes, losses);
    }

    /**
     * Finds the interpreter of a process; some milliseconds.
     *
     * @param pid as this host sees it
     * @throws StackAccessException if it is none that can be read; the message says what was found and what to do
     */
    public static StackSampler attach(int pid) throws StackAccessException {
        ForeignMemory memory = new ForeignMemory(pid);
        ProcessPin pin = ProcessPin.open(pid); // of the process whose identity is asked for behind it
        try {
            StackSampler sampler = new StackSampler(memory, PythonProcess.of(memory), pin);
            sampler.threads.refresh();
            ThreadPlan main = sampler.threads.main();
            boolean there = main != null && sampler.threads.task(main) != null;
            if (!there || !ProcessIdentity.of(pid).equals(sampler.identity())) {
                throw new StackAccessException("process " + pid + " ended, or has no Python thread yet; try again");
            }
            return sampler;
        } catch (StackAccessException | RuntimeException e) {
            close(pin);
            memory.close();
            throw e;
        }
    }

    /** Which process. */
    public ProcessIdentity identity() {
        return python.identity();
    }

    /** Its version, such as 3.11.2. */
    public String version() {
        return PythonVersions.text(python.version());
    }

    /**
     * Sets the full rate, from now on; from any thread.
     *
     * @param perSecond above 0, at most {@link #MAX_RATE}
     */
    public void rate(double perSecond) {
        if (!(perSecond > 0 && perSecond <= MAX_RATE)) {
            throw new IllegalArgumentException(
                    "rate " + perSecond + " a second: expected above 0, at most " + MAX_RATE);
        }
        periodNanos = Math.max(1, (long) (SECOND / perSecond));
    }

    /** When the next sample is due, on the clock given to {@link #sampleOnce}; before the first, any time. */
    public long nextNanos() {
        return nextNanos;
    }

    /** What was dropped, by reason. */
    public StackLosses losses() {
        return losses;
    }

    /** Stacks handed over so far. */
    public long taken() {
        return takenCount;
    }

    /** Of these, stacks of threads that had not run since their last one, which was not read again. */
    public long unmoved() {
        return unmoved;
    }

    /** Calls of {@code process_vm_readv} so far. */
    public long systemCalls() {
        return memory.calls();
    }

    /** Times that a stack was begun to be read; above {@link #taken} where threads were busy calling. */
    public long tries() {
        return reader.tries();
    }

    /** True once the process ended, or may no longer be read: nothing comes any more. */
    public boolean ended() {
        return ended;
    }

    /** True if eight bytes of the process can be read: the smallest read there is. */
    public boolean readable() {
        return !ended && memory.readOnly(python.interpreter(), 8);
    }

    /** Code objects known at the moment; bounded. */
    public int knownCodes() {
        return codes.size();
    }

    /**
     * Takes the samples that are due; nothing if none is.
     *
     * @param nowNanos on a clock that never goes back
     * @param to takes each stack
     * @return stacks handed over
     */
    public int sampleOnce(long nowNanos, Consumer<SampledStack> to) {
        if (ended || (begun && nowNanos - nextNanos < 0)) {
            return 0;
        }
        long period = periodNanos;
        if (!begun || nowNanos - refreshedNanos >= SECOND) {
            refresh(nowNanos);
        }
        // Late calls do not pile up: a missed sample is missed.
        nextNanos = !begun || nowNanos - nextNanos >= period ? nowNanos + period : nextNanos + period;
        begun = true;
        taken.clear();
        fast(nowNanos);
        slow(nowNanos, period);
        if (!ended && taken.isEmpty() && !alive()) {
            end();
        }
        if (ended) {
            losses.add(StackLoss.PROCESS_GONE, Math.max(1, taken.size()));
            taken.clear();
            return 0;
        }
        taken.forEach(to);
        takenCount += taken.size();
        return taken.size();
    }

    private void fast(long nowNanos) {
        ThreadPlan main = threads.main();
        if (main == null) {
            refresh(nowNanos);
            main = threads.main();
        }
        if (main == null) {
            return;
        }
        if (main.last == null || ++main.moved % MOVED > 1) {
            main.ranBefore = -1; // not asked, so the next time nobody knows
            take(main, nowNanos, 1, false);
        } else if (!unmoved(main, nowNanos, 1)) {
            take(main, nowNanos, 1, false);
        } else {
            main.moved = 0;
            if (!reader.readHolder()) {
                return;
            }
        }
        long holder = reader.gilHolder();
        if (ended || holder == 0 || holder == main.state) {
            return;
        }
        ThreadPlan plan = threads.of(holder);
        if (plan == null) {
            refresh(nowNanos);
            plan = threads.of(holder);
        }
        if (plan != null && plan != threads.main()) {
            take(plan, nowNanos, 1, true);
        }
    }

    /** Every other thread once a second; whoever holds the GIL just then is counted by the fast samples. */
    private void slow(long nowNanos, long period) {
        int weight = (int) Math.max(1, Math.min(Integer.MAX_VALUE, SECOND / period));
        for (ThreadPlan plan : threads.now()) {
            if (ended) {
                return;
            }
            if (plan != threads.main() && nowNanos - plan.dueNanos >= 0) {
                plan.dueNanos += SECOND * (1 + Math.max(0, (nowNanos - plan.dueNanos) / SECOND));
                if (!unmoved(plan, nowNanos, weight)) {
                    take(plan, nowNanos, weight, false);
                }
            }
        }
    }

    /** A thread that sleeps and has not run since its last stack was read has that stack still, and still holds what it held. */
    private boolean unmoved(ThreadPlan plan, long nowNanos, int weight) {
        if (plan.task == null) {
            return false; // a file that is opened now may be of a later process
        }
        SampledStack last = plan.last;
        plan.last = null;
        long ran = plan.task.ran();
        boolean same = ran >= 0 && ran == plan.ranBefore;
        plan.ranBefore = ran;
        if (last == null || !same || !sleeps(plan, plan.task)) {
            return false;
        }
        SampledStack again = last.again(nowNanos, weight);
        plan.last = again;
        taken.add(again);
        unmoved++;
        return true;
    }

    /** Whether a thread sleeps that slept at its last sample, and of which the kernel has counted no running since: of one that is looked at once a second that is enough, for it counts with each tick. */
    private boolean sleeps(ThreadPlan plan, TaskFile task) {
        boolean asked = plan != threads.main() || threads.task(plan) != null;
        return asked && task.sleeps();
    }

    private void take(ThreadPlan plan, long nowNanos, int weight, boolean asHolder) {
        Outcome outcome = reader.read(plan, nowNanos);
        switch (outcome) {
            case PROCESS_GONE, DENIED -> end();
            case THREAD_GONE -> threads.remove(plan);
            case LOST, EMPTY -> {}
            case TAKEN -> {
                boolean main = plan == threads.main();
                boolean holds = reader.holdsGil();
                // Stratified: at the full rate while it holds the GIL, once a second while not. Who held it a moment
                // ago counts as holder.
                if (main || asHolder || !holds) {
                    add(plan, nowNanos, weight, main, holds || asHolder);
                }
            }
        }
    }

    private void add(ThreadPlan plan, long nowNanos, int weight, boolean main, boolean holds) {
        // Read after the stack, from a file that belongs to this very thread: so what was read was its memory, and of
        // no later process.
        boolean pinned = plan.task != null; // one that is opened now may be of a later process
        boolean known = main && (holds || plan.stateIsKnown(reader.frames(), STATE_SAMPLES));
        TaskFile task =
                !known ? threads.task(plan) : pin != null && pin.holds() ? threads.file(plan) : threads.living(plan);
        if ((main && task == null) || (!main && (!pinned || task == null) && !alive())) {
            end();
            return;
        }
        String name = main ? StackFrames.MAIN_THREAD : task == null ? "" : task.name();
        boolean active = holds || task == null || task.active();
        SampledStack stack = new SampledStack(
                nowNanos, plan.hostThread, name, main, holds, active, reader.cut(), weight, reader.frames());
        taken.add(stack);
        plan.last = active ? null : stack;
    }

    private boolean alive() {
        ThreadPlan main = threads.main();
        return main != null && threads.task(main) != null;
    }

    /** Looks for new threads, and spreads their samples over the second. */
    private void refresh(long nowNanos) {
        refreshedNanos = nowNanos;
        int error = threads.refresh();
        if (error == ForeignMemory.ESRCH) {
            end();
        } else if (error < 0) {
            losses.add(StackLoss.DENIED);
            end();
        }
        int index = 0;
        int count = Math.max(1, threads.all().size());
        for (ThreadPlan plan : threads.all()) {
            if (plan.dueNanos == 0) {
                plan.dueNanos = nowNanos + SECOND * index / count;
            }
            index++;
        }
    }

    private void end() {
        ended = true;
    }

    @Override
    public void close() {
        ended = true;
        threads.close();
        close(pin);
        memory.close();
    }

    private static void close(@Nullable ProcessPin pin) {
        if (pin != null) {
            pin.close();
        }
    }
}
