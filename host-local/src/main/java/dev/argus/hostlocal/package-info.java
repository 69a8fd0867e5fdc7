/**
 * Runs the transforms of {@code engine} in one process: keyed state, timers, snapshots. The executor is passed in.
 *
 * <p>Threads: the host decides which thread calls which transform; one key is never processed by two threads at once.
 *
 * <p>Must not import {@code cli} or {@code trace}.
 */
@NullMarked
package dev.argus.hostlocal;

import org.jspecify.annotations.NullMarked;
