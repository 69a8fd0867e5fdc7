package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.cli.demo.DemoServers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParseResult;

/** The command around the demonstration. */
class DemoCommandTest {
    private record Said(int exitCode, String out, String err) {}

    private static Said run(String... args) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        ParseResult parsed = CommandTree.build().parseArgs(args);
        DemoCommand command = new DemoCommand(Surroundings.piped(out, err, Map.of()), DemoServers.none());
        int exitCode = command.run(java.util.Objects.requireNonNull(parsed.subcommand()));
        return new Said(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static List<Path> left() throws IOException {
        String ours = "argus-demo-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> temp = Files.list(Path.of(System.getProperty("java.io.tmpdir")));
                Stream<Path> memory = Files.list(Path.of("/dev/shm"))) {
            return Stream.concat(temp, memory)
                    .filter(p -> String.valueOf(p.getFileName()).startsWith(ours))
                    .toList();
        }
    }

    @Test
    void itBeginsEndsAndLeavesNothing() throws IOException {
        Said said = run("demo", "--ranks", "32", "--for", "2", "--seed", "5", "--format", "json");

        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(said.out().lines().toList())
                .first()
                .asString()
                .contains("\"event\":\"started\",\"ranks\":32,\"hosts\":4");
        assertThat(said.out().lines().toList()).last().asString().contains("\"event\":\"ended\"");
        assertThat(left()).isEmpty();
    }

    @Test
    void whatCannotBeIsOneLine() {
        String[][] wrong = {
            {"demo", "--ranks", "40"},
            {"demo", "--ranks", "4096"},
            {"demo", "--port", "70000"},
            {"demo", "--format", "html"}
        };
        for (String[] args : wrong) {
            Run run = Run.with(Diagnoser.LOCAL, Map.of(), args);
            assertThat(run.exitCode()).as(String.join(" ", args)).isEqualTo(ExitCode.USAGE);
            assertThat(run.err().lines()).as(run.err()).hasSize(1);
            assertThat(run.err()).contains(args[1], "expected");
        }
    }

    @Test
    void helpHasExamples() {
        Run run = Run.with(Diagnoser.LOCAL, Map.of(), "demo", "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("./argus demo --for 120", "--ranks");
    }
}
