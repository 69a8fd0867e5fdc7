package dev.argus.hostlocal;

import dev.argus.engine.DetectorGraph;
import dev.argus.engine.Out;
import dev.argus.engine.Transform;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * One detector of the graph with its state by key. Keys are divided among lanes: a lane may be used while others are, each by one
 * thread at a time; everything else is for one thread that uses the node alone.
 *
 * @param <I> record type
 * @param <S> state type
 */
final class KeyedNode<I, S> {
    private final String name;
    private final Transform<I, S> transform;
    private final Lanes lanes;
    private final int salt;
    private final List<Map<Long, S>> states = new ArrayList<>();

    private KeyedNode(DetectorGraph.Node<I, S> node, Lanes lanes) {
        this.name = node.name();
        this.transform = node.transform();
        this.lanes = lanes;
        this.salt = name.length(); // so that two detectors of one key each may be on two lanes
        for (int l = 0; l < lanes.count(); l++) {
            states.add(new HashMap<>());
        }
    }

    static <I, S> KeyedNode<I, S> of(DetectorGraph.Node<I, S> node, Lanes lanes) {
        return new KeyedNode<>(node, lanes);
    }

    String name() {
        return name;
    }

    long key(I record) {
        return transform.key(record);
    }

    int lane(long key) {
        return lanes.of(key + salt);
    }

    /** Takes all records of a batch whose states are on a lane, and says of each where it stood before it may emit. */
    void take(int lane, Routed<I> batch, LongConsumer at, Out out) {
        Map<Long, S> own = states.get(lane);
        batch.drain((key, records) -> {
            S state = own.computeIfAbsent(key, transform::fresh);
            records.forEach((place, record) -> {
                at.accept(place);
                transform.onRecord(state, record, out);
            });
        });
    }

    /** Takes a record of a key of a lane. */
    void take(int lane, long key, I record, Out out) {
        transform.onRecord(states.get(lane).computeIfAbsent(key, transform::fresh), record, out);
    }

    void take(I record, Out out) {
        long key = transform.key(record);
        take(lane(key), key, record, out);
    }

    /** Keys of all lanes, in ascending order: only timers and snapshots need one. */
    long[] keys() {
        return states.stream()
                .flatMapToLong(m -> m.keySet().stream().mapToLong(Long::longValue))
                .sorted()
                .toArray();
    }

    /** Fires the timer of one key. */
    void timer(long key, long eventNanos, Out out) {
        transform.onTimer(state(key), eventNanos, out);
    }

    /** Fires the timer of every key, in ascending order of keys. */
    void timers(long eventNanos, Out out) {
        LongStream.of(keys()).forEach(key -> timer(key, eventNanos, out));
    }

    private S state(long key) {
        S state = states.get(lane(key)).get(key);
        return state == null ? transform.fresh(key) : state;
    }

    /** All states as bytes. */
    byte[] snapshot() {
        WireWriter to = new WireWriter();
        encode(to, () -> {});
        return to.toByteArray();
    }

    /**
     * Writes all states down.
     *
     * @param to where
     * @param written told after each state, so that what was written may be taken away
     */
    void encode(WireWriter to, Runnable written) {
        long[] keys = keys();
        to.writeVarint(keys.length);
        WireWriter one = new WireWriter();
        for (long key : keys) {
            one.reset();
            transform.encode(state(key), one);
            to.writeSigned(key).writeBytes(one.toByteArray());
            written.run();
        }
    }

    /** Replaces all states by those of a snapshot. */
    void restore(byte[] snapshot) {
        WireReader from = new WireReader(snapshot);
        decode(from);
        from.expectEnd();
    }

    /** Replaces all states by those that {@link #encode} wrote. */
    void decode(WireReader from) {
        states.forEach(Map::clear);
        int n = from.readCount(2);
        for (int i = 0; i < n; i++) {
            long key = from.readSigned();
            WireReader one = new WireReader(from.readBytes());
            states.get(lane(key)).put(key, transform.decode(key, one));
            one.expectEnd();
        }
    }
}
