package dev.argus.hostlocal.live;

import dev.argus.model.CollectiveOp;
import dev.argus.model.IncidentKind;
import dev.argus.model.Level;
import dev.argus.model.NameTable;
import dev.argus.model.Phase;
import dev.argus.model.RankState.ProcessState;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.model.SpanKind;
import dev.argus.wire.ByteParts;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Everything that decides what a job will say later, as bytes.
 *
 * <pre>
 * "AGLJ"  version:byte  layout:4 bytes                     layout: checksum of the words of which only numbers are written
 * n  n x name:text                                         all names of the table, by their ids
 * attempt, times and counters; declarations; history; shape, detectors; conclusion; changes not told yet; what was said;
 * standstill; unrest; steps held back; newest word of each rank
 * CRC-32C
 * </pre>
 *
 * <p>The states of detectors are exact: numbers as binary32 or binary64. <b>Raise the version with every change of what is written, that of a detector's state
 * included.</b>
 */
final class LiveJobCodec {
    static final int VERSION = 8;
    private static final int MAGIC = 'A' | 'G' << 8 | 'L' << 16 | 'J' << 24;
    private static final int MOST_NAMES = 1 << 22;

    private LiveJobCodec() {}

    /** Writes a job down; returns how many bytes. */
    static long write(LiveJob job, OutputStream to) {
        SnapshotOut out = new SnapshotOut(to);
        WireWriter w = out.to();
        w.writeFixedInt(MAGIC).writeByte(VERSION).writeFixedInt(layout());
        NameTable names = job.names();
        int n = names.size(); // others may add names meanwhile: nothing of this job has them yet
        w.writeVarint(n);
        for (int id = 0; id < n; id++) {
            w.writeText(names.name(id));
            out.written();
        }
        job.encode(out);
        return out.end();
    }

    /** The same as bytes: parts are kept as they come and put together once. */
    static byte[] write(LiveJob job) {
        ByteParts parts = new ByteParts();
        write(job, parts);
        return parts.toByteArray();
    }

    /** The reader of what stands behind the names, which go into a table that is still empty. */
    static WireReader open(byte[] snapshot, NameTable names) {
        if (snapshot.length < 9) {
            throw new WireException("state of a job of " + snapshot.length + " bytes, expected at least 9; it is cut");
        }
        WireReader head = new WireReader(snapshot);
        int magic = head.readFixedInt();
        int version = head.readByte();
        if (magic != MAGIC) {
            throw new WireException("begins with " + Integer.toHexString(magic) + ": it is no state of a job");
        }
        if (version != VERSION) {
            throw new WireException("state of a job of version " + version + ", expected " + VERSION);
        }
        WireReader from = WireReader.checked(snapshot, "state of a job");
        from.readFixedInt();
        from.readByte();
        if (from.readFixedInt() != layout()) {
            throw new WireException("state of a job by a program that knows other words");
        }
        int n = from.readCount(1);
        if (n > MOST_NAMES) {
            throw new WireException(n + " names, expected at most " + MOST_NAMES);
        }
        for (int id = 0; id < n; id++) {
            if (names.id(from.readText()) != id) {
                throw new WireException("name " + id + " is there twice; the bytes are damaged");
            }
        }
        return from;
    }

    /** Of the words whose places among the others are written. */
    private static int layout() {
        List<Enum<?>[]> words = List.of(
                Phase.values(),
                CollectiveOp.values(),
                SpanKind.values(),
                ProcessState.values(),
                IncidentChange.Kind.values(),
                IncidentKind.values(),
                Scope.values(),
                Level.values(),
                Severity.values());
        CRC32C crc = new CRC32C();
        for (Enum<?>[] of : words) {
            for (Enum<?> word : of) {
                crc.update((word.name() + ' ').getBytes(StandardCharsets.UTF_8));
            }
        }
        return (int) crc.getValue();
    }
}
