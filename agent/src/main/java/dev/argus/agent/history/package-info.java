/**
 * The raw events of the last minutes, in a bounded ring of files, and excerpts of them as timelines. Begin with {@link
 * dev.argus.agent.history.RawHistory}.
 *
 * <p>Threads: events are taken on the agent's thread; excerpts are written on one thread of their own.
 */
@NullMarked
package dev.argus.agent.history;

import org.jspecify.annotations.NullMarked;
