package dev.argus.model;

/**
 * A gap in the work of one GPU.
 *
 * @param startNanos start, nanoseconds since the Unix epoch by the clock of the host
 * @param durationNanos length
 * @param hostLate true when the work after the gap was launched only after the gap had begun
 * @param beforeInput true when the gap ends with a host-to-device copy that is the first of its step: its input
 * @param afterWork true when the gap lies behind the last work of its step, or, where steps are taken from the optimizer, before the next one computes
 * @param cover name id of what the CPU was doing most of the gap, the most specific range known; -1 when unknown
 * @param coverKind origin of that range; {@link SpanKind#RUNTIME} when unknown
 */
public record Gap(
        long startNanos,
        long durationNanos,
        boolean hostLate,
        boolean beforeInput,
        boolean afterWork,
        int cover,
        SpanKind coverKind) {}
