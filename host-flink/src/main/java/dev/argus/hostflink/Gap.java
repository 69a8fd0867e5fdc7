package dev.argus.hostflink;

import java.io.Serializable;

/**
 * A while in which nothing at all came on a partition, not even a tick: the broker or this job was not there, and what was not heard meanwhile is held against nobody.
 *
 * @param fromMillis time of the last record before, milliseconds since the Unix epoch
 * @param untilMillis time of the first one after
 */
public record Gap(long fromMillis, long untilMillis) implements Serializable {}
