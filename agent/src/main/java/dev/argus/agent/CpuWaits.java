package dev.argus.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * How long the main thread of a process could have run and did not, because others had the CPUs: the second number of {@code
 * /proc/PID/task/TID/schedstat}, nanoseconds. Cost: one read a look. A kernel without it says nothing, which is not zero.
 */
final class CpuWaits implements AutoCloseable {
    private static final int LENGTH = 96;

    private final FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
    private long before = -1;

    private CpuWaits(FileChannel file) {
        this.file = file;
    }

    /** Opens it; null where it is hidden, or the process gone. */
    static @Nullable CpuWaits open(Path proc, long pid) {
        try {
            return new CpuWaits(
                    FileChannel.open(proc.resolve(pid + "/task/" + pid + "/schedstat"), StandardOpenOption.READ));
        } catch (IOException hidden) {
            return null;
        }
    }

    /** Nanoseconds waited since the last look, -1 when unknown. */
    long waited() {
        buffer.clear();
        int length;
        try {
            length = file.read(buffer, 0);
        } catch (IOException ended) {
            return -1;
        }
        long now = second(buffer, length);
        long since = before < 0 || now < before ? -1 : now - before;
        before = now;
        return since;
    }

    /** The second of the numbers in a line, -1 when there is none. */
    static long second(ByteBuffer line, int length) {
        int at = 0;
        while (at < length && line.get(at) != ' ') {
            at++;
        }
        long value = -1;
        for (at++; at < length && line.get(at) >= '0' && line.get(at) <= '9'; at++) {
            if (value > Long.MAX_VALUE / 16) {
                return -1;
            }
            value = Math.max(0, value) * 10 + line.get(at) - '0';
        }
        return value;
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
