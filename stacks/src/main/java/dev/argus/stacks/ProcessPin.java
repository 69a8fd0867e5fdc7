package dev.argus.stacks;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * A process held by a descriptor of its own ({@code pidfd_open}(2)): it means that very process, whoever has its pid later. So what was read by pid was of that process if it {@link #holds}
 * afterwards. Cost: one short system call, a third of a look at its file in {@code /proc}.
 */
final class ProcessPin implements AutoCloseable {
    private static final long PIDFD_SEND_SIGNAL = 424;
    private static final long PIDFD_OPEN = 434;

    private final int descriptor;

    private ProcessPin(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Pins the process that has the pid now; null where the system does not let us, or there is none. */
    static @Nullable ProcessPin open(int pid) {
        try {
            long descriptor = (long) Native.CALL.invokeExact(PIDFD_OPEN, (long) pid, 0L, 0L, 0L);
            if (descriptor < 0) {
                return null;
            }
            ProcessPin pin = new ProcessPin((int) descriptor);
            if (pin.holds()) {
                return pin;
            }
            pin.close();
            return null;
        } catch (Throwable impossible) {
            return null; // then its files tell
        }
    }

    /** True if the process is still there, and its pid therefore its own; false where it is not, or that cannot be told. */
    boolean holds() {
        try {
            return (long) Native.CALL.invokeExact(PIDFD_SEND_SIGNAL, (long) descriptor, 0L, 0L, 0L) == 0;
        } catch (Throwable impossible) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            int closed = (int) Native.CLOSE.invokeExact(descriptor);
            assert closed <= 0;
        } catch (Throwable impossible) {
            throw new AssertionError("close could not be called", impossible);
        }
    }

    /** The C library has names for these calls since 2022 only; their numbers are the same on all machines. */
    @SuppressWarnings("restricted")
    private static final class Native {
        static final MethodHandle CALL = Linker.nativeLinker()
                .downcallHandle(
                        symbol("syscall"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG),
                        Linker.Option.firstVariadicArg(1));
        static final MethodHandle CLOSE = Linker.nativeLinker()
                .downcallHandle(symbol("close"), FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

        private static MemorySegment symbol(String name) {
            return Linker.nativeLinker().defaultLookup().find(name).orElseThrow();
        }

        private Native() {}
    }
}
