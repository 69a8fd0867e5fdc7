package dev.argus.stacks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;

/** A small ELF file with one loaded segment and one symbol, and bytes as a file. */
final class ElfFile {
    static final int SIZE = 512;

    private ElfFile() {}

    static byte[] of(boolean fixed, String symbol, long value, int kind) {
        ByteBuffer elf = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        elf.putInt(0, 0x464C457F).put(4, (byte) 2).put(5, (byte) 1).putShort(16, (short) (fixed ? 2 : 3));
        elf.putLong(32, 64).putShort(54, (short) 56).putShort(56, (short) 1); // segments
        elf.putLong(40, 192).putShort(58, (short) 64).putShort(60, (short) 3); // sections
        elf.putInt(64, 1).putLong(72, 0).putLong(80, 0x400000);
        elf.putInt(256 + 4, kind).putLong(256 + 24, 400).putLong(256 + 32, 48).putInt(256 + 40, 2);
        elf.putInt(320 + 4, 3).putLong(320 + 24, 460).putLong(320 + 32, 40);
        elf.putInt(424, 1).putLong(432, value);
        elf.put(461, symbol.getBytes(US_ASCII));
        return elf.array();
    }

    /** Nothing but what a reader needs. */
    static SeekableByteChannel channel(byte[] bytes) {
        return new SeekableByteChannel() {
            private int at;

            @Override
            public int read(ByteBuffer to) {
                if (at >= bytes.length) {
                    return -1;
                }
                int n = Math.min(to.remaining(), bytes.length - at);
                to.put(bytes, at, n);
                at += n;
                return n;
            }

            @Override
            public int write(ByteBuffer from) {
                throw new UnsupportedOperationException();
            }

            @Override
            public long position() {
                return at;
            }

            @Override
            public SeekableByteChannel position(long to) {
                at = (int) Math.min(to, bytes.length);
                return this;
            }

            @Override
            public long size() {
                return bytes.length;
            }

            @Override
            public SeekableByteChannel truncate(long to) {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
    }
}
