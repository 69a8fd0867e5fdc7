package dev.argus.hostlocal;

import dev.argus.engine.DetectorGraph;
import dev.argus.engine.Out;
import dev.argus.engine.Transform;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.HashMap;
import java.util.Map;

/**
 * One detector of the graph with its state by key. Used by one thread at a time.
 *
 * @param <I> record type
 * @param <S> state type
 */
final class KeyedNode<I, S> {
    private final String name;
    private final Transform<I, S> transform;
    private final Map<Long, S> states = new HashMap<>();

    private KeyedNode(String name, Transform<I, S> transform) {
        this.name = name;
        this.transform = transform;
    }

    static <I, S> KeyedNode<I, S> of(DetectorGraph.Node<I, S> node) {
        return new KeyedNode<>(node.name(), node.transform());
    }

    String name() {
        return name;
    }

    void take(I record, Out out) {
        long key = transform.key(record);
        transform.onRecord(states.computeIfAbsent(key, transform::fresh), record, out);
    }

    /** Fires the timer of every key, in ascending order of keys. */
    void timer(long eventNanos, Out out) {
        for (long key : keys()) {
            transform.onTimer(states.computeIfAbsent(key, transform::fresh), eventNanos, out);
        }
    }

    /** In ascending order: only timers and snapshots need one. */
    private long[] keys() {
        return states.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /** All states as bytes. */
    byte[] snapshot() {
        WireWriter to = new WireWriter();
        to.writeVarint(states.size());
        WireWriter one = new WireWriter();
        for (long key : keys()) {
            one.reset();
            transform.encode(states.computeIfAbsent(key, transform::fresh), one);
            to.writeSigned(key).writeBytes(one.toByteArray());
        }
        return to.toByteArray();
    }

    /** Replaces all states by those of a snapshot. */
    void restore(byte[] snapshot) {
        states.clear();
        WireReader from = new WireReader(snapshot);
        int n = from.readCount(2);
        for (int i = 0; i < n; i++) {
            long key = from.readSigned();
            WireReader one = new WireReader(from.readBytes());
            states.put(key, transform.decode(key, one));
            one.expectEnd();
        }
        from.expectEnd();
    }
}
