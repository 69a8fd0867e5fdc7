/**
 * What a job would have taken if some of its work had taken another time: the recorded operations of all ranks, played again in the
 * order in which they waited for each other.
 *
 * <p>Begin at {@link dev.argus.engine.replay.Schedule}.
 */
@NullMarked
package dev.argus.engine.replay;

import org.jspecify.annotations.NullMarked;
