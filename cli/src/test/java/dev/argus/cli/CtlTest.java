package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent that runs and who asks it, and what both refuse. */
class CtlTest {
    @TempDir
    Path folder;

    private static Run run(String... args) {
        return Run.with(
                (paths, options, threads, progress) -> {
                    throw new AssertionError("nothing is diagnosed");
                },
                Map.of(),
                args);
    }

    @Test
    void theRunningAgentAnswers() throws Exception {
        String rings = folder.resolve("rings").toString();
        Run nobody = run("agent", "ctl", "status", "--rings", rings);
        assertThat(nobody.exitCode()).isEqualTo(ExitCode.NOTHING_ANALYSED);
        assertThat(nobody.err()).contains("no agent of this user answers").doesNotContain("Exception");
        CompletableFuture<Run> agent = CompletableFuture.supplyAsync(() -> run(
                "agent", "--rings", rings, "--state", folder.resolve("state").toString(), "--for", "20"));
        Run status = nobody;
        while (status.exitCode() != ExitCode.DONE && !agent.isDone()) {
            status = run("agent", "ctl", "status", "--rings", rings);
        }
        assertThat(status.out()).contains("agent: process", "cost:", "history: 0.0 of 64 MiB");
        Run set = run("agent", "ctl", "set", "--rings", rings, "--stacks", "5");
        assertThat(set.exitCode()).isEqualTo(ExitCode.NOTHING_ANALYSED);
        assertThat(set.err()).contains("those that start later will be asked");
        Run excerpt = run("agent", "ctl", "excerpt", "--rings", rings);
        assertThat(excerpt.err()).contains("the history has nothing");
        Run second = run(
                "agent", "--rings", rings, "--state", folder.resolve("state").toString(), "--for", "1");
        assertThat(second.err()).contains("another agent runs", "used by another process");
        assertThat(second.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(agent.get().exitCode()).isEqualTo(ExitCode.DONE);
    }

    @Test
    void whatCannotBeIsOneLine() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "two\nlines\n");
        String[][] wrong = {
            {"agent", "--spool", "x"},
            {"agent", "--to", "ftp://somewhere/"},
            {"agent", "--to", "http://elsewhere.example/"},
            {"agent", "--to", "https://h/", "--token-file", token.toString()},
            {
                "agent",
                "--to",
                "https://h/",
                "--token-file",
                folder.resolve("none").toString()
            },
            {"agent", "--to", "https://h/", "--ca", folder.resolve("none").toString()},
            {"agent", "--to", "kafka://broker/topic"},
            {"agent", "--to", "kafka://broker:1/t", "--token-file", token.toString()},
            {"agent", "--to", "kafka://broker:1/t", "--names-each", "0"},
            {"agent", "--to", "kafka://broker:1/t", "--kafka-properties", token.toString()},
            {"agent", "--to", "https://h/", "--names-each", "5"},
            {"agent", "--kafka-properties", token.toString()},
            {"agent", "--history-mib", "x"},
            {"agent", "ctl"},
            {"agent", "ctl", "stop"},
            {"agent", "ctl", "set"},
            {"agent", "ctl", "status", "--stacks", "1"},
            {"agent", "ctl", "set", "--signals", "all of them"},
            {"agent", "ctl", "set", "--turns", "1"},
            {"agent", "ctl", "status", "--colour", "red"}
        };
        for (String[] args : wrong) {
            Run run = run(args);
            assertThat(run.exitCode())
                    .as(String.join(" ", args) + ": " + run.err())
                    .isEqualTo(ExitCode.USAGE);
            assertThat(run.err().lines()).as(String.join(" ", args)).hasSize(1);
            assertThat(run.out()).isEmpty();
        }
    }

    /** A folder that was mistyped is not watched for ever without a word. */
    @Test
    void aMissingFolderOfRingsIsMadeInsideAnotherAndSaid() {
        Path rings = folder.resolve("nope");
        String state = folder.resolve("state").toString();
        Run made = run("agent", "--rings", rings.toString(), "--state", state, "--for", "1");
        assertThat(made.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(made.err()).contains("made the folder '" + rings + "'", "ARGUS_RING_DIR=" + rings);
        assertThat(rings).isDirectory();
        assertThat(run("agent", "--rings", rings.toString(), "--state", state, "--for", "1")
                        .err())
                .as("it is there")
                .doesNotContain("made the folder");
        Path deep = folder.resolve("none/nope");
        Run refused = run("agent", "--rings", deep.toString(), "--state", state, "--for", "1");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.NOTHING_ANALYSED);
        assertThat(refused.err()).contains("there is no folder '" + deep + "', nor the one above it");
        assertThat(deep).doesNotExist();
    }

    @Test
    void helpHasExamples() {
        assertThat(run("agent", "ctl", "--help").out()).contains("./argus agent ctl set --turns 19/1", "ACTION");
        assertThat(run("agent", "--help").out()).contains("--token-file", "ctl", "kafka://");
    }
}
