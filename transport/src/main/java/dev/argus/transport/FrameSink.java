package dev.argus.transport;

import dev.argus.model.NameTable;
import dev.argus.wire.Frame;
import dev.argus.wire.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * Where received frames go. Called by many threads, but for one session by one at a time and in order.
 *
 * <p>Whatever it throws is the server's own failure: the agent is told to come again, and the frame is not counted as taken.
 */
public interface FrameSink {
    /** The table that name ids of a job's records are of, or null when there is no such job here. */
    @Nullable
    NameTable names(String job);

    /**
     * Takes all of a frame, or nothing of it. Must not block.
     *
     * @return false when there is no room: it will come again
     */
    boolean take(Frame frame);

    /**
     * Frames of a session that will never come: dropped by the agent, whose own frames say why ({@link SpoolLoss}), or lost with it.
     *
     * @param session session
     * @param job job
     * @param host host
     * @param first first number
     * @param last last number
     */
    void missing(SessionId session, String job, String host, long first, long last);
}
