package dev.argus.trace.export;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.Deflater;

/**
 * Packets of a Perfetto trace to a stream, as they are or packed: some 64 KiB of whole packets become one packet that holds them
 * deflated with the header of zlib. Tables of names are packed in any case, for they are text.
 */
final class PacketStream {
    private static final int CHUNK = 64 << 10;
    private static final int PACKET = 1;
    private static final int SEQUENCE = 10;
    private static final int COMPRESSED = 50;

    /** Below this many bytes a packed table would save nothing worth a second look. */
    private static final int SMALL_TABLE = 256;

    /** Half the time of the usual 6 for 2 to 5 percent more bytes ({@code argus bench perfetto}). */
    private static final int LEVEL = 5;

    private final OutputStream out;
    private final Deflater deflater;
    private final boolean compressed;
    private final ProtoBuffer packets = new ProtoBuffer();
    private final ProtoBuffer outer = new ProtoBuffer();
    private byte[] packed = new byte[0];
    private long written;
    private long tables;

    PacketStream(OutputStream out, boolean compressed) {
        this.out = out;
        this.compressed = compressed;
        this.deflater = new Deflater(compressed ? LEVEL : Deflater.BEST_COMPRESSION); // tables alone are few
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

    /** Begins a packet of the one sequence that these traces have; readers drop what names none. */
    int openSequenced() throws IOException {
        int packet = open();
        packets.number(SEQUENCE, 1);
        return packet;
    }

    /** Bytes that left so far. */
    long written() {
        return written;
    }

    void flush() throws IOException {
        if (packets.size() == 0) {
            return;
        }
        if (compressed) {
            deflate();
        } else {
            put(packets);
        }
        packets.clear();
    }

    /** Begins packets that hold tables, up to {@link #closeTable}. */
    void openTable() throws IOException {
        if (!compressed) {
            flush();
        }
    }

    /** Ends packets that hold tables. */
    void closeTable() throws IOException {
        if (compressed) {
            return;
        }
        long before = written;
        if (packets.size() >= SMALL_TABLE) {
            deflate();
            packets.clear();
        } else {
            flush();
        }
        tables += written - before;
    }

    /** Bytes of tables that left so far; 0 where all is packed together. */
    long tables() {
        return tables;
    }

    private void deflate() throws IOException {
        if (packed.length < packets.size() + 1024) {
            packed = new byte[packets.size() + packets.size() / 512 + 1024];
        }
        deflater.reset();
        deflater.setInput(packets.bytes(), 0, packets.size());
        deflater.finish();
        int length = 0;
        while (!deflater.finished()) {
            if (length == packed.length) {
                packed = Arrays.copyOf(packed, 2 * length);
            }
            length += deflater.deflate(packed, length, packed.length - length);
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
        deflater.end();
    }
}
