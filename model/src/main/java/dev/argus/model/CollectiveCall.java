package dev.argus.model;

/**
 * Identity of one collective as its caller states it.
 *
 * <p>Two ranks took part in the same instance when group and sequence agree; without a sequence ({@code -1}) the order of
 * calls within the group decides.
 *
 * @param op operation
 * @param group name id of the process group, or -1 when the trace does not say
 * @param sequence number of the call within its group, or -1 when the trace does not say
 * @param bytes payload of this rank in bytes (the larger of input and output), or -1 when unknown
 * @param peer global rank of the other side of a point-to-point operation or the root, or -1
 * @param groupSize number of members stated, or -1
 * @param members name id of the printed list of members ("[0, 1, ...]", possibly cut), or -1; parsed once per distinct
 *     text by whoever builds the groups
 */
public record CollectiveCall(
        CollectiveOp op, int group, long sequence, long bytes, int peer, int groupSize, int members) {}
