package dev.argus.stacks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * {@code /proc/PID/task/TID/stat}, kept open: name and state of a thread.
 *
 * <p>An open one belongs to that very thread: it fails once the thread ended, also when its ids are used again.
 */
final class TaskFile implements AutoCloseable {
    private static final int LENGTH = 128; // pid (16 characters) S

    private final FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
    private final byte[] bytes = new byte[LENGTH];
    private String name = "";
    private int nameHash;
    private char state = '?';

    private TaskFile(FileChannel file) {
        this.file = file;
    }

    /** Opens it; null if the thread is gone or hidden. */
    static @Nullable TaskFile open(int pid, int thread) {
        try {
            return new TaskFile(
                    FileChannel.open(ProcFiles.of(pid, "task/" + thread + "/stat"), StandardOpenOption.READ));
        } catch (IOException gone) {
            return null;
        }
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
        int open = -1;
        int close = -1;
        buffer.get(0, bytes);
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
        state = (char) bytes[close + 2];
        int hash = 1;
        for (int i = open + 1; i < close; i++) {
            hash = 31 * hash + bytes[i];
        }
        if (hash != nameHash || name.isEmpty()) {
            name = new String(bytes, open + 1, close - open - 1, StandardCharsets.UTF_8);
            nameHash = hash;
        }
        return state != 'X' && state != 'Z';
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
        } catch (IOException ignored) {
            // only read from
        }
    }
}
