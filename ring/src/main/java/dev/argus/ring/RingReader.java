package dev.argus.ring;

import dev.argus.model.DataProblem;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one ring, whose content is hostile: every position, length, type and name is checked, a file that shrinks or whose header changes is
 * given up, and what cannot be read is counted.
 *
 * <p>A reader goes on where its predecessor stopped and raises attach, upon which the producer defines its names again. Records are copied in
 * chunks of {@value #CHUNK} and decoded from the copy; the position in the file moves on after each chunk. Footprint: 16 KiB, the names, and
 * the mapped pages. Cost: docs/ring.md.
 *
 * <p>Belongs to one thread. One reader a file, by a lock that a dead process leaves.
 */
public final class RingReader implements AutoCloseable {
    /** Records copied at a time; more than the longest text has. */
    private static final int CHUNK = 512;

    private static final String UNKNOWN_NAME = "(name not known)";
    private static final int MOST_NAMES = 1 << 16;
    private static final long MOST_NAME_BYTES = 32 << 20;

    private final Path path;
    private final FileChannel channel;
    private final OpenRing open;
    private final MemorySegment file;
    private final long size;
    private final long capacity;
    private final RingHeader header;
    private final long[] fixed;
    private final long[] fixedNow;
    private final long[] statusNow = new long[RingStatus.WORDS];
    private final long[] statusLast = new long[RingStatus.WORDS];
    private final RingNames names;
    private final RingDecoder decoder;
    private final long[] chunk = new long[CHUNK * RingLayout.RECORD_WORDS];
    private long position;
    private long begunAt;
    private long jumps;
    private int taken;
    private @Nullable String givenUp;
    private RingControl control = RingControl.INITIAL;

    private RingReader(Path path, OpenRing open, RingNames names) {
        this.path = path;
        this.open = open;
        this.channel = open.channel();
        this.file = open.bytes();
        this.size = file.byteSize();
        this.header = open.header();
        this.capacity = header.capacity();
        this.names = names;
        this.decoder = new RingDecoder(names);
        this.fixed = new long[RingLayout.FIXED_BYTES / Long.BYTES];
        MemorySegment.copy(open.copy(), RingLayout.NATIVE, 0, fixed, 0, fixed.length);
        this.fixedNow = new long[fixed.length];
    }

    /**
     * Opens a ring, raises attach and goes on at its read position.
     *
     * @param names takes the names met
     * @param nowMonotonic CLOCK_MONOTONIC, nanoseconds
     * @throws RingException if it is no ring, not safe, of another major version, or read by another agent
     */
    public static RingReader open(Path path, NameTable names, long nowMonotonic) throws IOException {
        return open(path, new RingNames(names, UNKNOWN_NAME, MOST_NAMES, MOST_NAME_BYTES), nowMonotonic);
    }

    static RingReader open(Path path, RingNames names, long nowMonotonic) throws IOException {
        OpenRing open = OpenRing.open(path);
        try {
            RingReader reader = new RingReader(path, open, names);
            reader.begin(nowMonotonic);
            return reader;
        } catch (InternalError e) {
            open.close();
            throw new RingException(OpenRing.shown(path) + " was cut while it was opened");
        } catch (IOException e) {
            open.close();
            throw e;
        }
    }

    private void begin(long nowMonotonic) throws IOException {
        long write = RingLayout.acquire(file, RingLayout.AT_WRITE_POSITION);
        position = RingLayout.acquire(file, RingLayout.AT_READ_POSITION);
        if (!possible(write)) {
            jump(write);
        }
        begunAt = position;
        control =
                RingControl.of(RingLayout.acquire(file, RingLayout.AT_CONTROL)).attached();
        RingLayout.release(file, RingLayout.AT_CONTROL, control.word());
        RingLayout.releaseInt(
                file, RingLayout.AT_AGENT_PROCESS, (int) ProcessHandle.current().pid());
        RingLayout.release(file, RingLayout.AT_AGENT_HEARTBEAT, nowMonotonic);
        channel.size(); // a fault of the accesses above surfaces here at the latest
    }

    /**
     * Hands out records that were published, oldest first.
     *
     * @param most stops at the first chunk of 512 that reaches so many
     * @return records taken; 0 when there are none, or the ring was given up
     */
    public int drain(RingConsumer consumer, int most) {
        taken = 0;
        if (givenUp == null) {
            try {
                if (isIntact()) {
                    chunks(consumer, most);
                    hasItsSize();
                }
            } catch (InternalError fault) {
                faulted(fault);
            }
        }
        return taken;
    }

    private void chunks(RingConsumer consumer, int most) {
        long write = RingLayout.acquire(file, RingLayout.AT_WRITE_POSITION);
        if (!possible(write)) {
            jump(write);
            return;
        }
        while (taken < most && position != write) {
            int records = (int) Math.min(CHUNK, write - position);
            fetch(records);
            if (!hasItsSize()) {
                return;
            }
            int used = decoder.decode(chunk, records, position + records == write, consumer);
            position += used;
            taken += used;
            RingLayout.release(file, RingLayout.AT_READ_POSITION, position);
        }
    }

    private void fetch(int records) {
        int first = (int) Math.min(records, capacity - (position & (capacity - 1)));
        copy(position, 0, first);
        if (first < records) {
            copy(position + first, first, records - first);
        }
    }

    private void copy(long from, int to, int records) {
        MemorySegment.copy(
                file,
                RingLayout.LONG,
                RingLayout.recordAt(from, capacity),
                chunk,
                to * RingLayout.RECORD_WORDS,
                records * RingLayout.RECORD_WORDS);
    }

    private boolean possible(long write) {
        long held = write - position;
        return held >= 0 && held <= capacity;
    }

    /** Positions no writer leaves: what lies between is lost, and reading goes on at the end. */
    private void jump(long write) {
        jumps++;
        position = write;
        RingLayout.release(file, RingLayout.AT_READ_POSITION, position);
    }

    private boolean isIntact() {
        if (!hasItsSize()) {
            return false;
        }
        MemorySegment.copy(file, RingLayout.NATIVE, 0, fixedNow, 0, fixedNow.length);
        if (!hasItsSize()) {
            return false;
        }
        if (!Arrays.equals(fixed, fixedNow)) {
            giveUp("its header has changed: somebody else writes the file");
            return false;
        }
        return true;
    }

    /** Asks the system; a fault of the accesses before surfaces here at the latest. */
    private boolean hasItsSize() {
        try {
            long now = channel.size();
            if (now == size) {
                return true;
            }
            giveUp("it has " + now + " bytes, expected " + size + ": somebody has cut it");
        } catch (IOException e) {
            giveUp("its size cannot be read: " + e.getMessage());
        }
        return false;
    }

    private void faulted(InternalError fault) {
        if (hasItsSize() && givenUp == null) {
            giveUp("its memory could not be read: " + fault.getMessage());
        }
    }

    private void giveUp(String why) {
        if (givenUp == null) {
            givenUp = why;
        }
    }

    /** Records published and not taken, as the memory says, unchecked; 0 once the ring is given up. No system call. */
    public long backlog() {
        if (givenUp != null) {
            return 0;
        }
        try {
            long held = RingLayout.acquire(file, RingLayout.AT_WRITE_POSITION) - position;
            return held < 0 ? capacity : Math.min(held, capacity);
        } catch (InternalError fault) {
            faulted(fault);
            return 0;
        }
    }

    /** Says that the agent lives. */
    public void heartbeat(long nowMonotonic) {
        guarded(() -> RingLayout.release(file, RingLayout.AT_AGENT_HEARTBEAT, nowMonotonic));
    }

    /** Asks the producer for other settings; their attach and generation are not looked at, the next generation is used. */
    public void control(RingControl wanted) {
        control = control.changedTo(wanted);
        guarded(() -> RingLayout.release(file, RingLayout.AT_CONTROL, control.word()));
    }

    /** What the producer was asked for last. */
    public RingControl control() {
        return control;
    }

    private void guarded(Runnable access) {
        if (givenUp != null) {
            return;
        }
        try {
            if (hasItsSize()) {
                access.run();
                hasItsSize();
            }
        } catch (InternalError fault) {
            faulted(fault);
        }
    }

    /** What the producer says of itself now; once the ring is given up, what it said last. */
    public RingStatus status() {
        guarded(() -> MemorySegment.copy(
                file, RingLayout.LONG, RingLayout.AT_WRITE_POSITION, statusNow, 0, statusNow.length));
        if (givenUp == null) {
            System.arraycopy(statusNow, 0, statusLast, 0, statusLast.length);
        }
        return RingStatus.of(statusLast, position, givenUp != null);
    }

    /** The part of the header that does not change. */
    public RingHeader header() {
        return header;
    }

    /** Records that an earlier reader had taken when this one began. */
    public long takenBefore() {
        return begunAt;
    }

    /** Where it lies. */
    public Path path() {
        return path;
    }

    /** Name of records whose name was never defined to this reader. */
    public int unknownName() {
        return names.unknown();
    }

    /** What was read and what could not be. */
    public RingCounts counts() {
        return new RingCounts(
                decoder.records(),
                decoder.unknownTypes(),
                decoder.impossible(),
                decoder.torn(),
                names.undefined(),
                names.refused(),
                names.malformed(),
                jumps);
    }

    /** Sentences on everything wrong with this ring; empty when nothing is. */
    public List<DataProblem> problems() {
        RankSet ranks = header.rank() >= 0 ? RankSet.of(header.rank()) : RankSet.EMPTY;
        String file = String.valueOf(path.getFileName());
        List<DataProblem> list = new ArrayList<>();
        if (givenUp != null) {
            list.add(new DataProblem("ring-given-up", ranks, SafeText.of(file) + " is read no more: " + givenUp));
        }
        list.addAll(counts().problems(file, ranks));
        list.addAll(status().problems(file, ranks));
        return list;
    }

    /** Lets go of the file; the position stays in it for the next reader. */
    @Override
    public void close() throws IOException {
        open.close();
        givenUp = givenUp == null ? "the reader is closed" : givenUp;
    }
}
