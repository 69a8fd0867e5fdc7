package dev.argus.wire;

import dev.argus.model.StackRecord;
import dev.argus.model.StackRecord.Stack;
import java.util.ArrayList;
import java.util.List;

/**
 * Stacks in a detector's state and, with the numbers of a session instead of name ids, in a frame:
 *
 * <pre>
 * attempt, rank, process   zigzag varints     samples   varint     sampled   one byte
 * stacks                   count, then each as {@link RecordCodec} writes it
 * </pre>
 */
public final class StackRecordCodec {
    private static final RecordCodec<Stack> STACK = new RecordCodec<>(Stack.class);

    private StackRecordCodec() {}

    /** Appends a record. */
    public static void encode(StackRecord record, WireWriter to) {
        to.writeSigned(record.attempt())
                .writeSigned(record.rank())
                .writeSigned(record.process())
                .writeVarint(record.samples())
                .writeByte(record.sampled() ? 1 : 0)
                .writeVarint(record.stacks().size());
        record.stacks().forEach(s -> STACK.write(s, to));
    }

    /**
     * Reads a record.
     *
     * @throws WireException if the bytes are not what {@link #encode} writes
     */
    public static StackRecord decode(WireReader from) {
        int attempt = from.readSignedInt();
        int rank = from.readSignedInt();
        int process = from.readSignedInt();
        long samples = from.readVarint();
        boolean sampled = from.readFlags(1) != 0;
        int n = from.readCount(4);
        List<Stack> stacks = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            stacks.add(STACK.read(from));
        }
        return new StackRecord(attempt, rank, process, stacks, samples, sampled);
    }
}
