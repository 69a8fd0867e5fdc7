package dev.argus.stacks;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A Python process to look into. {@code ARGUS_PYTHON} names another interpreter than the system's. */
final class Target implements AutoCloseable {
    static final String PYTHON = System.getenv().getOrDefault("ARGUS_PYTHON", "/usr/bin/python3");

    final Process process;
    private final BufferedReader output;

    private Target(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    static Process python(String program, String... before) throws IOException {
        List<String> command = new ArrayList<>(List.of(before));
        command.addAll(List.of(PYTHON, "-u", "-c", program));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Starts a program that prints {@code ready} when it is. */
    static Target of(String program, String... before) throws IOException {
        Target target = new Target(python(program, before));
        String line = target.line();
        if (!"ready".equals(line)) {
            throw new IOException("the program said '" + line + "', expected ready");
        }
        return target;
    }

    int pid() {
        return (int) process.pid();
    }

    String line() throws IOException {
        return output.readLine();
    }

    /** Tells it to end, which it does when its input does. */
    void finish() throws IOException {
        process.getOutputStream().close();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
