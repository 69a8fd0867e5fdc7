package dev.argus.engine;

import dev.argus.model.FlightRecord;
import dev.argus.model.GpuReading;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.SideRecord;
import dev.argus.model.StackRecord;
import dev.argus.wire.FlightRecordCodec;
import dev.argus.wire.StackRecordCodec;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Map;
import java.util.TreeMap;

/**
 * Judges what files beside traces say. Key: attempt.
 *
 * <p>Flight records: who keeps a stopped job from going on ({@link HangSuspects}). Stacks: which processes do the same, and who is the odd
 * one out ({@link StackGroups}); they also say what the ranks of a hang were doing.
 *
 * <p>State: the last flight record of each rank, some 100 bytes a group and at most 64 open calls of a group of some 20 bytes; the stacks of
 * each process, at most 8 of 128 frames. One state has all of them, for the blame walks over all groups; it is asked for once a hang, not once a step.
 */
final class SideRecords implements Transform<SideRecord, SideRecords.State> {
    private final JobShape shape;
    private final NameTable names;

    SideRecords(JobShape shape, NameTable names) {
        this.shape = shape;
        this.names = names;
    }

    /** What was received for one attempt. */
    static final class State {
        final Map<Integer, FlightRecord> flights = new TreeMap<>();

        /** By rank and name id of the process. */
        final Map<Long, StackRecord> stacks = new TreeMap<>();
    }

    @Override
    public long key(SideRecord record) {
        int attempt = switch (record) {
            case FlightRecord r -> r.attempt();
            case StackRecord r -> r.attempt();
            case GpuReading r -> r.attempt();
        };
        return Keys.of(attempt, 0, 0);
    }

    @Override
    public State fresh(long key) {
        return new State();
    }

    @Override
    public void onRecord(State state, SideRecord record, Out out) {
        switch (record) {
            case FlightRecord r -> flight(state, r, out);
            case StackRecord r -> state.stacks.put((long) r.rank() << 32 | r.process(), r);
            case GpuReading r ->
                out.loss("reading-without-suspect"); // GpuTelemetry joins readings with the suspects of all detectors
        }
    }

    private static void flight(State state, FlightRecord record, Out out) {
        FlightRecord known = state.flights.get(record.rank());
        if (known == null) {
            state.flights.put(record.rank(), record);
        } else if (!known.equals(record)) {
            out.loss("older-flight-record");
            if (later(record, known)) {
                state.flights.put(record.rank(), record);
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
    public void onTimer(State state, long eventNanos, Out out) {
        StackGroups stacks = new StackGroups(state.stacks.values(), shape, names);
        if (!state.flights.isEmpty()) {
            out.emit(stacks.beside(new HangSuspects(state.flights, shape, names).draw()));
        } else if (!state.stacks.isEmpty()) {
            out.emit(stacks.alone());
        }
    }

    @Override
    public void encode(State state, WireWriter to) {
        to.writeVarint(state.flights.size());
        state.flights.values().forEach(record -> FlightRecordCodec.encode(record, to));
        to.writeVarint(state.stacks.size());
        state.stacks.values().forEach(record -> StackRecordCodec.encode(record, to));
    }

    @Override
    public State decode(long key, WireReader from) {
        State state = fresh(key);
        int flights = from.readCount(8);
        for (int i = 0; i < flights; i++) {
            FlightRecord record = FlightRecordCodec.decode(from);
            state.flights.put(record.rank(), record);
        }
        int stacks = from.readCount(6);
        for (int i = 0; i < stacks; i++) {
            StackRecord record = StackRecordCodec.decode(from);
            state.stacks.put((long) record.rank() << 32 | record.process(), record);
        }
        return state;
    }
}
