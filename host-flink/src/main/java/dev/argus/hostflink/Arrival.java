package dev.argus.hostflink;

import java.io.Serializable;
import java.util.Comparator;

/**
 * A record of the topic of frames.
 *
 * @param job whose it is; the empty text as long as nobody has looked into it
 * @param partition partition it came on
 * @param offset its place there
 * @param atMillis when the broker took it, milliseconds since the Unix epoch: the time of its job goes by it
 * @param bytes one shipment, or nothing: a tick, which only says that time has passed; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record Arrival(String job, int partition, long offset, long atMillis, byte[] bytes) implements Serializable {
    /** The order in which records of a job are judged, whatever the order in which partitions were read. */
    static final Comparator<Arrival> ORDER = Comparator.comparingLong(Arrival::atMillis)
            .thenComparingInt(Arrival::partition)
            .thenComparingLong(Arrival::offset);

    /** True if it only says that time has passed. */
    boolean isTick() {
        return bytes.length == 0;
    }

    /** The same, of a job. */
    Arrival of(String whose) {
        return new Arrival(whose, partition, offset, atMillis, bytes);
    }

    /** The same, at another time. */
    Arrival at(long millis) {
        return millis == atMillis ? this : new Arrival(job, partition, offset, millis, bytes);
    }
}
