package dev.argus.simulator;

/** Hands on a record in which a burst of one step's GPU work is lost or there twice; calls on the CPU stay. */
final class BurstRecorder implements Recorder {
    private static final int FROM = 40;
    private static final int UNTIL = 80;

    private final Recorder to;
    private final int times;
    private boolean burst;
    private int seen;

    /** A recorder that hands on the work of a burst so many times. */
    BurstRecorder(Recorder to, int times) {
        this.to = to;
        this.times = times;
    }

    /** Another step begins; true when the burst is in it. */
    void begin(boolean hit) {
        burst = hit;
        seen = 0;
    }

    private int copies() {
        seen++;
        return burst && seen > FROM && seen <= UNTIL ? times : 1;
    }

    @Override
    public void step(int number, long start, long nanos, long gpuStart, long gpuNanos) {
        to.step(number, start, nanos, gpuStart, gpuNanos);
    }

    @Override
    public void range(String name, long start, long nanos) {
        to.range(name, start, nanos);
    }

    @Override
    public void frame(String name, long start, long nanos) {
        to.frame(name, start, nanos);
    }

    @Override
    public void call(String name, long correlation, long start, long nanos) {
        to.call(name, correlation, start, nanos);
    }

    @Override
    public void kernel(String name, int stream, long correlation, long start, long nanos, long grid, int block) {
        for (int i = copies(); i > 0; i--) {
            to.kernel(name, stream, correlation, start, nanos, grid, block);
        }
    }

    @Override
    public void copy(String name, int stream, long correlation, long start, long nanos, long bytes) {
        for (int i = copies(); i > 0; i--) {
            to.copy(name, stream, correlation, start, nanos, bytes);
        }
    }

    @Override
    public void communication(Message message, int stream, long correlation, long start, long nanos) {
        for (int i = copies(); i > 0; i--) {
            to.communication(message, stream, correlation, start, nanos);
        }
    }
}
