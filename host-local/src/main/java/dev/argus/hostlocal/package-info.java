/**
 * Runs the transforms of {@code engine} in one process: keyed state, timers, snapshots. The executor is passed in. Begin with
 * {@link dev.argus.hostlocal.LocalDiagnosis}, which takes a folder of traces from the file to the verdict.
 *
 * <p>Threads: the host decides which thread calls which transform; one key is never processed by two threads at once.
 *
 * <p>Must not import {@code cli}.
 */
@NullMarked
package dev.argus.hostlocal;

import org.jspecify.annotations.NullMarked;
