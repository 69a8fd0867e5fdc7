package dev.argus.trace.export;

import dev.argus.wire.ProtoBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.Deflater;

/**
 * Packets of a Perfetto trace to a stream, as they are or packed: some 64 KiB of whole packets become one packet that holds them
 * deflated with the header of zlib.
 *
 * <p>Tables (names, tracks and what else is text) are packed in any case. Where events are not, a mebibyte of them is held back and the
 * tables between them stand together before it: what is declared may stand earlier than where it is needed, and texts of several
 * ranks pack better as one. What gives something declared another meaning is an event, or is preceded by {@link #settle}.
 */
final class PacketStream {
    private static final int CHUNK = 64 << 10;

    /** Events, or tables, that are held back at most. */
    private static final int HELD = 1 << 20;

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
    private final ProtoBuffer heldTables = new ProtoBuffer();
    private final ProtoBuffer heldEvents = new ProtoBuffer();
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

    /** Begins a packet of an event, or of another packet that must stay where it is between events. */
    int openEvent() throws IOException {
        return open(false);
    }

    /** Begins a packet that declares what events refer to; it is packed in any case and may get before events that were begun earlier. */
    int openTable() throws IOException {
        return open(true);
    }

    private int open(boolean ofTable) throws IOException {
        if (packets.size() >= CHUNK || (ofTable != table && !compressed)) {
            hold();
        }
        table = ofTable;
        int packet = packets.open(PACKET);
        packets.number(SEQUENCE, sequence);
        return packet;
    }

    /** What was begun before stays before what is begun from here on. */
    void settle() throws IOException {
        hold();
        release();
    }

    /** Bytes that left so far. */
    long written() {
        return written;
    }

    /** Bytes of tables among them; 0 where all is packed together. */
    long tables() {
        return tables;
    }

    private void hold() throws IOException {
        if (compressed) {
            packed(packets);
        } else {
            ProtoBuffer held = table ? heldTables : heldEvents;
            held.raw(packets.bytes(), packets.size());
            if (held.size() >= HELD) {
                release();
            }
        }
        packets.clear();
    }

    private void release() throws IOException {
        long before = written;
        if (heldTables.size() >= SMALL_TABLE) {
            packed(heldTables);
        } else {
            put(heldTables);
        }
        tables += written - before;
        put(heldEvents);
        heldTables.clear();
        heldEvents.clear();
    }

    private void packed(ProtoBuffer from) throws IOException {
        if (from.size() == 0) {
            return;
        }
        if (packed.length < from.size() + 1024) {
            packed = new byte[from.size() + from.size() / 512 + 1024];
        }
        deflater.reset();
        deflater.setInput(from.bytes(), 0, from.size());
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
        settle();
        out.flush();
        deflater.end();
    }
}
