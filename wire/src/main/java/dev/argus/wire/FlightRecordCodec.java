package dev.argus.wire;

import dev.argus.model.FlightRecord;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.FlightRecord.Group;
import dev.argus.model.FlightRecord.Status;
import java.util.ArrayList;
import java.util.List;

/**
 * Flight records in a detector's state and, with the numbers of a session instead of name ids, in a frame:
 *
 * <pre>
 * attempt, rank, entries, first and last moment   zigzag varints
 * groups, statuses, calls                          count, then each as {@link RecordCodec} writes it
 * </pre>
 */
public final class FlightRecordCodec {
    private static final RecordCodec<Group> GROUP = new RecordCodec<>(Group.class);
    private static final RecordCodec<Status> STATUS = new RecordCodec<>(Status.class);
    private static final RecordCodec<Call> CALL = new RecordCodec<>(Call.class);

    private FlightRecordCodec() {}

    /** Appends a record. */
    public static void encode(FlightRecord record, WireWriter to) {
        to.writeSigned(record.attempt())
                .writeSigned(record.rank())
                .writeSigned(record.entries())
                .writeSigned(record.firstNanos())
                .writeSigned(record.lastNanos());
        write(record.groups(), GROUP, to);
        write(record.statuses(), STATUS, to);
        write(record.calls(), CALL, to);
    }

    /**
     * Reads a record.
     *
     * @throws WireException if the bytes are not what {@link #encode} writes
     */
    public static FlightRecord decode(WireReader from) {
        int attempt = from.readSignedInt();
        int rank = from.readSignedInt();
        int entries = from.readSignedInt();
        long first = from.readSigned();
        long last = from.readSigned();
        return new FlightRecord(
                attempt, rank, read(GROUP, 3, from), read(STATUS, 6, from), read(CALL, 8, from), entries, first, last);
    }

    static <R extends Record> void write(List<R> list, RecordCodec<R> codec, WireWriter to) {
        to.writeVarint(list.size());
        list.forEach(r -> codec.write(r, to));
    }

    static <R extends Record> List<R> read(RecordCodec<R> codec, int bytesEach, WireReader from) {
        int n = from.readCount(bytesEach);
        List<R> list = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            list.add(codec.read(from));
        }
        return list;
    }
}
