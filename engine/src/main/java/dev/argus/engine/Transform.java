package dev.argus.engine;

import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;

/**
 * A detector as a pure keyed transform: no thread, no clock, no I/O, no randomness. A host keeps one state a key, hands over
 * records and timers, and can write a state down and take it up again anywhere.
 *
 * <p>The same records in any order within the allowed lateness give the same partials. A key is computed from the record
 * alone. State is bounded: each transform states its bound.
 *
 * @param <I> record type
 * @param <S> state type
 */
public interface Transform<I, S> {
    /** Key of a record. */
    long key(I record);

    /** State of a key not met before. */
    S fresh(long key);

    /** Takes a record. */
    void onRecord(S state, I record, Out out);

    /** A timer asked for by {@link Out#timer} is due, or the input has ended ({@code Long.MAX_VALUE}). */
    void onTimer(S state, long eventNanos, Out out);

    /** Writes a state down. */
    void encode(S state, WireWriter to);

    /**
     * Takes a state up again.
     *
     * @throws dev.argus.wire.WireException if the bytes are not what {@link #encode} writes
     */
    S decode(long key, WireReader from);
}
