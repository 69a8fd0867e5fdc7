package dev.argus.wire;

/**
 * Whose frame it is, and which.
 *
 * @param session session of the agent
 * @param counter number of the frame in its session, from 1, contiguous
 * @param job the job; hostile text
 * @param attempt attempt of the job when it was made
 * @param host the host; hostile text
 * @param madeNanos when it was made, nanoseconds since the Unix epoch by the clock of the host
 */
public record FrameHead(SessionId session, long counter, String job, int attempt, String host, long madeNanos) {
    /** Most bytes of a frame. */
    public static final int MOST_BYTES = 1 << 20;

    /** Most bytes of the name of a job or host, as UTF-8. */
    public static final int MOST_NAME_BYTES = 256;

    /** Most of a counter. */
    public static final long MOST_COUNTER = 1L << 48;
}
