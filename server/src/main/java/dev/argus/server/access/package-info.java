/**
 * Who may ask a server for what. Entry: {@link dev.argus.server.access.Gate}.
 *
 * <p>Threads: everything is thread-safe. Time is passed in. Must not import the other packages of the server but {@code config}.
 */
@NullMarked
package dev.argus.server.access;

import org.jspecify.annotations.NullMarked;
