package dev.argus.ring;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes a ring: for tests, simulated producers and the simulator. Producers in training processes are written in C and Python to the same
 * contract and the same bytes.
 *
 * <p>Writing a record never waits, never calls the system and never allocates. What finds no room is dropped, counted by reason in the
 * header, and told by a LOSS record as soon as there is room. Names and groups are defined before their first use, and again after each
 * attach of a reader. The control word is obeyed at every begin of a step and every {@link #tick}; what it turns off is not written and not
 * lost.
 *
 * <p>Every method that writes returns whether it has; times are nanoseconds of the clock in the header, durations nanoseconds, threads and
 * streams their low 24 bits. Belongs to one thread.
 */
public final class RingWriter implements AutoCloseable {
    private static final long CLOCK_NANOS = 10_000_000_000L;
    private static final int RUNNING = 1;
    private static final int OFF = 2;
    private static final int CLOSED = 3;
    private static final int BY_CONTROL = 1;

    private final RingFile file;
    private final RingSlots slots;
    private final RingDefinitions definitions;
    private RingControl control = RingControl.INITIAL;
    private long controlWord;
    private boolean stepOn = true;
    private boolean kernelsOn = true;
    private boolean closed;
    private long clockAt;
    private boolean clockWritten;

    private RingWriter(RingFile file, long capacity) {
        this.file = file;
        this.slots = new RingSlots(file.bytes(), capacity);
        this.definitions = new RingDefinitions(slots);
        this.controlWord = control.word();
        RingLayout.releaseInt(file.bytes(), RingLayout.AT_STATE, RUNNING);
    }

    /**
     * Makes a ring and opens it.
     *
     * @param folder made with mode 0700 where it is missing
     * @throws RingException if the folder is not safe or there is no room: then the producer stays off
     */
    public static RingWriter create(Path folder, RingHeader header) throws IOException {
        return new RingWriter(RingFile.create(folder, header), header.capacity());
    }

    /** Where the file lies. */
    public Path path() {
        return file.path();
    }

    /** Id of a name, to be used in records; 0 when the table is full, which is counted. */
    public int name(String text) {
        return definitions.name(text);
    }

    /** Defines a name now, not only before its first use. */
    public boolean define(int name) {
        return !closed && definitions.define(name);
    }

    /** States something of the process, now and after every attach; keys are in the contract. */
    public boolean identity(int key, int string, long value) {
        definitions.identity(key, string, value);
        return !closed && definitions.writeIdentity(key, string, value);
    }

    /** Adds a group of ranks and defines it; names are ids or 0, size 0 unknown. Returns its id, from 1; 0 when there are too many. */
    public int group(int dimension, int name, int description, int members, int size) {
        int id = definitions.group(dimension, name, description, members, size);
        if (id != 0 && !closed) {
            definitions.groupKnown(id, 0, 0);
        }
        return id;
    }

    /** A kernel. */
    public boolean kernel(
            int device,
            int flags,
            int name,
            long start,
            long duration,
            int stream,
            int correlation,
            float threadsLaunched) {
        int wanted = RingControl.KERNELS | ((flags & RingRecords.GRAPH) != 0 ? RingControl.GRAPH_NODES : 0);
        if (!kernelsOn || closed || !wants(wanted) || !usable(name, start, duration)) {
            return false;
        }
        return put(
                RingRecords.wide(RingRecords.KERNEL, device, flags | cut(duration), name),
                start,
                RingRecords.span(duration, stream),
                RingRecords.pair(correlation, Float.floatToRawIntBits(threadsLaunched)));
    }

    /** A copy; directions are in the contract. */
    public boolean copy(int device, int direction, long bytes, long start, long duration, int stream, int correlation) {
        return memory(RingRecords.COPY, device, direction, bytes, start, duration, stream, correlation);
    }

    /** A set of memory. */
    public boolean set(int device, long bytes, long start, long duration, int stream, int correlation) {
        return memory(RingRecords.SET, device, 0, bytes, start, duration, stream, correlation);
    }

    private boolean memory(
            int type, int device, int direction, long bytes, long start, long duration, int stream, int correlation) {
        if (!recording(RingControl.COPIES) || !usable(0, start, duration)) {
            return false;
        }
        return put(
                RingRecords.head(type, device, direction, cut(duration), (int) bytes),
                start,
                RingRecords.span(duration, stream),
                RingRecords.pair(correlation, (int) (bytes >>> 32)));
    }

    /** A call of the GPU runtime that starts work. */
    public boolean launch(int name, long start, long duration, int thread, int correlation, int externalId) {
        if (!recording(RingControl.LAUNCHES) || !usable(name, start, duration)) {
            return false;
        }
        return put(
                RingRecords.wide(RingRecords.LAUNCH, 0, cut(duration), name),
                start,
                RingRecords.span(duration, thread),
                RingRecords.pair(correlation, externalId));
    }

    /** The begin or the end of a step, by its flags. A begin obeys the control word and decides what of the step is recorded. */
    public boolean step(int flags, long start, long duration, int thread, long number) {
        if (closed) {
            return false;
        }
        if ((flags & RingRecords.STEP_BEGIN) != 0) {
            obey();
            stepOn = control.records(number);
            kernelsOn = control.recordsKernels(number);
            if (!kernelsOn) {
                slots.count(LossReason.NOT_RECORDED, 1);
            }
        }
        if (closed || !wants(RingControl.STEPS) || !usable(0, start, duration)) {
            return false;
        }
        int all = flags | (stepOn ? 0 : RingRecords.STEP_SIGNALS_OFF);
        return put(RingRecords.head(RingRecords.STEP, all, 0, 0, 0), start, RingRecords.span(duration, thread), number);
    }

    /** A named interval; kinds and dimensions are in the contract. */
    public boolean span(
            int kind,
            int dimension,
            int flags,
            int name,
            long start,
            long duration,
            int thread,
            int enclosing,
            int externalId) {
        if (!recording(kind == 2 ? RingControl.OPERATORS : RingControl.PHASES)
                || !definitions.known(enclosing, start, start + duration)
                || !usable(name, start, duration)) {
            return false;
        }
        return put(
                RingRecords.head(RingRecords.SPAN, kind, dimension, flags | cut(duration), name),
                start,
                RingRecords.span(duration, thread),
                RingRecords.pair(enclosing, externalId));
    }

    /** A collective: two records in one publication. */
    public boolean collective(
            int op,
            int flags,
            int group,
            long start,
            long duration,
            int thread,
            int correlation,
            int peer,
            int operations,
            long bytes,
            long sequence,
            int groupSize,
            int name) {
        long end = start + duration;
        if (!recording(RingControl.COLLECTIVES)
                || !definitions.groupKnown(group, start, end)
                || !possible(start, duration)) {
            return false;
        }
        if (!definitions.known(name, start, end) || !slots.claimOrLose(2, start, end)) {
            return false;
        }
        slots.put(
                RingRecords.wide(RingRecords.COLLECTIVE, op, flags | cut(duration), group),
                start,
                RingRecords.span(duration, thread),
                RingRecords.pair(correlation, peer));
        return put(
                RingRecords.wide(RingRecords.COLLECTIVE_MORE, 0, 0, operations),
                bytes,
                sequence,
                RingRecords.pair(groupSize, name));
    }

    /** What three clocks showed at one moment; nanoseconds. */
    public boolean clock(long here, long monotonic, long realtime) {
        if (closed || !slots.claimOrLose(1, here, here)) {
            return false;
        }
        clockAt = monotonic;
        clockWritten = true;
        return put(RingRecords.head(RingRecords.CLOCK, 0, 0, 0, 0), here, monotonic, realtime);
    }

    /** Counts what the producer itself lost, and tells it before the next record. */
    public void lost(LossReason reason, long from, long to, long count) {
        if (!closed) {
            slots.lose(reason, from, to, count);
        }
    }

    /** A bare LOSS record, which counts nothing. */
    boolean lossRecord(int reason, long from, long to, long count) {
        return slots.claimOrLose(1, from, to)
                && put(RingRecords.head(RingRecords.LOSS, reason, 0, 0, 0), from, to, count);
    }

    /** All work of the GPU that had ended by a time, and is recorded, stands before this. */
    public boolean reported(long until) {
        return !closed
                && slots.claimOrLose(1, until, until)
                && put(RingRecords.head(RingRecords.REPORTED, 0, 0, 0, 0), until, 0, 0);
    }

    /**
     * To be called at least once a second: heartbeat, control word, and a clock record when one is due (at the start, every 10 s, after a
     * gap that was told, and after an attach).
     *
     * @param here the clock of the records
     * @param monotonic CLOCK_MONOTONIC
     * @param realtime CLOCK_REALTIME
     */
    public void tick(long here, long monotonic, long realtime) {
        if (closed) {
            return;
        }
        heartbeat(monotonic);
        obey();
        if (!clockWritten || slots.gapTold() || monotonic - clockAt >= CLOCK_NANOS) {
            clock(here, monotonic, realtime);
        }
    }

    /** Says that this producer lives. */
    void heartbeat(long monotonic) {
        RingLayout.release(file.bytes(), RingLayout.AT_HEARTBEAT, monotonic);
    }

    /** Looks at the control word and does what it says. */
    void obey() {
        long word = RingLayout.acquire(file.bytes(), RingLayout.AT_CONTROL);
        if (word != controlWord) {
            int before = control.attach();
            controlWord = word;
            control = RingControl.of(word);
            state(control.signals() == 0 ? OFF : RUNNING, control.signals() == 0 ? BY_CONTROL : 0);
            if (control.attach() != before) {
                definitions.attach(control.attach());
                clockWritten = false; // the new reader has no pair yet
            }
        }
        RingLayout.release(file.bytes(), RingLayout.AT_OBEYED, word);
    }

    /** What is obeyed now. */
    public RingControl control() {
        return control;
    }

    /** How much was lost for a reason. */
    public long dropped(LossReason reason) {
        return slots.dropped(reason);
    }

    /** Records published. */
    public long published() {
        return slots.published();
    }

    /** Records that the reader has not taken; for writers that can wait, unlike producers. */
    public long waiting() {
        return slots.waiting();
    }

    /** Closes in order: nothing more will come, and the file stays for the reader. */
    @Override
    public void close() {
        if (!closed) {
            state(CLOSED, 0);
            closed = true;
            file.arena().close();
        }
    }

    private void state(int state, int why) {
        RingLayout.releaseInt(file.bytes(), RingLayout.AT_WHY_OFF, why);
        RingLayout.releaseInt(file.bytes(), RingLayout.AT_STATE, state);
    }

    private boolean wants(int signals) {
        return (control.signals() & signals) == signals;
    }

    private boolean recording(int signal) {
        return !closed && stepOn && wants(signal);
    }

    private static int cut(long duration) {
        return duration > RingLayout.LONGEST ? RingRecords.CUT : 0;
    }

    /** Possible, its name known, and room for one record. */
    private boolean usable(int name, long start, long duration) {
        return possible(start, duration)
                && definitions.known(name, start, start + duration)
                && slots.claimOrLose(1, start, start + duration);
    }

    private boolean possible(long start, long duration) {
        if (duration >= 0 && start >= 0) {
            return true;
        }
        slots.lose(LossReason.IMPOSSIBLE, start, start, 1);
        return false;
    }

    private boolean put(long head, long first, long second, long third) {
        slots.put(head, first, second, third);
        slots.publish();
        return true;
    }
}
