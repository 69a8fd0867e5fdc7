package dev.argus.trace.export;

import dev.argus.wire.ProtoBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.Deflater;

/**
 * Packets of a Perfetto trace to a stream, as they are or packed: some 64 KiB of whole packets become one packet that holds them
 * deflated with the header of zlib. Tables (names, tracks and what else is text) are packed in any case, those that follow one another together.
 */
final class PacketStream {
    private static final int CHUNK = 64 << 10;
    private static final int PACKET = 1;
    private static final int SEQUENCE = 10;
    private static final int COMPRESSED = 50;

    /** Below this many bytes a packed table would save nothing: what packs it takes some 15. */
    private static final int SMALL_TABLE = 96;

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
    private final int sequence;
    private boolean table = true;

    /** @param sequence number of the sequence that all packets are of; readers drop what names none */
    PacketStream(OutputStream out, boolean compressed, int sequence) {
        this.out = out;
        this.sequence = sequence;
        this.compressed = compressed;
        this.deflater = new Deflater(compressed ? LEVEL : Deflater.BEST_COMPRESSION); // tables alone are few
    }

    /** Where the fields of the open packet go. */
    ProtoBuffer buffer() {
        return packets;
    }

    /** Begins a packet of an event. */
    int openEvent() throws IOException {
        return open(false);
    }

    /** Begins a packet of something that events refer to, which is packed in any case. */
    int openTable() throws IOException {
        return open(true);
    }

    private int open(boolean ofTable) throws IOException {
        if (packets.size() >= CHUNK || (ofTable != table && !compressed)) {
            flush();
        }
        table = ofTable;
        int packet = packets.open(PACKET);
        packets.number(SEQUENCE, sequence);
        return packet;
    }

    /** Bytes that left so far. */
    long written() {
        return written;
    }

    /** Bytes of tables among them; 0 where all is packed together. */
    long tables() {
        return tables;
    }

    private void flush() throws IOException {
        if (packets.size() == 0) {
            return;
        }
        long before = written;
        if (compressed || (table && packets.size() >= SMALL_TABLE)) {
            deflate();
        } else {
            put(packets);
        }
        packets.clear();
        if (table && !compressed) {
            tables += written - before;
        }
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
