/**
 * One job that goes on: what its ranks report, step after step, becomes incidents while they happen. Begin with {@link
 * dev.argus.hostlocal.live.LiveJob}.
 *
 * <p>Time is data here: whoever calls says what time it is, so that a recorded input gives the same incidents again. One thread at a time.
 *
 * <p>Must not import {@code cli}, nor know where the records come from.
 */
@NullMarked
package dev.argus.hostlocal.live;

import org.jspecify.annotations.NullMarked;
