package dev.argus.benchmarks.scale;

import dev.argus.model.AgentRecord;
import dev.argus.model.AgentTick;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankState;
import dev.argus.model.StepDigest;
import dev.argus.wire.FrameWriter;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The agent of one host of a made job, as far as a server can tell: a session of frames, kept until the server says that they are safe. One thread.
 */
public final class LoadHost {
    private static final int MOST_BYTES = 4 << 20;
    private static final int MOST_FRAMES = 256;

    private final String job;
    private final String host;
    private final FrameWriter writer;
    private final Deque<Shipment.Numbered> kept = new ArrayDeque<>();
    private final List<byte[]> names = new ArrayList<>();
    private boolean namesWanted;
    private int mostFrames = MOST_FRAMES;
    private long dueNanos = System.nanoTime();
    private long released = Long.MAX_VALUE;
    private long received;
    private long durable;
    private long bytes;

    LoadHost(String job, String host, SessionId session, NameTable table) {
        this.job = job;
        this.host = host;
        this.writer = new FrameWriter(session, job, host, table);
    }

    /** Puts records into frames. */
    void add(List<? extends AgentRecord> records, long nowNanos) {
        for (AgentRecord record : records) {
            if (writer.add(record) == FrameWriter.Added.FULL) {
                close(nowNanos);
                writer.add(record);
            }
        }
        close(nowNanos);
    }

    private void close(long nowNanos) {
        if (writer.count() > 0) {
            byte[] frame = writer.frame(0, nowNanos);
            kept.addLast(new Shipment.Numbered(writer.counter(), frame));
            bytes += frame.length;
            writer.stored();
        }
    }

    static RankState state(StepDigest d, long now) {
        return new RankState(
                0, d.rank(), now, RankState.ProcessState.ALIVE, now, d.step() + 1, now, d.step(), now, -1, 0);
    }

    static AgentTick tick(long now) {
        return new AgentTick(now, now);
    }

    /** What is to be sent next: frames that the server has not taken; without frames a heartbeat. */
    public Shipment next() {
        List<Shipment.Numbered> frames = new ArrayList<>();
        int size = 0;
        for (Shipment.Numbered f : kept) {
            if (f.counter() > received && f.counter() <= released && frames.size() < mostFrames && size < MOST_BYTES) {
                frames.add(f);
                size += f.bytes().length;
            }
        }
        names.clear();
        if (namesWanted) {
            names.add(writer.names());
        }
        long floor = kept.isEmpty() ? durable + 1 : Math.max(1, kept.getFirst().counter());
        return new Shipment(writer.session(), job, host, floor, Math.max(floor, received + 1), true, 0, names, frames);
    }

    /** The last frame alone, for a receiver that takes everything that it is sent in its order. */
    public Shipment nextOnly() {
        Shipment.Numbered frame = kept.getLast();
        kept.clear();
        return new Shipment(
                writer.session(), job, host, frame.counter(), frame.counter(), false, 0, List.of(), List.of(frame));
    }

    /** Takes the answer; true if there may be more to send at once. */
    public boolean answered(ShipmentReply reply) {
        long taken = reply.received() - received;
        mostFrames = reply.verdict() == ShipmentReply.Verdict.OVERLOADED
                ? Math.clamp(taken, 1, mostFrames)
                : Math.min(MOST_FRAMES, 2 * mostFrames);
        dueNanos = System.nanoTime() + reply.waitMillis() * 1_000_000;
        received = reply.received();
        durable = reply.durable();
        while (!kept.isEmpty() && kept.getFirst().counter() <= durable) {
            kept.removeFirst();
        }
        namesWanted = reply.verdict() == ShipmentReply.Verdict.NAMES_MISSING;
        return reply.verdict() != ShipmentReply.Verdict.OVERLOADED && !sent();
    }

    /** False while the server wants to be left alone. */
    public boolean due() {
        return System.nanoTime() - dueNanos >= 0;
    }

    /** Sends no frames behind this one before it is told to: as many hosts as there are, none may be far ahead of the others. */
    public void release(long upTo) {
        released = upTo;
    }

    /** True when the server has taken all that was released. */
    public boolean sent() {
        return received >= Math.min(released, last());
    }

    /** The last frame made. */
    public long last() {
        return writer.counter() - 1;
    }

    /** Frames up to it were taken. */
    public long received() {
        return received;
    }

    /** Frames up to it are safe. */
    public long durable() {
        return durable;
    }

    /** Bytes of all frames so far. */
    public long bytes() {
        return bytes;
    }

    /** Name of the host. */
    public String host() {
        return host;
    }

    /** Kernels first, then the steps they belong to, as agents ship them. */
    static List<AgentRecord> step(List<StepDigest> digests, List<KernelWindow> windows, long now) {
        List<AgentRecord> records = new ArrayList<>(windows);
        for (StepDigest d : digests) {
            records.add(d);
            records.add(state(d, now));
        }
        records.add(tick(now));
        return records;
    }
}
