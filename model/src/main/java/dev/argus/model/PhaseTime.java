package dev.argus.model;

/**
 * Time of one phase in one step of one rank.
 *
 * @param phase phase
 * @param spanNanos length of the phase's ranges on the CPU, nested ranges of the same phase counted once, collectives that
 *     the same thread waited for taken out
 * @param computeNanos plain sum of compute kernels launched inside
 */
public record PhaseTime(Phase phase, long spanNanos, long computeNanos) {}
