package dev.argus.engine;

import dev.argus.model.FlightRecord;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who keeps a stopped job from going on, from what each rank's flight recorder holds. Key: attempt.
 *
 * <p>State: the last record of each rank, some 100 bytes a group and at most 64 open calls of a group of some 20 bytes. One state has all of them, for the
 * blame walks over all groups ({@link HangSuspects}); it is asked for once a hang, not once a step.
 */
final class Hangs implements Transform<FlightRecord, Map<Integer, FlightRecord>> {
    private final JobShape shape;
    private final NameTable names;

    Hangs(JobShape shape, NameTable names) {
        this.shape = shape;
        this.names = names;
    }

    @Override
    public long key(FlightRecord record) {
        return Keys.of(record.attempt(), 0, 0);
    }

    @Override
    public Map<Integer, FlightRecord> fresh(long key) {
        return new TreeMap<>();
    }

    @Override
    public void onRecord(Map<Integer, FlightRecord> state, FlightRecord record, Out out) {
        FlightRecord known = state.get(record.rank());
        if (known == null) {
            state.put(record.rank(), record);
        } else if (!known.equals(record)) {
            out.loss("older-flight-record");
            if (later(record, known)) {
                state.put(record.rank(), record);
            }
        }
    }

    /** True if the first shows more: by time, then by progress, then by anything that does not depend on who came first. */
    private static boolean later(FlightRecord a, FlightRecord b) {
        if (a.lastNanos() != b.lastNanos()) {
            return a.lastNanos() > b.lastNanos();
        }
        long farther = progress(a) - progress(b);
        return farther != 0 ? farther > 0 : a.toString().compareTo(b.toString()) > 0;
    }

    private static long progress(FlightRecord record) {
        return record.statuses().stream()
                .mapToLong(s -> Math.max(0, s.enqueued()) + Math.max(0, s.completed()))
                .sum();
    }

    @Override
    public void onTimer(Map<Integer, FlightRecord> state, long eventNanos, Out out) {
        if (!state.isEmpty()) {
            out.emit(new HangSuspects(state, shape, names).draw());
        }
    }

    @Override
    public void encode(Map<Integer, FlightRecord> state, WireWriter to) {
        to.writeVarint(state.size());
        state.values().forEach(record -> FlightRecordCodec.encode(record, to));
    }

    @Override
    public Map<Integer, FlightRecord> decode(long key, WireReader from) {
        Map<Integer, FlightRecord> state = fresh(key);
        int n = from.readCount(8);
        for (int i = 0; i < n; i++) {
            FlightRecord record = FlightRecordCodec.decode(from);
            state.put(record.rank(), record);
        }
        return state;
    }
}
