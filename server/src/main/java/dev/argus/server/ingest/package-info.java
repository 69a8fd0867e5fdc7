/**
 * Frames to jobs, and what is kept of them. Entry: {@link dev.argus.server.ingest.Jobs}; {@link dev.argus.server.ingest.Checkpoints} keeps rows and state.
 *
 * <p>Threads: each job has one, which alone touches its {@code LiveJob}; frames come on the threads of whoever listens.
 *
 * <p>Must not import {@code api}, {@code http}, {@code metrics}, {@code alerts} or {@code control}.
 */
@NullMarked
package dev.argus.server.ingest;

import org.jspecify.annotations.NullMarked;
