package dev.argus.benchmarks;

import dev.argus.stacks.StackAccessException;
import dev.argus.stacks.StackSampler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A Python process to be sampled, which answers on its standard output. */
final class PythonTarget implements AutoCloseable {
    /** A chain of 29 calls below the module, whose innermost mostly sleeps, as a rank that waits for its GPU. */
    static final String THIRTY_FRAMES = """
            import time
            source = ''
            for i in range(28):
                inner = 'f%d(x)' % (i + 1) if i < 27 else 'loop()'
                source += 'def f%d(x):\\n    y = x + 1\\n    return %s\\n' % (i, inner)
            source += 'def loop():\\n    while True:\\n        sum(range(2000))\\n        time.sleep(0.005)\\n'
            exec(compile(source, '/srv/job/train.py', 'exec'))
            print('ready')
            f0(1)
            """;

    /** 64 threads; the main one measures the gaps of its own loop, a line for every line it is given: rounds, largest gap, 99.9th percentile, CPU. */
    static final String GAPS = """
            import sys, threading, time
            clock = time.perf_counter_ns
            for i in range(63): threading.Thread(target=threading.Event().wait, daemon=True).start()
            print('ready')
            for line in sys.stdin:
                end = clock() + int(line)
                gaps = []
                used = time.thread_time_ns()
                last = clock()
                while last < end:
                    for i in range(20): pass
                    now = clock()
                    gaps.append(now - last)
                    last = now
                used = time.thread_time_ns() - used
                gaps.sort()
                print(len(gaps), gaps[-1], gaps[len(gaps) * 999 // 1000], used)
            """;

    private final Process process;
    private final BufferedReader output;
    private final PrintWriter input;

    PythonTarget(Path python, String program) throws IOException, CannotMeasure {
        process = new ProcessBuilder(python.toString(), "-u", "-c", program)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = process.inputReader();
        input = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        String line = output.readLine();
        if (!"ready".equals(line)) {
            close();
            throw new CannotMeasure(python + " said '" + line + "', expected ready; it has to be Python 3.11 or newer");
        }
    }

    StackSampler attach() throws CannotMeasure {
        try {
            return StackSampler.attach((int) process.pid());
        } catch (StackAccessException e) {
            throw new CannotMeasure(String.valueOf(e.getMessage()));
        }
    }

    long pid() {
        return process.pid();
    }

    String line() throws IOException {
        return String.valueOf(output.readLine());
    }

    void tell(String line) {
        input.println(line);
    }

    void finish() {
        input.close();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
