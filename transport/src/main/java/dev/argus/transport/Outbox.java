package dev.argus.transport;

import dev.argus.model.AgentRecord;
import dev.argus.model.NameTable;
import dev.argus.model.RecordLoss;
import dev.argus.wire.FrameWriter;
import dev.argus.wire.SessionId;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The agent's end: records in, frames into the {@link Spool}. A frame is closed when it is full, and whenever the agent {@link #flush flushes}: after each
 * step it wants known at once. Losses of the spool and of this box are shipped with the next frame.
 *
 * <p>Thread-safe. Never blocks on the network.
 */
public final class Outbox {
    /** A record that no frame could hold. */
    public static final String RECORD_TOO_LARGE = "record-too-large";

    /** Records of a frame that the spool did not take. */
    public static final String NOT_SPOOLED = "records-not-spooled";

    private final Spool spool;
    private final String job;
    private final String host;
    private final NameTable names;
    private final Supplier<SessionId> sessions;
    private final LongSupplier epochNanos;
    private final Map<String, Long> own = new TreeMap<>();
    private final Map<String, Long> shipped = new TreeMap<>();
    private FrameWriter writer;
    private int attempt;

    /**
     * Begins a session.
     *
     * @param spool where frames go
     * @param job the job
     * @param host the host
     * @param names table that the records' name ids are of
     * @param sessions gives 128 random bits, never the same twice
     * @param epochNanos the wall clock, nanoseconds since the Unix epoch
     */
    public Outbox(
            Spool spool,
            String job,
            String host,
            NameTable names,
            Supplier<SessionId> sessions,
            LongSupplier epochNanos) {
        this.spool = spool;
        this.job = job;
        this.host = host;
        this.names = names;
        this.sessions = sessions;
        this.epochNanos = epochNanos;
        this.writer = new FrameWriter(sessions.get(), job, host, names);
    }

    /** From here on frames are of this attempt of the job. */
    public synchronized void attempt(int newAttempt) {
        if (newAttempt != attempt) {
            flush();
            attempt = newAttempt;
        }
    }

    /** Puts a record into the frame that is being filled; where its names are too many for one frame, those before bring them. */
    public synchronized void add(AgentRecord record) {
        FrameWriter.Added added = writer.add(record);
        if (added == FrameWriter.Added.FULL || (added == FrameWriter.Added.NEVER && writer.isFull())) {
            flush(); // which may begin a new session, with room for its names
            added = writer.add(record);
        }
        while (added == FrameWriter.Added.FULL && spooled(Map.of())) {
            added = writer.add(record);
        }
        if (added != FrameWriter.Added.YES) {
            own.merge(added == FrameWriter.Added.FULL ? NOT_SPOOLED : RECORD_TOO_LARGE, 1L, Long::sum);
        }
    }

    /** Closes the frame that is being filled, if it has any record or there is a loss to tell. */
    public synchronized void flush() {
        Map<String, Long> told = tell();
        if (writer.hasContent()) {
            spooled(told);
        }
        if (writer.isFull()) {
            writer = new FrameWriter(sessions.get(), job, host, names);
        }
    }

    /** Puts the frame into the spool; false if it did not take it, and the frame is empty again. */
    private boolean spooled(Map<String, Long> told) {
        byte[] frame = writer.frame(attempt, epochNanos.getAsLong());
        boolean taken = spool.append(writer.session(), writer.counter(), writer::names, frame);
        if (taken) {
            writer.stored();
            shipped.putAll(told);
        } else {
            own.merge(NOT_SPOOLED, (long) writer.count() - told.size(), Long::sum); // those are told again
            writer.discard();
        }
        return taken;
    }

    /** Adds what was lost since it was last told; returns the totals that are told with this frame. */
    private Map<String, Long> tell() {
        Map<String, Long> totals = new TreeMap<>(own);
        spool.losses().forEach((reason, count) -> totals.merge(reason, count, Long::sum));
        Map<String, Long> told = new TreeMap<>();
        totals.forEach((reason, total) -> {
            long fresh = total - shipped.getOrDefault(reason, 0L);
            if (fresh > 0
                    && writer.add(new RecordLoss(attempt, -1, names.id(reason), fresh)) == FrameWriter.Added.YES) {
                told.put(reason, total);
            }
        });
        return told;
    }
}
