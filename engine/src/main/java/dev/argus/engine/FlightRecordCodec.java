package dev.argus.engine;

import dev.argus.model.FlightRecord;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.FlightRecord.Group;
import dev.argus.model.FlightRecord.Status;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Flight records in a detector's state:
 *
 * <pre>
 * attempt, rank, entries, first and last moment   zigzag varints
 * groups, statuses, calls                          count, then each as {@link RecordCodec} writes it
 * </pre>
 */
final class FlightRecordCodec {
    private static final RecordCodec<Group> GROUP = new RecordCodec<>(Group.class);
    private static final RecordCodec<Status> STATUS = new RecordCodec<>(Status.class);
    private static final RecordCodec<Call> CALL = new RecordCodec<>(Call.class);

    private FlightRecordCodec() {}

    static void encode(FlightRecord record, WireWriter to) {
        to.writeSigned(record.attempt())
                .writeSigned(record.rank())
                .writeSigned(record.entries())
                .writeSigned(record.firstNanos())
                .writeSigned(record.lastNanos());
        write(record.groups(), GROUP, to);
        write(record.statuses(), STATUS, to);
        write(record.calls(), CALL, to);
    }

    static FlightRecord decode(WireReader from) {
        int attempt = from.readSignedInt();
        int rank = from.readSignedInt();
        int entries = from.readSignedInt();
        long first = from.readSigned();
        long last = from.readSigned();
        return new FlightRecord(
                attempt, rank, read(GROUP, 3, from), read(STATUS, 6, from), read(CALL, 8, from), entries, first, last);
    }

    private static <R extends Record> void write(List<R> list, RecordCodec<R> codec, WireWriter to) {
        to.writeVarint(list.size());
        list.forEach(r -> codec.write(r, to));
    }

    private static <R extends Record> List<R> read(RecordCodec<R> codec, int bytesEach, WireReader from) {
        int n = from.readCount(bytesEach);
        List<R> list = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            list.add(codec.read(from));
        }
        return list;
    }
}
