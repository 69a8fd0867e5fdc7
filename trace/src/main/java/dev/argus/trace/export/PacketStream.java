package dev.argus.trace.export;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Packets of a Perfetto trace to a stream, as they are or packed: some 64 KiB of whole packets become one packet that holds them
 * deflated with the header of zlib.
 */
final class PacketStream {
    private static final int CHUNK = 64 << 10;
    private static final int PACKET = 1;
    private static final int COMPRESSED = 50;

    /** Half the time of the usual 6 for 2 to 5 percent more bytes ({@code argus bench perfetto}). */
    private static final int LEVEL = 5;

    private final OutputStream out;
    private final @Nullable Deflater deflater;
    private final ProtoBuffer packets = new ProtoBuffer();
    private final ProtoBuffer outer = new ProtoBuffer();
    private byte[] packed = new byte[0];
    private long written;

    PacketStream(OutputStream out, boolean compressed) {
        this.out = out;
        this.deflater = compressed ? new Deflater(LEVEL) : null;
    }

    /** Where the next packets go; whole packets only when {@link #open} is called. */
    ProtoBuffer buffer() {
        return packets;
    }

    /** Begins a packet, after making room. */
    int open() throws IOException {
        if (packets.size() >= CHUNK) {
            flush();
        }
        return packets.open(PACKET);
    }

    /** Bytes that left so far. */
    long written() {
        return written;
    }

    void flush() throws IOException {
        if (packets.size() == 0) {
            return;
        }
        if (deflater == null) {
            put(packets);
        } else {
            deflate(deflater);
        }
        packets.clear();
    }

    private void deflate(Deflater zlib) throws IOException {
        if (packed.length < packets.size() + 1024) {
            packed = new byte[packets.size() + packets.size() / 512 + 1024];
        }
        zlib.reset();
        zlib.setInput(packets.bytes(), 0, packets.size());
        zlib.finish();
        int length = 0;
        while (!zlib.finished()) {
            if (length == packed.length) {
                packed = Arrays.copyOf(packed, 2 * length);
            }
            length += zlib.deflate(packed, length, packed.length - length);
        }
        outer.clear();
        int packet = outer.open(PACKET);
        outer.block(COMPRESSED, packed, length);
        outer.close(packet);
        put(outer);
    }

    private void put(ProtoBuffer from) throws IOException {
        out.write(from.bytes(), 0, from.size());
        written += from.size();
    }

    void close() throws IOException {
        flush();
        out.flush();
        if (deflater != null) {
            deflater.end();
        }
    }
}
