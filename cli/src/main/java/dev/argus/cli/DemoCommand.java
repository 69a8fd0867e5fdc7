package dev.argus.cli;

import dev.argus.cli.demo.Demo;
import dev.argus.cli.demo.DemoOptions;
import dev.argus.cli.demo.DemoServer;
import dev.argus.cli.text.Look;
import dev.argus.model.SafeText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code demo}: everything at once on this machine, until somebody stops it. */
final class DemoCommand {
    private static final int MOST_SECONDS = 100_000_000;
    private static final int MOST_PORT = 65_535;
    private static final int MOST_SEED = 999_999_999;
    private static final int SEEDS = 1000;
    private static final long END_SECONDS = 15;

    private final Surroundings around;
    private final DemoServer.Starter starter;

    DemoCommand(Surroundings around, DemoServer.Starter starter) {
        this.around = around;
        this.starter = starter;
    }

    int run(ParseResult parsed) throws IOException {
        DemoOptions options = options(parsed);
        String format = Arguments.oneOf(
                CommandTree.FORMAT, parsed.matchedOptionValue(CommandTree.FORMAT, "text"), List.of("text", "json"));
        Look look = Look.of(around.environment(), around.colour(parsed.hasMatchedOption(CommandTree.NO_COLOR)));
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> end(stop, ended), "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            new Demo(options, starter, temp(), format.equals("json"), look, this::print, this::note).run(stop);
            return ExitCode.DONE;
        } catch (IOException | IllegalStateException e) {
            note(
                    e instanceof IOException failed
                            ? "cannot begin: " + Failures.reasonWithFile(failed)
                            : String.valueOf(e.getMessage()));
            return ExitCode.NOTHING_ANALYSED;
        } catch (UncheckedIOException unheard) {
            throw unheard.getCause();
        } finally {
            ended.countDown();
            removeHook(hook);
        }
    }

    private static Path temp() {
        return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    }

    private static DemoOptions options(ParseResult parsed) {
        int ranks =
                integer(parsed, CommandTree.RANKS, DemoOptions.LEAST_RANKS, DemoOptions.MOST_RANKS, DemoOptions.RANKS);
        if (ranks % DemoOptions.RANKS_STEP != 0) {
            throw new UsageError(CommandTree.RANKS + ": found '" + ranks + "', expected a multiple of "
                    + DemoOptions.RANKS_STEP + ", such as " + ranks / DemoOptions.RANKS_STEP * DemoOptions.RANKS_STEP
                    + ".");
        }
        int anySeed = (int) (System.currentTimeMillis() % SEEDS);
        return DemoOptions.of(
                ranks,
                integer(parsed, CommandTree.SEED, 0, MOST_SEED, anySeed),
                integer(parsed, CommandTree.PORT, 0, MOST_PORT, 0),
                integer(parsed, CommandTree.FOR, 1, MOST_SECONDS, 0));
    }

    private static int integer(ParseResult parsed, String option, int least, int most, int otherwise) {
        @Nullable String value = parsed.matchedOptionValue(option, null);
        return value == null ? otherwise : Arguments.integer(option, value, least, most);
    }

    private static void end(CountDownLatch stop, CountDownLatch ended) {
        stop.countDown();
        try {
            ended.await(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // it is what ends us
        }
    }

    private void print(String text) {
        try {
            around.out().write(text.getBytes(StandardCharsets.UTF_8));
            around.out().flush();
        } catch (IOException unheard) {
            throw new UncheckedIOException(unheard);
        }
    }

    private void note(String text) {
        around.err().println("argus: " + SafeText.sentence(text));
    }
}
