/**
 * Byte layouts: frames between hosts, encoded summaries, ring records, and the varint and checksum primitives they
 * share. One class owns each layout.
 *
 * <p>Threads: encoders and decoders belong to one thread at a time; what they return is immutable.
 *
 * <p>Must not import {@code sketch}, {@code digest} or any higher floor.
 */
@NullMarked
package dev.argus.wire;

import org.jspecify.annotations.NullMarked;
