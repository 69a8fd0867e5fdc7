package dev.argus.engine;

/**
 * How much of a peer set's compute one kernel is: what was not slow is evidence too.
 *
 * @param attempt attempt of the job
 * @param peerSet position of the peer set
 * @param kernel name id
 * @param nanosPerStep the peers' typical time of this kernel a step
 */
public record KernelShare(int attempt, int peerSet, int kernel, double nanosPerStep) implements Partial {}
