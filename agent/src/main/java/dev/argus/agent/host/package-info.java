/**
 * The agent of a host as a whole: the collector with its history, whoever asks it, and what it tells of itself. Begin with {@link
 * dev.argus.agent.host.HostAgent}.
 *
 * <p>Threads: one drives it, as it drives the collector.
 *
 * <p>Must not import {@code cli}; nothing else of the room knows it.
 */
@NullMarked
package dev.argus.agent.host;

import org.jspecify.annotations.NullMarked;
