package dev.argus.simulator;

import dev.argus.model.CollectiveOp;
import dev.argus.ring.RingRecords;
import dev.argus.ring.RingWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes one rank's record into a ring, as the producers in its process would: what Python sees and what the driver of the GPU tells, in one file.
 *
 * <p>Collectives are those of NCCL: announced, called, and joined to their kernels by the launch inside the call. What finds no room is dropped and counted by the ring.
 */
final class RingRecorder implements Recorder {
    private static final int ANNOTATION = 1;
    private static final int PYTHON = 3;
    private static final int HOST_TO_DEVICE = 1;
    private static final int DEVICE_TO_HOST = 2;
    private static final int THREADS = 24 * 544;
    private static final int THREAD = 1;

    private final RingWriter ring;
    private final Scenario scenario;
    private final int device;
    private final int[] groups;
    private final int[] calls = new int[CollectiveOp.values().length];
    private final Map<Long, long[]> pairs = new HashMap<>();
    private final Deque<Runnable> held = new ArrayDeque<>();
    private final int buffer;
    private int launched;
    private boolean told;

    /**
     * For a ring whose identity has been stated.
     *
     * @param groups id in the ring of each kind of group, by its position; 0 where the rank has none
     * @param buffer records of launches and the GPU that are held until all of them have ended ({@link #flush}), as CUPTI does; 0 to write each at once
     */
    RingRecorder(RingWriter ring, Scenario scenario, int rank, int[] groups, int buffer) {
        this.buffer = buffer;
        this.ring = ring;
        this.scenario = scenario;
        this.device = scenario.layout().gpuOf(rank);
        this.groups = groups;
    }

    @Override
    public void stepBegun(int number, long start) {
        ring.step(RingRecords.STEP_BEGIN, start, 0, THREAD, number);
    }

    @Override
    public void step(int number, long start, long nanos, long gpuStart, long gpuNanos) {
        ring.step(0, start, nanos, THREAD, number);
    }

    @Override
    public void rangeBegun(String name, long start) {
        ring.span(ANNOTATION, 0, RingRecords.BEGIN, ring.name(name), start, 0, THREAD, 0, 0);
    }

    @Override
    public void range(String name, long start, long nanos) {
        ring.span(ANNOTATION, 0, 0, ring.name(name), start, nanos, THREAD, 0, 0);
    }

    @Override
    public void frame(String name, long start, long nanos) {
        ring.span(PYTHON, 0, 0, ring.name(name), start, nanos, THREAD, 0, 0);
    }

    @Override
    public void call(String name, long correlation, long start, long nanos) {
        if (correlation != 0) { // a call that starts no work is none of the records
            launched++;
            give(() -> ring.launch(ring.name(name), start, nanos, THREAD, (int) correlation, 0));
        }
    }

    @Override
    public void kernel(String name, int stream, long correlation, long start, long nanos, long grid, int block) {
        float threads = (float) grid * block;
        ended(() -> ring.kernel(device, 0, ring.name(name), start, nanos, stream, (int) correlation, threads));
    }

    @Override
    public void copy(String name, int stream, long correlation, long start, long nanos, long bytes) {
        int direction = name.contains("HtoD") ? HOST_TO_DEVICE : DEVICE_TO_HOST;
        ended(() -> ring.copy(device, direction, bytes, start, nanos, stream, (int) correlation));
    }

    @Override
    public void communication(Message message, int stream, long correlation, long start, long nanos) {
        String name = KinetoRecorder.kernelName(message, scenario.dialect().oldNames());
        ended(() -> ring.kernel(device, 0, ring.name(name), start, nanos, stream, (int) correlation, THREADS));
    }

    @Override
    public void communicationBegun(Message message, long start) {
        collective(message, RingRecords.TIMES_OF_CALL | RingRecords.BEGIN, start, 0);
    }

    @Override
    public void communicationCalled(Message message, long start, long nanos) {
        collective(message, RingRecords.TIMES_OF_CALL, start, nanos);
    }

    private void ended(Runnable record) {
        launched--;
        told = true;
        give(record);
    }

    private void give(Runnable record) {
        if (buffer == 0) {
            record.run();
            return;
        }
        held.addLast(record);
        if (held.size() >= buffer && launched == 0) {
            flush(true);
        }
    }

    /** Fetches what is held: by force all of it, else if all of it has ended or there is too much. */
    void flush(boolean force) {
        if (force || launched == 0 || held.size() >= buffer) {
            held.forEach(Runnable::run);
            held.clear();
        }
    }

    /** True if work of the GPU has ended since the last call. */
    boolean ended() {
        boolean was = told;
        told = false;
        return was;
    }

    /** Sends and receives count by pair, as the Python producer does. */
    private long sequence(Message m, int flags) {
        if (!m.op().isPointToPoint()) {
            return m.sequence();
        }
        long[] count = pairs.computeIfAbsent((long) m.peer() << 8 | m.op().ordinal(), p -> new long[1]);
        return (flags & RingRecords.BEGIN) != 0 ? ++count[0] : count[0];
    }

    private void collective(Message m, int flags, long start, long nanos) {
        ring.collective(
                RingRecords.number(m.op()),
                flags,
                groups[m.group().kind().ordinal()],
                start,
                nanos,
                THREAD,
                0,
                m.op() == CollectiveOp.BROADCAST ? -1 : m.peer(),
                1,
                Math.max(m.in(), m.out()),
                sequence(m, flags),
                m.group().size(),
                name(m.op()));
    }

    private int name(CollectiveOp op) {
        int known = calls[op.ordinal()];
        if (known == 0) {
            known = ring.name("nccl:" + op.name().toLowerCase(java.util.Locale.ROOT));
            calls[op.ordinal()] = known;
        }
        return known;
    }
}
