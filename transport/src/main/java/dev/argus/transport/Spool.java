package dev.argus.transport;

import dev.argus.wire.FrameHead;
import dev.argus.wire.FrameReader;
import dev.argus.wire.SessionId;
import dev.argus.wire.WireException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Frames that wait until the receiver says that they are safe there: a queue in files of a folder, bounded, with whole files dropped, oldest first,
 * when it is over its bound.
 *
 * <p>What holds. A frame that {@link #append} took is there again after the process was killed at any moment; after a loss of power all frames are that
 * were appended before the last {@link #sync}, which the sender calls once a second. Appending never waits for the disk to be forced. When the disk takes
 * nothing, frames are kept in memory up to a bound, and the disk is tried again now and then. Damage is stepped over and counted: a torn end, a
 * corrupt entry, a corrupt file. A folder is used by one process at a time. Every frame that is lost is counted by reason ({@link #losses}).
 *
 * <p>Thread-safe: one lock, held during reads and writes but not while forcing. Footprint: some 14 bytes a frame.
 */
public final class Spool implements AutoCloseable {
    /** Files there are at most, however small: an agent that starts over and over begins one each time. */
    private static final int MOST_FILES = 1 << 12;

    /** While the disk takes nothing it is tried again with every so many frames. */
    private static final int TRY_DISK_EACH = 64;

    private final SpoolFolder folder;
    private final SpoolLimits limits;
    private final DiskWriter disk;
    private final Deque<Segment> segments = new ArrayDeque<>();
    private final Map<SessionId, Long> lastOf = new LinkedHashMap<>();
    private final Map<SessionId, Long> acknowledged = new LinkedHashMap<>();
    private final Map<String, Long> losses = new TreeMap<>();
    private final Unforced unforced = new Unforced();
    private @Nullable Segment current;
    private @Nullable SessionId live;
    private int untilDisk;
    private long appended;
    private boolean closed;

    private Spool(SpoolFolder folder, SpoolLimits limits, DiskWriter disk) {
        this.folder = folder;
        this.limits = limits;
        this.disk = disk;
    }

    /**
     * Opens the spool in a folder with what an earlier process left, and makes the folder where there is none.
     *
     * <p>Cost: reads all files once.
     *
     * @throws IOException if the folder cannot be used, or another process uses it
     */
    public static Spool open(Path folder, SpoolLimits limits) throws IOException {
        return open(folder, limits, DiskWriter.PLAIN);
    }

    static Spool open(Path folder, SpoolLimits limits, DiskWriter disk) throws IOException {
        SpoolFolder files = SpoolFolder.open(folder);
        Spool spool = new Spool(files, limits, disk);
        try {
            spool.recover();
        } catch (IOException unusable) {
            files.close();
            throw unusable;
        }
        return spool;
    }

    private synchronized void recover() throws IOException {
        Map<SessionId, Long> before = folder.acknowledged();
        long most = limits.segmentBytes() + SegmentLayout.MOST_HEADER_BYTES + 2L * FrameHead.MOST_BYTES;
        for (Path file : folder.files()) {
            Segment segment = Segment.recover(file, most);
            if (segment == null) {
                lose(SpoolLoss.CORRUPT_FILE, 1);
                SpoolFolder.delete(file);
                continue;
            }
            lose(SpoolLoss.CORRUPT, segment.missing);
            lose(SpoolLoss.TORN, segment.torn ? 1 : 0);
            lastOf.merge(segment.session, segment.last(), Math::max);
            long through = before.getOrDefault(segment.session, 0L);
            segment.settleThrough(through);
            acknowledged.put(segment.session, through);
            segments.add(segment);
        }
        sweep();
        makeRoom(0);
    }

    /**
     * Appends a frame. Frames of a session must ascend.
     *
     * @param session session; another one than the last begins a new file
     * @param counter number of the frame
     * @param names gives the names that earlier frames of the session brought, as one block ({@link dev.argus.wire.FrameWriter#names})
     * @param frame the frame; not copied
     * @return false when it was lost, which is counted
     * @throws IllegalArgumentException if the number does not ascend
     */
    public synchronized boolean append(SessionId session, long counter, Supplier<byte[]> names, byte[] frame) {
        if (counter <= lastOf.getOrDefault(session, 0L)) {
            throw new IllegalArgumentException("frame " + counter + " behind frame " + lastOf.get(session));
        }
        live = session;
        boolean taken = !closed && (toDisk(session, counter, names, frame) || toMemory(session, counter, names, frame));
        if (taken) {
            lastOf.put(session, counter);
            appended++;
            notifyAll();
        } else {
            lose(SpoolLoss.DISK_FULL, 1);
        }
        return taken;
    }

    private boolean toDisk(SessionId session, long counter, Supplier<byte[]> names, byte[] frame) {
        if (untilDisk > 0) {
            untilDisk--;
            return false;
        }
        try {
            Segment to = current;
            if (to == null || to.isInMemory() || !to.isOpen() || !fits(to, session, limits.segmentBytes())) {
                roll();
                byte[] block = names.get();
                long needed =
                        (long) block.length + frame.length + SegmentLayout.HEADER_BYTES + SegmentLayout.ENTRY_BYTES;
                if (needed > limits.diskBytes()) {
                    return false;
                }
                makeRoom(needed);
                to = Segment.create(folder.nextFile(), session, block, disk);
                unforced.created();
                segments.add(to);
                current = to;
            } else {
                makeRoom((long) frame.length + SegmentLayout.ENTRY_BYTES);
                if (current != to) {
                    return toDisk(session, counter, names, frame); // the bound is so small that it went, too
                }
            }
            to.append(counter, frame);
            unforced.written();
            return true;
        } catch (IOException full) {
            untilDisk = TRY_DISK_EACH;
            return false;
        }
    }

    private boolean toMemory(SessionId session, long counter, Supplier<byte[]> names, byte[] frame) {
        Segment to = current;
        long quarter = limits.memoryBytes() / 4;
        if (to == null || !to.isInMemory() || !fits(to, session, quarter)) {
            roll();
            to = Segment.inMemory(session, names.get());
            segments.add(to);
            current = to;
        }
        try {
            to.append(counter, frame);
        } catch (IOException impossible) {
            return false;
        }
        while (bytes(true) > limits.memoryBytes()) {
            Segment oldest = first(true);
            if (oldest == null) {
                break;
            }
            boolean own = oldest == to;
            drop(oldest, SpoolLoss.DISK_FULL, own ? 1 : 0);
            if (own) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(Segment segment, SessionId session, long most) {
        return segment.session.equals(session) && segment.entryBytes() < most;
    }

    private void roll() {
        Segment old = current;
        current = null;
        if (old != null && !old.isInMemory()) {
            old.seal();
            lose(SpoolLoss.NOT_FORCED, unforced.add(old) ? 0 : 1);
        }
        sweep();
    }

    private void makeRoom(long needed) {
        while (bytes(false) + needed > limits.diskBytes() || segments.size() >= MOST_FILES) {
            Segment oldest = first(false);
            if (oldest == null) {
                break;
            }
            drop(oldest, SpoolLoss.SPOOL_FULL, 0);
        }
    }

    /** @param counted frames of it whose loss is counted elsewhere */
    private void drop(Segment segment, String reason, int counted) {
        lose(reason, segment.unsettled() - counted);
        segments.remove(segment);
        if (segment == current) {
            current = null;
        }
        segment.delete();
    }

    private @Nullable Segment first(boolean inMemory) {
        for (Segment s : segments) {
            if (s.isInMemory() == inMemory) {
                return s;
            }
        }
        return null;
    }

    private long bytes(boolean inMemory) {
        long sum = 0;
        for (Segment s : segments) {
            sum += s.isInMemory() == inMemory ? s.bytes() : 0;
        }
        return sum;
    }

    private void lose(String reason, long frames) {
        if (frames > 0) {
            losses.merge(reason, frames, Long::sum);
        }
    }

    /** Removes files of which nothing is needed any more, and forgets sessions that have none. */
    private void sweep() {
        for (Iterator<Segment> i = segments.iterator(); i.hasNext(); ) {
            Segment s = i.next();
            if (s.unsettled() == 0 && s != current) {
                i.remove();
                s.delete();
            }
        }
        LinkedHashSet<SessionId> kept = new LinkedHashSet<>(sessions());
        lastOf.keySet().retainAll(kept);
        acknowledged.keySet().retainAll(kept);
    }

    /** Sessions that have frames, oldest first, and the one that was appended to last, at the end. */
    public synchronized List<SessionId> sessions() {
        LinkedHashSet<SessionId> found = new LinkedHashSet<>();
        for (Segment s : segments) {
            if (s.unsettled() > 0) {
                found.add(s.session);
            }
        }
        SessionId last = live;
        if (last != null) {
            found.remove(last);
            found.add(last);
        }
        return new ArrayList<>(found);
    }

    /** The session that was appended to last by this process; null before the first frame. */
    public synchronized @Nullable SessionId live() {
        return live;
    }

    /** Lowest number of a frame that is here and not settled; where there is none, the one behind the last. */
    public synchronized long floor(SessionId session) {
        for (Segment s : segments) {
            if (s.session.equals(session) && s.unsettled() > 0) {
                return s.floor();
            }
        }
        return lastOf.getOrDefault(session, 0L) + 1;
    }

    /** Number of the last frame appended to a session, 0 when it is not known. */
    public synchronized long last(SessionId session) {
        return lastOf.getOrDefault(session, 0L);
    }

    /**
     * The frames of a session behind a number, in order: as many as fit, and at least one where there is one. What cannot be read any more is
     * given up.
     */
    public synchronized List<SpoolEntry> read(SessionId session, long after, int mostFrames, long mostBytes) {
        List<SpoolEntry> entries = new ArrayList<>();
        long bytes = 0;
        long at = after;
        for (Segment s : segments) {
            while (s.session.equals(session) && entries.size() < mostFrames) {
                try {
                    SpoolEntry entry = s.after(at);
                    if (entry == null) {
                        break;
                    }
                    bytes += entry.frame().length;
                    if (!entries.isEmpty() && bytes > mostBytes) {
                        return entries;
                    }
                    entries.add(entry);
                    at = entry.counter();
                } catch (Segment.DamagedException damaged) {
                    s.settle(damaged.counter);
                    lose(SpoolLoss.CORRUPT, 1);
                }
            }
        }
        return entries;
    }

    /** The names that a frame builds on, as blocks in order: for a receiver that lacks them. Empty when it is not here. */
    public synchronized List<byte[]> namesBefore(SessionId session, long counter) {
        for (Segment s : segments) {
            if (s.session.equals(session) && counter <= s.last()) {
                return s.namesBefore(counter, Spool::namesOf);
            }
        }
        return List.of();
    }

    private static byte[] namesOf(byte[] frame) {
        try {
            return FrameReader.names(frame);
        } catch (WireException notAFrame) {
            return new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        }
    }

    /** The frames of a session up to a number are safe where they were sent to. */
    public synchronized void acknowledged(SessionId session, long through) {
        if (through <= acknowledged.getOrDefault(session, 0L) || !lastOf.containsKey(session)) {
            return;
        }
        acknowledged.put(session, through);
        segments.forEach(s -> {
            if (s.session.equals(session)) {
                s.settleThrough(through);
            }
        });
        sweep();
        folder.acknowledge(acknowledged);
    }

    /** Gives up one frame, for a reason that is counted. */
    public synchronized void giveUp(SessionId session, long counter, String reason) {
        for (Segment s : segments) {
            if (s.session.equals(session) && s.settle(counter)) {
                lose(reason, 1);
                break;
            }
        }
        sweep();
    }

    /** Frames lost since the spool was opened, by reason ({@link SpoolLoss}). */
    public synchronized Map<String, Long> losses() {
        return new TreeMap<>(losses);
    }

    /** Frames that are not settled. */
    public synchronized long frames() {
        return segments.stream().mapToLong(Segment::unsettled).sum();
    }

    /** Bytes of its files. */
    public synchronized long diskBytes() {
        return bytes(false);
    }

    /** True while frames are kept in memory because the disk takes none. */
    public synchronized boolean isDegraded() {
        return first(true) != null;
    }

    /** Forces to the disk what was appended since it was last called, without holding up who appends. */
    public void sync() {
        Unforced.Batch batch;
        synchronized (this) {
            Segment to = current;
            batch = unforced.take(to == null ? null : to.channel());
        }
        if (!batch.force(disk, folder)) {
            synchronized (this) {
                lose(SpoolLoss.NOT_FORCED, 1);
            }
        }
    }

    /** Frames appended so far: what {@link #await} tells a new one by. */
    synchronized long appended() {
        return appended;
    }

    /** Waits until more frames than those were appended, somebody wakes it, or the time is over. */
    @SuppressWarnings("WaitNotInLoop") // who waits looks again, whyever it woke
    synchronized void await(long seen, long millis) throws InterruptedException {
        if (!closed && appended == seen && millis > 0) {
            wait(millis);
        }
    }

    /** Wakes who waits. */
    synchronized void wake() {
        appended++;
        notifyAll();
    }

    /** Forces and closes the files. Frames stay for the next process; those in memory are lost, and counted. */
    @Override
    public void close() throws IOException {
        sync();
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            for (Segment s : segments) {
                lose(SpoolLoss.DISK_FULL, s.isInMemory() ? s.unsettled() : 0);
                s.close();
            }
            notifyAll();
            folder.close();
        }
    }
}
