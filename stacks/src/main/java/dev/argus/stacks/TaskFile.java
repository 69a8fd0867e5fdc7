package dev.argus.stacks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@code /proc/PID/task/TID/stat} and {@code schedstat}, kept open: name and state of a thread, and for how long it has run.
 *
 * <p>An open one belongs to that very thread: it fails once the thread ended, also when its ids are used again.
 */
final class TaskFile implements AutoCloseable {
    private static final int LENGTH = 128; // pid (16 characters) S
    private static final int MOST_DIGITS = 18;

    /** Ten digits, a blank, and a name of at most 15 bytes in brackets. */
    private static final int LONGEST_NAME_END = 28;

    private final FileChannel file;
    private final @Nullable FileChannel runs;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
    private final byte[] bytes = new byte[LENGTH];
    private String name = "";

    /** Id, name and what stands around them as they were read last, and their length; 0 before the first. */
    private final byte[] before = new byte[LENGTH];

    private int known;
    private char state = '?';

    private TaskFile(FileChannel file, @Nullable FileChannel runs) {
        this.file = file;
        this.runs = runs;
    }

    /** Opens it; null if the thread is gone or hidden. */
    static @Nullable TaskFile open(int pid, int thread) {
        try {
            return new TaskFile(
                    FileChannel.open(ProcFiles.of(pid, "task/" + thread + "/stat"), StandardOpenOption.READ),
                    runs(pid, thread));
        } catch (IOException gone) {
            return null;
        }
    }

    private static @Nullable FileChannel runs(int pid, int thread) {
        try {
            return FileChannel.open(ProcFiles.of(pid, "task/" + thread + "/schedstat"), StandardOpenOption.READ);
        } catch (IOException unknown) {
            return null; // a kernel that does not count
        }
    }

    /** Nanoseconds that the thread has run, -1 when the kernel does not tell. Of a thread that sleeps it is exact, of one that runs it may be late by a tick. */
    long ran() {
        if (runs == null) {
            return -1;
        }
        buffer.clear();
        int length;
        try {
            length = runs.read(buffer, 0);
        } catch (IOException ended) {
            return -1;
        }
        long value = -1;
        for (int at = 0; at < length && at < MOST_DIGITS; at++) {
            byte b = buffer.get(at);
            if (b < '0' || b > '9') {
                return value;
            }
            value = Math.max(0, value) * 10 + b - '0';
        }
        return -1;
    }

    /** False once the thread has ended: a shorter look than {@link #refresh}, after which name and state are what they were. */
    boolean lives() {
        return runs == null ? refresh() : ran() >= 0;
    }

    /** True if the thread sleeps. */
    boolean sleeps() {
        return state == 'S';
    }

    /** Reads name and state anew; false once the thread has ended. */
    boolean refresh() {
        buffer.clear();
        int length;
        try {
            length = file.read(buffer, 0);
        } catch (IOException ended) {
            return false;
        }
        buffer.get(0, bytes);
        if (length < known + 2 || !same(length)) {
            known = 0;
            if (!parse(length)) {
                return false;
            }
        }
        state = (char) bytes[known];
        return state != 'X' && state != 'Z';
    }

    /** True if id and name are those of the last time, and no bracket behind them says that the name is longer. */
    private boolean same(int length) {
        if (known == 0 || !Arrays.equals(bytes, 0, known, before, 0, known)) {
            return false;
        }
        for (int i = known; i < Math.min(length, LONGEST_NAME_END); i++) {
            if (bytes[i] == ')') {
                return false;
            }
        }
        return true;
    }

    /** Finds the name between the first bracket and the last: it may hold others. */
    private boolean parse(int length) {
        int open = -1;
        int close = -1;
        for (int i = 0; i < length; i++) {
            byte b = bytes[i];
            if (b == '(' && open < 0) {
                open = i;
            } else if (b == ')') {
                close = i;
            }
        }
        if (open < 0 || close < open || close + 2 >= length) {
            return false;
        }
        name = new String(bytes, open + 1, close - open - 1, StandardCharsets.UTF_8);
        known = close + 2;
        System.arraycopy(bytes, 0, before, 0, known);
        return true;
    }

    /** As the kernel has it, at most 15 bytes; {@code pthread_setname_np} sets it. */
    String name() {
        return name;
    }

    /**
     * True if it runs ({@code R}), or waits inside the kernel for something that cannot be interrupted ({@code D}: a disk, a driver). Who
     * sleeps, for a lock, a time or a network, is idle.
     */
    boolean active() {
        return state == 'R' || state == 'D';
    }

    @Override
    public void close() {
        try {
            file.close();
            if (runs != null) {
                runs.close();
            }
        } catch (IOException ignored) {
            // only read from
        }
    }
}
