package dev.argus.engine;

import dev.argus.model.StackRecord;
import dev.argus.model.StackRecord.Stack;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Stacks in a detector's state:
 *
 * <pre>
 * attempt, rank, process   zigzag varints     samples   varint     sampled   one byte
 * stacks                   count, then each as {@link RecordCodec} writes it
 * </pre>
 */
final class StackRecordCodec {
    private static final RecordCodec<Stack> STACK = new RecordCodec<>(Stack.class);

    private StackRecordCodec() {}

    static void encode(StackRecord record, WireWriter to) {
        to.writeSigned(record.attempt())
                .writeSigned(record.rank())
                .writeSigned(record.process())
                .writeVarint(record.samples())
                .writeByte(record.sampled() ? 1 : 0)
                .writeVarint(record.stacks().size());
        record.stacks().forEach(s -> STACK.write(s, to));
    }

    static StackRecord decode(WireReader from) {
        int attempt = from.readSignedInt();
        int rank = from.readSignedInt();
        int process = from.readSignedInt();
        long samples = from.readVarint();
        boolean sampled = from.readByte() != 0;
        int n = from.readCount(4);
        List<Stack> stacks = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            stacks.add(STACK.read(from));
        }
        return new StackRecord(attempt, rank, process, stacks, samples, sampled);
    }
}
