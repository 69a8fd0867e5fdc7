package dev.argus.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Finds {@code baseTimeNanoseconds} where it stands behind the events, as Kineto wrote it for some years.
 *
 * <p>An uncompressed file: in its last bytes, as the last such key, which is compared with the real one when the reader
 * gets there. Anything else: by a pass over the file that skips the events.
 */
final class TimeBase {
    private static final int TAIL = 64 << 10;
    private static final byte[] KEY = "\"baseTimeNanoseconds\"".getBytes(StandardCharsets.US_ASCII);

    private TimeBase() {}

    /** The base in nanoseconds since the epoch, or 0. */
    static long find(Path path) {
        try {
            long base = inTail(path);
            return base > 0 ? base : inWhole(path);
        } catch (IOException | LinkageError unreadable) {
            return 0;
        }
    }

    private static long inTail(Path path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            int length = (int) Math.min(TAIL, file.length());
            byte[] tail = new byte[length];
            file.seek(file.length() - length);
            file.readFully(tail);
            int at = lastKey(tail);
            return at < 0 ? 0 : numberBehind(tail, at + KEY.length);
        }
    }

    private static int lastKey(byte[] tail) {
        for (int at = tail.length - KEY.length; at >= 0; at--) {
            int i = 0;
            while (i < KEY.length && tail[at + i] == KEY[i]) {
                i++;
            }
            if (i == KEY.length) {
                return at;
            }
        }
        return -1;
    }

    private static long numberBehind(byte[] tail, int from) {
        int at = from;
        while (at < tail.length && (tail[at] == ':' || (tail[at] <= ' ' && tail[at] >= 0))) {
            at++;
        }
        int end = at;
        while (end < tail.length && isOfNumber(tail[end])) {
            end++;
        }
        long base = end == at ? 0 : Decimals.integer(tail, at, end);
        return TraceClock.isBase(base) ? base : 0;
    }

    private static boolean isOfNumber(byte b) {
        return (b >= '0' && b <= '9') || b == '.' || b == '+' || b == '-' || b == 'e' || b == 'E';
    }

    private static long inWhole(Path path) throws IOException {
        try (InputStream stream = ByteSource.open(path, n -> {})) {
            JsonScanner in = new JsonScanner(stream, FileRead.WINDOW);
            in.skipByteOrderMark();
            if (in.peek() != '{') {
                return 0;
            }
            in.take();
            return member(in);
        }
    }

    private static long member(JsonScanner in) {
        try {
            while (true) {
                in.peek();
                in.mark();
                int key = in.nextKey(TraceMembers.ALL);
                if (key < 0) {
                    return 0;
                }
                if (key == TraceMembers.BASE_TIME) {
                    long base = in.integer();
                    return TraceClock.isBase(base) ? base : 0;
                }
                in.skipValue();
            }
        } catch (JsonError broken) {
            return 0;
        }
    }
}
