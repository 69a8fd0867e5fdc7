package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import java.io.BufferedReader;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LineTableTest {
    /** Every code object of some modules of the library, line by line as Python itself says it. */
    private static final String ORACLE = """
            import types, ast, dataclasses, argparse, asyncio.base_events, threading, decimal, typing, inspect
            def walk(code):
                lines = {}
                for start, end, line in code.co_lines():
                    for unit in range(start // 2, end // 2):
                        lines[unit] = line or 0
                yield code.co_firstlineno, code.co_linetable.hex(), lines
                for c in code.co_consts:
                    if isinstance(c, types.CodeType):
                        yield from walk(c)
            for m in (ast, dataclasses, argparse, asyncio.base_events, threading, typing, inspect):
                for first, table, lines in walk(compile(open(m.__file__).read(), m.__file__, 'exec')):
                    print(first, table, ' '.join(str(lines.get(i, 0)) for i in range(max(lines) + 1)))
            """;

    @Test
    @Requires(Need.PYTHON)
    void agreesWithPythonItself() throws Exception {
        Process python = Target.python(ORACLE);
        int units = 0;
        try (BufferedReader lines = python.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split(" ", -1);
                byte[] table = HexFormat.of().parseHex(fields[1]);
                int first = Integer.parseInt(fields[0]);
                for (int i = 2; i < fields.length; i++, units++) {
                    assertThat(LineTable.line(table, first, i - 2)).isEqualTo(Integer.parseInt(fields[i]));
                }
            }
        }
        assertThat(python.waitFor()).isZero();
        assertThat(units).isGreaterThan(50_000);
    }

    @Test
    void readsEveryForm() {
        byte[] table = HexFormat.of()
                .parseHex("80" + "00" + "d9" + "0102" + "e8" + "03" + "f1" + "42" + "01" + "00" + "00" + "00" + "f8");
        // short, one unit; one line +1, two units; no columns -1, one; long +33, two; none, one
        int[] expected = {10, 11, 11, 10, 43, 43, 0};
        for (int i = 0; i < expected.length; i++) {
            assertThat(LineTable.line(table, 10, i)).as("unit " + i).isEqualTo(expected[i]);
        }
        assertThat(LineTable.line(table, 10, -1)).isEqualTo(10);
        assertThat(LineTable.line(new byte[0], 10, 5)).isEqualTo(10);
    }

    @Test
    void survivesAnyBytes() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] table = new byte[random.nextInt(60)];
            random.nextBytes(table);
            assertThat(LineTable.line(table, random.nextInt(), random.nextInt(100)))
                    .isNotNegative();
        }
    }
}
