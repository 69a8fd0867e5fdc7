package dev.argus.transport;

import dev.argus.wire.SessionId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Frames of one session in one file ({@link SegmentLayout}), or in memory where there is no file. Knows where each begins and which are
 * settled: acknowledged, or given up. Belongs to the lock of the spool. Footprint: some 14 bytes a frame.
 */
final class Segment {
    private static final int MOST_RESYNCS = 64;

    final SessionId session;
    private final @Nullable Path file;
    private final DiskWriter disk;
    private @Nullable FileChannel channel;
    private boolean full;

    /** What a file has: header and entries; null for a file. */
    private final @Nullable List<byte[]> memory;

    private final int headerBytes;
    private long[] counters = new long[16];
    private int[] starts = new int[16];
    private int count;
    private final BitSet settled = new BitSet();
    private int unsettled;
    private int end;

    /** Damage met when the file was read: frames between those that could be, one for any number of them before the first, and whether its end was torn. */
    long missing;

    boolean torn;

    private Segment(
            SessionId session,
            @Nullable Path file,
            DiskWriter disk,
            @Nullable FileChannel channel,
            @Nullable List<byte[]> memory,
            int headerBytes) {
        this.session = session;
        this.file = file;
        this.disk = disk;
        this.channel = channel;
        this.memory = memory;
        this.headerBytes = headerBytes;
        this.end = headerBytes;
    }

    /** A new file. */
    static Segment create(Path file, SessionId session, byte[] names, DiskWriter disk) throws IOException {
        byte[] header = SegmentLayout.header(session, names);
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ);
        try {
            disk.writeAll(channel, header, 0);
        } catch (IOException full) {
            channel.close();
            Files.deleteIfExists(file);
            throw full;
        }
        return new Segment(session, file, disk, channel, null, header.length);
    }

    /** In memory. */
    static Segment inMemory(SessionId session, byte[] names) {
        byte[] header = SegmentLayout.header(session, names);
        return new Segment(session, null, DiskWriter.PLAIN, null, new ArrayList<>(List.of(header)), header.length);
    }

    /** What an earlier process left, or null when nothing of it can be read. Nothing is ever appended to it. */
    static @Nullable Segment recover(Path file, long mostBytes) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > mostBytes) {
            return null;
        }
        return of(file, Files.readAllBytes(file));
    }

    /** The segment that a file with such bytes is, or null when nothing of it can be read. */
    static @Nullable Segment of(Path file, byte[] bytes) {
        SegmentLayout.Header header = SegmentLayout.header(bytes);
        if (header == null) {
            return null;
        }
        Segment segment = new Segment(header.session(), file, DiskWriter.PLAIN, null, null, header.bytes());
        segment.scan(bytes);
        return segment;
    }

    private void scan(byte[] bytes) {
        int at = headerBytes;
        int resyncs = MOST_RESYNCS;
        boolean damaged = false;
        while (at < bytes.length) {
            long counter = SegmentLayout.counter(bytes, at);
            if (counter > last()) {
                if (damaged) {
                    missing += count > 0
                            ? counter - last() - 1
                            : 1; // before the first that can be read nobody knows how many
                }
                damaged = false;
                int size = SegmentLayout.size(bytes, at);
                put(counter, at);
                at += size;
                end = at;
                continue;
            }
            damaged = true;
            do {
                at++;
            } while (at < bytes.length && SegmentLayout.size(bytes, at) < 0);
            if (--resyncs == 0) {
                break;
            }
        }
        torn = damaged;
    }

    private void put(long counter, int at) {
        if (count == counters.length) {
            counters = Arrays.copyOf(counters, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
        }
        counters[count] = counter;
        starts[count++] = at;
        unsettled++;
    }

    /** Appends a frame; when the disk does not take it, the file is as before and is appended to no more. */
    void append(long counter, byte[] frame) throws IOException {
        byte[] entry = SegmentLayout.entry(counter, frame);
        if (memory != null) {
            memory.add(entry);
        } else {
            FileChannel to = channel;
            if (to == null) {
                throw new ClosedChannelException();
            }
            try {
                disk.writeAll(to, entry, end);
            } catch (IOException full) {
                try {
                    to.truncate(end);
                } catch (IOException stillFull) {
                    full.addSuppressed(stillFull); // what is behind the end is seen to be torn
                }
                seal();
                throw full;
            }
        }
        put(counter, end);
        end += entry.length;
    }

    /** True while frames can be appended. */
    boolean isOpen() {
        return memory != null || (channel != null && !full);
    }

    boolean isInMemory() {
        return memory != null;
    }

    /** Nothing is appended any more. */
    void seal() {
        full = true;
    }

    /** Gives its open file away, to be forced and closed; null where it has none open. */
    @Nullable
    FileChannel release() {
        FileChannel open = channel;
        channel = null;
        return open;
    }

    /** Closes its file. */
    void close() {
        FileChannel open = release();
        if (open != null) {
            close(open);
        }
    }

    static void close(FileChannel file) {
        try {
            file.close();
        } catch (IOException notClosed) {
            // what was written is written; what was not is seen to be torn
        }
    }

    /** Its file while it is open, or null. */
    @Nullable
    FileChannel channel() {
        return channel;
    }

    /** Bytes of header and entries. */
    long bytes() {
        return end;
    }

    /** Bytes of the entries. */
    long entryBytes() {
        return (long) end - headerBytes;
    }

    /** Number of the last frame, 0 when there is none. */
    long last() {
        return count == 0 ? 0 : counters[count - 1];
    }

    /** Frames that are not settled. */
    int unsettled() {
        return unsettled;
    }

    /** Lowest number of a frame that is not settled, or -1. */
    long floor() {
        int at = settled.nextClearBit(0);
        return at < count ? counters[at] : -1;
    }

    /** Settles all frames up to a number. */
    void settleThrough(long counter) {
        for (int i = settled.nextClearBit(0); i < count && counters[i] <= counter; i = settled.nextClearBit(i)) {
            settled.set(i);
            unsettled--;
        }
    }

    /** Settles one frame; false if it is not here, or settled. */
    boolean settle(long counter) {
        int at = Arrays.binarySearch(counters, 0, count, counter);
        if (at < 0 || settled.get(at)) {
            return false;
        }
        settled.set(at);
        unsettled--;
        return true;
    }

    /**
     * The first frame behind a number that is not settled, or null.
     *
     * @throws DamagedException if it is there, but cannot be read
     */
    @Nullable
    SpoolEntry after(long counter) {
        int at = Arrays.binarySearch(counters, 0, count, counter + 1);
        at = settled.nextClearBit(at < 0 ? -at - 1 : at);
        return at < count ? new SpoolEntry(session, counters[at], frame(at)) : null;
    }

    private byte[] frame(int at) {
        byte[] entry;
        if (memory != null) {
            entry = memory.get(at + 1);
        } else {
            entry = read(starts[at], (at + 1 < count ? starts[at + 1] : end) - starts[at]);
        }
        int size = SegmentLayout.size(entry, 0); // where damage follows, there are bytes behind it
        byte[] exact = size > 0 && size < entry.length ? Arrays.copyOf(entry, size) : entry;
        if (SegmentLayout.counter(exact, 0) != counters[at]) {
            throw new DamagedException(counters[at]);
        }
        return SegmentLayout.frame(exact);
    }

    private byte[] read(int from, int n) {
        byte[] bytes = new byte[n];
        FileChannel open = channel;
        try {
            if (open != null) {
                fill(open, bytes, from);
            } else if (file != null) {
                try (FileChannel reading = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
                    fill(reading, bytes, from);
                }
            }
        } catch (IOException unreadable) {
            return new byte[0];
        }
        return bytes;
    }

    private static void fill(FileChannel from, byte[] bytes, int at) throws IOException {
        ByteBuffer to = ByteBuffer.wrap(bytes);
        while (to.hasRemaining() && from.read(to, at + (long) to.position()) >= 0) {
            // until it is full or the file ends
        }
    }

    /** The names at the begin of the segment and those that its frames below a number brought, as blocks. */
    List<byte[]> namesBefore(long counter, Function<byte[], byte[]> namesOf) {
        List<byte[]> blocks = new ArrayList<>();
        byte[] header = memory != null ? memory.getFirst() : read(0, headerBytes);
        if (SegmentLayout.header(header) == null) {
            return blocks;
        }
        blocks.add(SegmentLayout.names(header));
        for (int i = 0; i < count && counters[i] < counter; i++) {
            try {
                blocks.add(namesOf.apply(frame(i)));
            } catch (DamagedException unreadable) {
                break; // the chain is broken here
            }
        }
        return blocks;
    }

    /** Removes the file. */
    void delete() {
        close();
        if (file != null) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException stays) {
                // it is read again at the next start, and its frames are known to the receiver
            }
        }
    }

    /** A frame that was there and cannot be read any more. */
    static final class DamagedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final long counter;

        DamagedException(long counter) {
            super("frame " + counter + " of the spool cannot be read");
            this.counter = counter;
        }
    }
}
