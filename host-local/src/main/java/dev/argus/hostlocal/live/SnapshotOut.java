package dev.argus.hostlocal.live;

import dev.argus.wire.WireWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.CRC32C;

/** Where a snapshot goes: parts are written in memory, and taken away before they grow large. Ends in a CRC-32C of everything. */
final class SnapshotOut {
    private static final int LARGE = 1 << 20;

    private final OutputStream out;
    private final WireWriter to = new WireWriter();
    private final CRC32C crc = new CRC32C();
    private long bytes;

    SnapshotOut(OutputStream out) {
        this.out = out;
    }

    /** What the next part is written with. */
    WireWriter to() {
        return to;
    }

    /** A part has been written. */
    void written() {
        if (to.length() >= LARGE) {
            flush();
        }
    }

    /** Everything has been written; returns how many bytes. */
    long end() {
        flush();
        to.writeFixedInt((int) crc.getValue());
        flush();
        return bytes;
    }

    private void flush() {
        byte[] part = to.toByteArray();
        to.reset();
        crc.update(part);
        bytes += part.length;
        try {
            out.write(part);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
