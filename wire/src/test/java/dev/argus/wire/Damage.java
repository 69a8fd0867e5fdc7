package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.Consumer;

/** Cuts and corrupts bytes in every way of one place and asks a decoder to stay calm. */
final class Damage {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Damage() {}

    /** Every prefix must be refused. */
    static void cutEverywhere(byte[] bytes, Consumer<WireReader> decoder) {
        for (int n = 0; n < bytes.length; n++) {
            assertThat(refused(Arrays.copyOf(bytes, n), decoder))
                    .as("cut at %d of %d", n, bytes.length)
                    .isTrue();
        }
    }

    /** Every byte takes every value: refused or decoded to something, never anything else. */
    static void corruptEverywhere(byte[] bytes, Consumer<WireReader> decoder) {
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            for (int value = 0; value < 256; value++) {
                damaged[at] = (byte) value;
                refused(damaged, decoder);
            }
        }
    }

    /** True when the decoder refuses; at most a little memory may have been used either way. */
    static boolean refused(byte[] bytes, Consumer<WireReader> decoder) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        boolean refused = false;
        try {
            decoder.accept(new WireReader(bytes));
        } catch (WireException expected) {
            refused = true;
        }
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
                .as("bytes allocated for %d", bytes.length)
                .isLessThan(1L << 20);
        return refused;
    }
}
