package dev.argus.hostlocal.live;

import dev.argus.model.FlightRecord;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.FlightRecord.Group;
import dev.argus.model.FlightRecord.Status;
import dev.argus.model.RankSet;
import dev.argus.wire.RecordCodec;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Flight records of all ranks, their groups written once: all members of a group list the same ranks. */
final class FlightBook {
    private static final RecordCodec<Status> STATUS = new RecordCodec<>(Status.class);
    private static final RecordCodec<Call> CALL = new RecordCodec<>(Call.class);

    private FlightBook() {}

    static void encode(Collection<FlightRecord> flights, SnapshotOut out) {
        WireWriter to = out.to();
        Map<Group, Integer> groups = new LinkedHashMap<>();
        flights.forEach(f -> f.groups().forEach(g -> groups.putIfAbsent(g, groups.size())));
        to.writeVarint(groups.size());
        groups.keySet().forEach(g -> {
            to.writeSigned(g.name()).writeSigned(g.label()).writeByte(g.complete() ? 1 : 0);
            to.writeVarint(g.members().size());
            int[] before = {0};
            g.members().stream().forEach(rank -> {
                to.writeSigned((long) rank - before[0]); // whatever ranks somebody lists
                before[0] = rank;
            });
            out.written();
        });
        to.writeVarint(flights.size());
        for (FlightRecord f : flights) {
            to.writeSigned(f.attempt())
                    .writeSigned(f.rank())
                    .writeSigned(f.entries())
                    .writeSigned(f.firstNanos())
                    .writeSigned(f.lastNanos())
                    .writeVarint(f.groups().size());
            f.groups().forEach(g -> to.writeVarint(groups.getOrDefault(g, 0)));
            to.writeVarint(f.statuses().size());
            f.statuses().forEach(s -> STATUS.write(s, to));
            to.writeVarint(f.calls().size());
            f.calls().forEach(c -> CALL.write(c, to));
            out.written();
        }
    }

    static List<FlightRecord> decode(WireReader from) {
        List<Group> groups = list(4, FlightBook::group, from);
        return list(
                8,
                r -> {
                    int attempt = r.readSignedInt();
                    int rank = r.readSignedInt();
                    int entries = r.readSignedInt();
                    long first = r.readSigned();
                    long last = r.readSigned();
                    List<Group> own = list(1, w -> groups.get(below(w.readInt(), groups.size())), r);
                    return new FlightRecord(
                            attempt, rank, own, list(6, STATUS::read, r), list(8, CALL::read, r), entries, first, last);
                },
                from);
    }

    private static Group group(WireReader from) {
        int name = from.readSignedInt();
        int label = from.readSignedInt();
        boolean complete = from.readByte() != 0;
        int[] members = new int[from.readCount(1)];
        int before = 0;
        for (int i = 0; i < members.length; i++) {
            before += (int) from.readSigned();
            members[i] = before;
        }
        return new Group(name, label, RankSet.of(members), complete);
    }

    private static int below(int at, int size) {
        if (at >= size) {
            throw new WireException("group " + at + " of " + size);
        }
        return at;
    }

    private static <T> List<T> list(int bytesEach, Function<WireReader, T> each, WireReader from) {
        int n = from.readCount(bytesEach);
        List<T> list = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            list.add(each.apply(from));
        }
        return list;
    }
}
