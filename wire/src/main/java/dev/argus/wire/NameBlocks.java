package dev.argus.wire;

import java.util.ArrayList;
import java.util.List;

/** Blocks of names ({@link SessionNames}) cut smaller, for ways that take only so much at a time. */
public final class NameBlocks {
    /** Base, hash and count take at most so much. */
    static final int HEAD_BYTES = 24;

    /** The length before a name takes at most so much. */
    static final int LENGTH_BYTES = 5;

    private NameBlocks() {}

    /**
     * The same names in the same order in pieces.
     *
     * @param blocks blocks as {@link NameBook#learn} reads them
     * @param mostBytes bytes of the blocks of a piece; one that has a single long name may have more
     * @return pieces, each to be learnt before the next; blocks without names are left out
     * @throws WireException if the bytes are no blocks of names
     */
    public static List<List<byte[]>> pieces(List<byte[]> blocks, int mostBytes) {
        List<List<byte[]>> pieces = new ArrayList<>();
        List<byte[]> piece = new ArrayList<>();
        int bytes = 0;
        for (byte[] block : blocks) {
            for (byte[] part : cut(block, mostBytes)) {
                if (!piece.isEmpty() && bytes + part.length > mostBytes) {
                    pieces.add(piece);
                    piece = new ArrayList<>();
                    bytes = 0;
                }
                piece.add(part);
                bytes += part.length;
            }
        }
        if (!piece.isEmpty()) {
            pieces.add(piece);
        }
        return pieces;
    }

    private static List<byte[]> cut(byte[] block, int mostBytes) {
        WireReader from = new WireReader(block);
        int base = from.readInt();
        long hash = from.readLong();
        int n = from.readCount(1);
        List<byte[]> parts = new ArrayList<>();
        List<byte[]> names = new ArrayList<>();
        int bytes = HEAD_BYTES;
        long run = hash;
        for (int i = 0; i < n; i++) {
            byte[] name = from.readBytes();
            if (!names.isEmpty() && bytes + name.length + LENGTH_BYTES > mostBytes) {
                parts.add(block(base, hash, names));
                base += names.size();
                hash = run;
                names = new ArrayList<>();
                bytes = HEAD_BYTES;
            }
            run = NameChain.next(run, name);
            names.add(name);
            bytes += name.length + LENGTH_BYTES;
        }
        from.expectEnd();
        if (!names.isEmpty()) {
            parts.add(block(base, hash, names));
        }
        return parts;
    }

    private static byte[] block(int base, long hash, List<byte[]> names) {
        WireWriter to = new WireWriter();
        to.writeVarint(base).writeLong(hash).writeVarint(names.size());
        names.forEach(to::writeBytes);
        return to.toByteArray();
    }
}
