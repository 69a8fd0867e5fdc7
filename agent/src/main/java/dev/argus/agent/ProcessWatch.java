package dev.argus.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Whether one process runs, is stopped or has ended, by its {@code /proc/PID/stat}, kept open. An open one belongs to that very process: it fails once that has ended, whoever has its id
 * then. Cost: one short read a look. One thread.
 */
final class ProcessWatch implements AutoCloseable {
    private static final int LENGTH = 128;
    private static final char GONE = 'X';

    private final FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);

    private ProcessWatch(FileChannel file) {
        this.file = file;
    }

    /** Opens it; null where it is hidden, or the process gone. */
    static @Nullable ProcessWatch open(Path proc, long pid) {
        try {
            return new ProcessWatch(FileChannel.open(proc.resolve(pid + "/stat"), StandardOpenOption.READ));
        } catch (IOException hidden) {
            return null;
        }
    }

    /** True once the process has ended, though its parent may not have heard of it. */
    boolean ended() {
        char state = state();
        return state == GONE || state == 'Z';
    }

    /** True if it is stopped by a signal or a debugger. */
    boolean stopped() {
        char state = state();
        return state == 'T' || state == 't';
    }

    /** The letter behind the last bracket: the name of a process may hold brackets, nothing behind it does. */
    private char state() {
        buffer.clear();
        int length;
        try {
            length = file.read(buffer, 0);
        } catch (IOException ended) {
            return GONE;
        }
        for (int at = length - 3; at >= 0; at--) {
            if (buffer.get(at) == ')') {
                return (char) buffer.get(at + 2);
            }
        }
        return GONE;
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
