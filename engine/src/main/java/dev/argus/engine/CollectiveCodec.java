package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;

/** One collective in a detector's state. */
final class CollectiveCodec {
    static final int MIN_BYTES = 10;
    private static final CollectiveOp[] OPS = CollectiveOp.values();

    private CollectiveCodec() {}

    static void encode(CollectiveStat c, WireWriter to) {
        to.writeByte(c.op().ordinal())
                .writeSigned(c.group())
                .writeSigned(c.sequence())
                .writeSigned(c.bytes())
                .writeSigned(c.peer())
                .writeSigned(c.stream())
                .writeSigned(c.startNanos())
                .writeVarint(c.durationNanos())
                .writeVarint(c.exposedNanos())
                .writeByte(c.queued() ? 1 : 0);
    }

    static CollectiveStat decode(WireReader from) {
        int op = from.readByte();
        if (op >= OPS.length) {
            throw new WireException("operation " + op + ", expected below " + OPS.length);
        }
        return new CollectiveStat(
                OPS[op],
                (int) from.readSigned(),
                from.readSigned(),
                from.readSigned(),
                (int) from.readSigned(),
                (int) from.readSigned(),
                from.readSigned(),
                from.readVarint(),
                from.readVarint(),
                from.readByte() != 0);
    }
}
