package dev.argus.transport;

/** Who may send. Called by many threads; compares tokens in constant time. */
public interface FrameAccess {
    /**
     * Whether a token is one of any agent: asked before anything of the request is read.
     *
     * @param token the token, empty where none was sent
     */
    boolean isKnown(String token);

    /**
     * Whether a token is one of agents of a job.
     *
     * @param token a token that is known
     * @param job the job, hostile text
     */
    boolean mayShip(String token, String job);
}
