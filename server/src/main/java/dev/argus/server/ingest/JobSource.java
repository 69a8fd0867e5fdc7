package dev.argus.server.ingest;

import dev.argus.server.job.Fleet;
import dev.argus.storage.Rows;
import dev.argus.transport.ReceiverStatus;
import dev.argus.transport.ShipmentReceiver;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Where a server has its jobs from: it diagnoses them itself ({@link Ingest}), or others do. Thread-safe. */
public interface JobSource extends AutoCloseable {
    /**
     * Goes on where the last checkpoint was taken. Frames may come from here on.
     *
     * @return what could not be restored, in sentences
     */
    List<String> start() throws IOException;

    /** The jobs. */
    Fleet fleet();

    /** Takes shipments of agents. */
    ShipmentReceiver receiver();

    /** What was received so far, by whatever way. */
    default ReceiverStatus received() {
        return receiver().status();
    }

    /** How checkpoints go. */
    Checkpoints.Status checkpoints();

    /** Bytes of frames that wait to be judged. */
    long queuedBytes();

    /** Why nothing new is taken at the moment, in a sentence; empty while it is. */
    default String held() {
        return "";
    }

    /** What was dropped from memory for want of room, by what it was; what was kept of it stays. */
    default Map<String, Long> dropped() {
        return Map.of();
    }

    /** Keeps the row of an object of a job with the next checkpoint. */
    void stored(String job, Rows.StoredObject object);

    /** Takes a last checkpoint, and ends. The store stays open. */
    @Override
    void close();
}
