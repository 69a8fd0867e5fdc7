package dev.argus.wire;

import dev.argus.model.AgentRecord;
import dev.argus.model.AgentTick;
import dev.argus.model.FlightRecord;
import dev.argus.model.GpuReading;
import dev.argus.model.KernelWindow;
import dev.argus.model.OpaqueRecord;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.RecordLoss;
import dev.argus.model.StackRecord;
import dev.argus.model.StepDigest;
import java.util.function.IntUnaryOperator;

/**
 * One record of a frame: {@code kind:byte, length, content}. A reader that does not know the kind steps over it.
 *
 * <pre>
 * 1 declaration   RankDeclarationCodec          6 reading    GpuReadingCodec
 * 2 step          ShippedDigestCodec, version 2 7 loss       RecordCodec
 * 3 kernels       NumberedWindowCodec           8 state      RecordCodec
 * 4 flight        FlightRecordCodec             9 overhead   RecordCodec
 * 5 stacks        StackRecordCodec             10 tick       RecordCodec
 *                                              11 opaque     kind varint, then its bytes
 * </pre>
 *
 * <p>Belongs to one thread.
 */
final class AgentRecordCodec {
    private static final RecordCodec<RecordLoss> LOSS = new RecordCodec<>(RecordLoss.class);
    private static final RecordCodec<RankState> STATE = new RecordCodec<>(RankState.class);
    private static final RecordCodec<OverheadReading> OVERHEAD = new RecordCodec<>(OverheadReading.class);
    private static final RecordCodec<AgentTick> TICK = new RecordCodec<>(AgentTick.class);

    private final NumberedWindowCodec windows = new NumberedWindowCodec();
    private final WireWriter content = new WireWriter();

    /** Appends a record; its name ids become numbers. */
    void encode(AgentRecord record, IntUnaryOperator numbers, WireWriter to) {
        content.reset();
        int kind = switch (record) {
            case RankDeclaration d -> {
                RankDeclarationCodec.encode(Renamed.of(d, numbers), content);
                yield 1;
            }
            case StepDigest d -> {
                ShippedDigestCodec.encodeNumbered(Renamed.of(d, numbers), content);
                yield 2;
            }
            case KernelWindow w -> {
                windows.encode(Renamed.of(w, numbers), content);
                yield 3;
            }
            case FlightRecord r -> {
                FlightRecordCodec.encode(Renamed.of(r, numbers), content);
                yield 4;
            }
            case StackRecord r -> {
                StackRecordCodec.encode(Renamed.of(r, numbers), content);
                yield 5;
            }
            case GpuReading r -> {
                GpuReadingCodec.encode(Renamed.of(r, numbers), content);
                yield 6;
            }
            case RecordLoss l -> {
                LOSS.write(Renamed.of(l, numbers), content);
                yield 7;
            }
            case RankState s -> {
                STATE.write(Renamed.of(s, numbers), content);
                yield 8;
            }
            case OverheadReading o -> {
                OVERHEAD.write(o, content);
                yield 9;
            }
            case AgentTick t -> {
                TICK.write(t, content);
                yield 10;
            }
            case OpaqueRecord o -> {
                content.writeVarint(o.kind()).writeRaw(o.bytes());
                yield 11;
            }
        };
        to.writeByte(kind).writeBytes(content.toByteArray());
    }

    /** True when this reader knows the kind. */
    static boolean knows(int kind) {
        return kind >= 1 && kind <= 11;
    }

    /**
     * Reads the content of a record.
     *
     * @param kind a kind that is known
     * @param ids reader's own ids of numbers
     * @param mostMembers ranks that the groups of a declaration may have together
     * @throws WireException if the content is not of that kind
     */
    AgentRecord decode(int kind, byte[] bytes, IntUnaryOperator ids, long mostMembers) {
        WireReader from = new WireReader(bytes);
        AgentRecord record = switch (kind) {
            case 1 -> Renamed.of(RankDeclarationCodec.decode(from, mostMembers), ids);
            case 2 -> ShippedDigestCodec.decodeNumbered(from, ids);
            case 3 -> windows.decode(bytes, ids);
            case 4 -> Renamed.of(FlightRecordCodec.decode(from), ids);
            case 5 -> Renamed.of(StackRecordCodec.decode(from), ids);
            case 6 -> Renamed.of(GpuReadingCodec.decode(from), ids);
            case 7 -> Renamed.of(loss(LOSS.read(from)), ids);
            case 8 -> Renamed.of(STATE.read(from), ids);
            case 9 -> OVERHEAD.read(from);
            case 10 -> TICK.read(from);
            case 11 -> new OpaqueRecord(from.readInt(), from.readRest());
            default -> throw new WireException("record of kind " + kind + ", expected 1 to 11");
        };
        if (kind != 3) {
            from.expectEnd();
        }
        return record;
    }

    private static RecordLoss loss(RecordLoss loss) {
        if (loss.count() < 0) {
            throw new WireException("loss of " + loss.count() + " records");
        }
        return loss;
    }
}
