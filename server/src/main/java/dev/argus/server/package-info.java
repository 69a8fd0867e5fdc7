/**
 * The server: one process that takes frames of many hosts, diagnoses their jobs while they run, and tells whoever asks.
 *
 * <p>Its packages, lowest first: {@code config} (settings), {@code job} (the jobs and what is known of each: {@link dev.argus.server.job.Fleet}), {@code ingest} (frames to jobs, checkpoints), {@code control}
 * (commands to agents), {@code access} (who may ask for what), {@code http} (listening, routes, events), {@code api} (what can be asked, documents), {@code page} (the files of the page), {@code metrics} and {@code alerts}. Only this package assembles them.
 *
 * <p>Must not import {@code agent} or {@code cli}.
 */
@NullMarked
package dev.argus.server;

import org.jspecify.annotations.NullMarked;
