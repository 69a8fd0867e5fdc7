package dev.argus.wire;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * What is written, kept part by part and put together once: a large state then needs twice its size for a moment, and no more. One thread.
 *
 * <p>Parts of {@link #write(byte[])} are not copied and must not change any more.
 */
public final class ByteParts extends OutputStream {
    private final List<byte[]> parts = new ArrayList<>();
    private long length;

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b});
    }

    @Override
    public void write(byte[] part) {
        parts.add(part);
        length += part.length;
    }

    @Override
    public void write(byte[] from, int offset, int count) {
        byte[] part = new byte[count];
        System.arraycopy(from, offset, part, 0, count);
        write(part);
    }

    /** Bytes so far. */
    public long length() {
        return length;
    }

    /**
     * All of them.
     *
     * @throws ArithmeticException if an array cannot hold so many
     */
    public byte[] toByteArray() {
        byte[] all = new byte[Math.toIntExact(length)];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }
}
