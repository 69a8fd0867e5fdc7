/**
 * Detectors as pure transforms in a fixed acyclic graph: iterations (L1), phases and ranks (L2), kernels (L3), the
 * ledger of who waited for whom, causes, incidents.
 *
 * <p>Threads: a transform is called by one thread at a time and owns none.
 *
 * <p>Must not import {@code trace}, a host or any higher floor; no thread, clock, I/O or unseeded randomness.
 */
@NullMarked
package dev.argus.engine;

import org.jspecify.annotations.NullMarked;
