package dev.argus.stacks;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stacks by py-spy instead, for processes that are not read here (older or newer Pythons, other interpreters' layouts): one dump a call, {@code
 * py-spy dump --nonblocking --json -p PID}.
 *
 * <p>What it prints is parsed by whoever reads such files anyway, passed in: rooms of one floor do not know each other. Bounds: {@value #MAX_BYTES}
 * bytes of output, {@value #TIMEOUT_SECONDS} s a call. Cost: a new process a call, tens of milliseconds of CPU: for one look, not for sampling.
 *
 * @param program path of py-spy
 */
public record PySpySource(Path program) {
    /** Most output of a dump. */
    public static final int MAX_BYTES = 16 << 20;

    /** How long a dump may take. */
    public static final int TIMEOUT_SECONDS = 20;

    private static final int MAX_MESSAGE = 300;

    /**
     * Takes one dump of a process.
     *
     * @param pid as this host sees it
     * @param reader makes of the file with the JSON text whatever is wanted; the file is gone afterwards
     * @throws StackAccessException if py-spy cannot be run, refuses, takes too long or prints too much; its own words are in the message
     * @throws InterruptedException if the calling thread is interrupted; py-spy is ended
     */
    public <T> T dump(int pid, Function<Path, T> reader) throws StackAccessException, InterruptedException {
        Path output = null;
        Path errors = null;
        try {
            output = Files.createTempFile("argus-py-spy", ".json");
            errors = Files.createTempFile("argus-py-spy", ".txt");
            Process process = new ProcessBuilder(
                            List.of(program.toString(), "dump", "--nonblocking", "--json", "-p", Integer.toString(pid)))
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            boolean done = false;
            try {
                done = waitFor(process, output);
            } finally {
                if (!done) {
                    process.destroyForcibly();
                }
            }
            if (process.exitValue() != 0) {
                throw new StackAccessException(program + " could not dump process " + pid + ", it ended with "
                        + process.exitValue() + ": " + words(errors));
            }
            if (Files.size(output) > MAX_BYTES) {
                throw tooMuch();
            }
            return reader.apply(output);
        } catch (IOException e) {
            throw new StackAccessException(
                    program + " could not be run: " + e.getMessage() + "; expected the path of an executable py-spy");
        } finally {
            delete(output);
            delete(errors);
        }
    }

    private boolean waitFor(Process process, Path output)
            throws IOException, InterruptedException, StackAccessException {
        for (int i = 0; i < TIMEOUT_SECONDS * 10; i++) {
            if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
                return true;
            }
            if (Files.size(output) > MAX_BYTES) {
                throw tooMuch();
            }
        }
        throw new StackAccessException(program + " did not end within " + TIMEOUT_SECONDS + " s");
    }

    private StackAccessException tooMuch() {
        return new StackAccessException(program + " prints more than " + MAX_BYTES + " bytes");
    }

    private static String words(Path errors) throws IOException {
        try (InputStream in = Files.newInputStream(errors)) {
            return new String(in.readNBytes(MAX_MESSAGE), StandardCharsets.UTF_8).strip();
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
