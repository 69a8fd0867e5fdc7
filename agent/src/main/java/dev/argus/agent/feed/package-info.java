/**
 * From the events of one rank, as its producers write them, to its steps as they end, and to what it is doing now. Begin with {@link
 * dev.argus.agent.feed.RankFeed}.
 *
 * <p>Owns no thread, clock or file: whoever calls says what time it is.
 */
@NullMarked
package dev.argus.agent.feed;

import org.jspecify.annotations.NullMarked;
