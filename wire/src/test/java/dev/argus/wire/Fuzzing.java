package dev.argus.wire;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What must be true of a decoder whatever it is given. */
final class Fuzzing {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** So many first calls load classes, which the fuzzer then rewrites: they are not measured. Each target has a JVM of its own. */
    private static final int WARM_UP = 100;

    private static int calls;

    private Fuzzing() {}

    /** What the decoder gives, or null where it refuses; it must not use more memory than is allowed. */
    static <T> @Nullable T decoded(Function<byte[], T> decoder, byte[] bytes, long allowedBytes) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        T result = null;
        try {
            result = decoder.apply(bytes);
        } catch (WireException named) {
            check(named.getMessage() != null && named.getMessage().length() > 10, "an error that says nothing");
        }
        long used = THREADS.getCurrentThreadAllocatedBytes() - before;
        check(
                ++calls <= WARM_UP || used <= allowedBytes,
                used + " bytes allocated for " + bytes.length + ", allowed " + allowedBytes);
        return result;
    }

    /** A layout that has one way to write a thing: what is accepted is, byte for byte, what the writer writes. */
    static <T> void exact(byte[] bytes, Function<WireReader, T> decoder, BiConsumer<T, WireWriter> encoder) {
        WireReader from = new WireReader(bytes);
        T read = decoded(ignored -> decoder.apply(from), bytes, (1 << 20) + 64L * bytes.length);
        if (read == null) {
            return;
        }
        WireWriter to = new WireWriter();
        encoder.accept(read, to);
        byte[] accepted = Arrays.copyOf(bytes, bytes.length - from.remaining());
        check(
                Arrays.equals(accepted, to.toByteArray()),
                HexFormat.of().formatHex(accepted) + " was accepted, but "
                        + HexFormat.of().formatHex(to.toByteArray()) + " is how to write it");
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
