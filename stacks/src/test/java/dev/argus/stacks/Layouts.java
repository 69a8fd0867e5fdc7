package dev.argus.stacks;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.stream.Stream;

/** The layouts of all versions; those of 3.13 and 3.14 from offsets as such a process shows them. */
final class Layouts {
    /** Numbers of {@code _Py_DebugOffsets}: of 3.13.0 as compiled, of 3.14 in its order, with numbers of its own. */
    static final long[] OFFSETS_3_13 = {
        0,
        0x030d00f0L,
        0, //
        283320,
        624,
        632, // runtime
        200000,
        7272,
        7264,
        7344,
        7500,
        8000,
        8100,
        8200,
        16,
        9000,
        0,
        9016,
        9008, // interpreter
        304,
        0,
        8,
        16,
        72,
        152,
        160,
        232,
        32, // thread
        80,
        8,
        0,
        56,
        72,
        70, // frame
        208,
        112,
        120,
        128,
        136,
        68,
        52,
        96,
        104,
        200, // code
        16,
        8, // object
        416,
        24,
        88,
        168, // type
        32,
        24,
        16, // tuple
        40,
        24,
        16, // list
        48,
        32,
        40, // dict
        24,
        16, // float
        32,
        16,
        24, // long
        40,
        16,
        32, // bytes
        64,
        32,
        16,
        40, // string
        176,
        8 // gc
    };

    static final long[] OFFSETS_3_14 = {
        0,
        0x030e00f0L,
        0, //
        300000,
        624,
        632, // runtime
        210000,
        7272,
        7264,
        7344,
        7352,
        7500,
        8000,
        8100,
        8200,
        16,
        9000,
        0,
        9016,
        9008,
        9100,
        0, // interpreter
        400,
        0,
        8,
        16,
        72,
        152,
        160,
        232,
        32, // thread
        88,
        8,
        0,
        56,
        80,
        74,
        64,
        0, // frame
        208,
        112,
        120,
        128,
        136,
        68,
        52,
        96,
        104,
        208,
        0, // code
        16,
        8, // object
        416,
        24,
        88,
        168, // type
        32,
        32,
        16, // tuple
        40,
        24,
        16, // list
        200,
        24,
        40,
        32, // set
        48,
        32,
        40, // dict
        24,
        16, // float
        32,
        16,
        24, // long
        40,
        16,
        32, // bytes
        64,
        32,
        16,
        40, // string
        176,
        8 // gc
    };

    private static final long COOKIE = 0x7970677562656478L; // "xdebugpy"

    private Layouts() {}

    static Stream<PythonLayout> all() {
        return Stream.of(
                Objects.requireNonNull(PythonLayout.ofMinor(11)),
                Objects.requireNonNull(PythonLayout.ofMinor(12)),
                parsed(OFFSETS_3_13),
                parsed(OFFSETS_3_14));
    }

    static PythonLayout parsed(long[] numbers) {
        try {
            return parse(numbers);
        } catch (StackAccessException e) {
            throw new AssertionError(e);
        }
    }

    static PythonLayout parse(long[] numbers) throws StackAccessException {
        try (Arena arena = Arena.ofConfined();
                ForeignMemory memory =
                        new ForeignMemory((int) ProcessHandle.current().pid())) {
            MemorySegment shown = arena.allocate(DebugOffsets.LENGTH, 8);
            for (int i = 0; i < numbers.length; i++) {
                shown.setAtIndex(JAVA_LONG_UNALIGNED, i, i == 0 ? COOKIE : numbers[i]);
            }
            memory.readOnly(shown.address(), DebugOffsets.LENGTH);
            if (!DebugOffsets.recognises(memory, 0)) {
                throw new AssertionError("the cookie was not recognised");
            }
            return DebugOffsets.layout(memory, 0);
        }
    }
}
