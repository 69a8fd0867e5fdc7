/**
 * Listening, routes, answers and live events; knows nothing of jobs. Entry: {@link dev.argus.server.http.HttpFront}, which serves the
 * {@link dev.argus.server.http.Route}s of a {@link dev.argus.server.http.Router}.
 *
 * <p>Threads: a request has a virtual thread; what belongs to one ({@code Call}, {@code Answer}) is not shared, the rest is thread-safe.
 *
 * <p>Must not import the other packages of the server but {@code config} and {@code access}.
 */
@NullMarked
package dev.argus.server.http;

import org.jspecify.annotations.NullMarked;
