package dev.argus.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * How long the main thread of a process was on a CPU, and how long it could have run and did not, because others had the CPUs: the first two numbers of {@code
 * /proc/PID/task/TID/schedstat}, nanoseconds. Cost: one read a look. A kernel without it says nothing, which is not zero.
 */
final class CpuWaits implements AutoCloseable {
    private static final int LENGTH = 96;

    private final FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
    private long ranBefore = -1;
    private long waitedBefore = -1;
    private long ran = -1;
    private long waited = -1;

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

    /** Reads both numbers; what they grew by since the last look is {@link #waited} and {@link #ran}. */
    void look() {
        buffer.clear();
        int length;
        try {
            length = file.read(buffer, 0);
        } catch (IOException ended) {
            length = 0;
        }
        long on = number(buffer, length, 0);
        long off = number(buffer, length, 1);
        ran = ranBefore < 0 || on < ranBefore ? -1 : on - ranBefore;
        waited = waitedBefore < 0 || off < waitedBefore ? -1 : off - waitedBefore;
        ranBefore = on;
        waitedBefore = off;
    }

    /** Nanoseconds waited for a CPU between the last two looks, -1 when unknown. */
    long waited() {
        return waited;
    }

    /** Nanoseconds on a CPU between the last two looks, -1 when unknown. */
    long ran() {
        return ran;
    }

    /** One of the numbers in a line, -1 when it has not so many. */
    static long number(ByteBuffer line, int length, int which) {
        int at = 0;
        for (int skip = which; skip > 0; skip--) {
            while (at < length && line.get(at) != ' ') {
                at++;
            }
            at++;
        }
        long value = -1;
        for (; at < length && line.get(at) >= '0' && line.get(at) <= '9'; at++) {
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
