package dev.argus.archtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The start scripts, in a small copy of the repository with a space in its path, against JDKs and a Maven that only
 * pretend: what they choose, what they say when something is missing, and when they build again.
 */
class ScriptsTest {
    private static final long TIMEOUT_SECONDS = 60;

    /** Pretends to package one jar, and counts how often. */
    private static final String MAVEN_THAT_WORKS = """
            echo run >>"$MVN_LOG"
            echo '[INFO] Building cli 1 [1/1]'
            root=; while [[ $# -gt 0 ]]; do [[ $1 == -f ]] && root=${2%/*}; shift; done
            mkdir -p "$root/cli/target/app/deps"; : >"$root/cli/target/app/cli-1.jar"
            """;

    @TempDir
    Path folder;

    /** Where the standard error of each started process goes, by its id. */
    private final Map<Long, Path> errorsOf = new TreeMap<>();

    private Path root;
    private Path tools;

    @BeforeEach
    void copyTheScripts() throws IOException {
        root = Files.createDirectories(folder.resolve("a repository"));
        tools = Files.createDirectories(folder.resolve("tools"));
        for (String name : List.of("argus", "build", "bin/find-jdk.sh")) {
            Path copy = root.resolve(name);
            Files.createDirectories(copy.getParent());
            Files.copy(House.repository().resolve(name), copy);
        }
        Files.createDirectories(root.resolve(".mvn"));
        write(root.resolve("pom.xml"), "");
        write(root.resolve("cli/pom.xml"), "");
        write(root.resolve("cli/src/main/java/A.java"), "");
        write(root.resolve("cli/src/main/java/B.java"), "");
    }

    @Test
    void withoutANewEnoughJdkTheySayWhatWasFoundAndWhatToInstall() throws Exception {
        jdk("old", "17.0.1", true);
        for (String script : List.of("argus", "build")) {
            Result result = run(Map.of(), script);

            assertThat(result.status).isEqualTo(1);
            assertThat(result.out).isEmpty();
            assertThat(result.err)
                    .startsWith(script + ": needs a JDK of version 25 or newer")
                    .contains("Java 17.0.1", "apt-get install openjdk-25-jdk", "dnf install java-25-openjdk-devel");
        }
    }

    @Test
    void aJreIsNoJdkForBuilding() throws Exception {
        jdk("jre", "25.0.1", false);
        maven(MAVEN_THAT_WORKS);

        assertThat(run(Map.of(), "argus").err).contains("without a compiler");
        jdk("other", "26-ea", true);
        assertThat(run(Map.of(), "argus").status).isZero();
    }

    @Test
    void withoutMavenTheySayWhatToInstall() throws Exception {
        jdk("new", "25.0.1", true);
        for (String script : List.of("argus", "build")) {
            Result result = run(Map.of(), script);

            assertThat(result.status).isEqualTo(1);
            assertThat(result.err).contains(script + ": needs Maven").contains("apt-get install maven");
        }
    }

    @Test
    void javaHomeComesFirstAndArgumentsArriveUnchanged() throws Exception {
        jdk("aaa", "25.0.1", true);
        Path chosen = jdk("zzz", "27", true);
        maven(MAVEN_THAT_WORKS);

        Result result = run(Map.of("JAVA_HOME", chosen.toString(), "ARGUS_JAVA_OPTS", "-Xmx1g"), "argus", "a b", "*");

        assertThat(result.out).startsWith("zzz:").contains("-Xmx512m", "-Xmx1g").endsWith("[a b][*]\n");
        assertThat(result.out.indexOf("-Xmx512m")).isLessThan(result.out.indexOf("-Xmx1g"));
    }

    @Test
    void buildsOnceAndAgainOnlyWhenAFileIsChangedAddedOrDeleted() throws Exception {
        jdk("new", "25.0.1", true);
        maven(MAVEN_THAT_WORKS);
        Files.createSymbolicLink(tools.resolve("argus"), root.resolve("argus"));

        assertThat(run(Map.of(), "argus").err).isEqualTo("argus: building (first use, a minute or two) ...\n");
        assertThat(run(Map.of(), "argus").err).isEmpty();
        assertThat(exec(Map.of(), List.of(tools.resolve("argus").toString())).err)
                .isEmpty();
        assertThat(builds()).isEqualTo(1);

        later(root.resolve("cli/src/main/java/A.java"));
        assertThat(run(Map.of(), "argus").err).contains("sources changed");
        assertThat(builds()).isEqualTo(2);
        earlier(root.resolve("cli/src/main/java/A.java"));

        Files.delete(root.resolve("cli/src/main/java/B.java"));
        run(Map.of(), "argus");
        assertThat(builds()).isEqualTo(3);
        run(Map.of(), "argus");
        assertThat(builds()).isEqualTo(3);
    }

    /** Neither JDK nor Maven is needed to read what a command does. */
    @Test
    void helpOfWhatIsNotBuiltIsShownWithoutABuild() throws Exception {
        write(root.resolve("bin/help-benchmarks.txt"), "of bench\n");
        write(root.resolve("bin/help-host-flink.txt"), "of flink\n");
        assertThat(run(Map.of(), "argus", "bench", "--help").out).isEqualTo("of bench\n");
        assertThat(run(Map.of(), "argus", "bench", "scale", "--help").out).isEqualTo("of bench\n");
        assertThat(run(Map.of(), "argus", "flink", "-h").out).isEqualTo("of flink\n");
        assertThat(run(Map.of(), "argus", "flink", "submit", "--help").err)
                .as("its options are its own")
                .contains("needs a JDK");
        assertThat(run(Map.of(), "argus", "bench", "scale").err).contains("needs a JDK");
    }

    @Test
    void aFailedBuildShowsMavensLastWordsAndIsTriedAgain() throws Exception {
        jdk("new", "25.0.1", true);
        maven("echo '[ERROR] A.java:[1,1] what is wrong'; exit 1");

        Result result = run(Map.of(), "argus");

        assertThat(result.status).isEqualTo(1);
        assertThat(result.out).isEmpty();
        assertThat(result.err).contains("the build failed", "A.java:[1,1] what is wrong");
        maven(MAVEN_THAT_WORKS);
        assertThat(run(Map.of(), "argus").status).isZero();
    }

    @Test
    void twoFirstCallsBuildOnce() throws Exception {
        jdk("new", "25.0.1", true);
        maven("read -r -t 1 <> <(:) || true\n" + MAVEN_THAT_WORKS);
        Process first = start(Map.of(), List.of(root.resolve("argus").toString(), "1"));
        Process second = start(Map.of(), List.of(root.resolve("argus").toString(), "2"));

        assertThat(finish(first).out).endsWith("[1]\n");
        assertThat(finish(second).out).endsWith("[2]\n");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void theBuildSaysInOneLineWhatWasSkippedAndKeepsMavensStatus() throws Exception {
        jdk("new", "25.0.1", true);
        maven("""
                for a; do case $a in -Dargus.skips=*) d=${a#*=} ;; esac; done
                printf 'TORCH\\tinstall torch\\tA.a\\nTORCH\\tinstall torch\\tA.b\\n' >"$d/1.tsv"
                printf 'SHARED\\tset it\\tA.b\\n' >"$d/2.tsv"
                exit 3
                """);
        Result result = run(Map.of(), "build");
        assertThat(result.status).isEqualTo(3);
        assertThat(result.out)
                .isEqualTo("build: 2 tests were skipped, because something is missing here:"
                        + " SHARED (1; set it), TORCH (2; install torch)\n");

        maven("exit 0");
        assertThat(run(Map.of(), "build").out).isEqualTo("build: no test was skipped for a missing need.\n");
    }

    private Path jdk(String name, String version, boolean compiler) throws IOException {
        Path home = folder.resolve("jvms").resolve(name);
        write(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        script(home.resolve("bin/java"), "printf '%s:' " + name + "; printf '[%s]' \"$@\"; echo");
        if (compiler) {
            script(home.resolve("bin/javac"), "exit 0");
        }
        return home;
    }

    private void maven(String body) throws IOException {
        script(tools.resolve("mvn"), body);
    }

    private long builds() throws IOException {
        return Files.readAllLines(folder.resolve("mvn.log")).size();
    }

    private static void later(Path file) throws IOException {
        move(file, Duration.ofHours(1));
    }

    private static void earlier(Path file) throws IOException {
        move(file, Duration.ofHours(-2));
    }

    private static void move(Path file, Duration by) throws IOException {
        Files.setLastModifiedTime(
                file, FileTime.from(Files.getLastModifiedTime(file).toInstant().plus(by)));
    }

    private static void script(Path file, String body) throws IOException {
        write(file, "#!/usr/bin/env bash\n" + body + "\n");
        executable(file);
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, UTF_8);
    }

    private Result run(Map<String, String> environment, String script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(root.resolve(script).toString()));
        command.addAll(List.of(arguments));
        return exec(environment, command);
    }

    private Result exec(Map<String, String> environment, List<String> command) throws Exception {
        return finish(start(environment, command));
    }

    /** The scripts see the tools of the system, but neither its Maven nor its JDKs. */
    private Process start(Map<String, String> environment, List<String> command) throws IOException {
        for (String tool : List.of(
                "bash",
                "env",
                "readlink",
                "find",
                "flock",
                "mkdir",
                "rm",
                "mv",
                "cp",
                "touch",
                "tail",
                "cat",
                "sed",
                "sort",
                "awk")) {
            if (!Files.exists(tools.resolve(tool))) {
                write(tools.resolve(tool), "#!/bin/sh\nexec " + which(tool) + " \"$@\"\n");
                executable(tools.resolve(tool));
            }
        }
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        Map<String, String> own = new TreeMap<>(environment);
        own.put("PATH", tools.toString());
        own.put("ARGUS_JVMS", folder.resolve("jvms").toString());
        own.put("MVN_LOG", folder.resolve("mvn.log").toString());
        builder.environment().clear();
        builder.environment().putAll(own);
        Path errors = folder.resolve(errorsOf.size() + ".err");
        Files.createFile(errors);
        builder.redirectError(errors.toFile());
        Process process = builder.start();
        errorsOf.put(process.pid(), errors);
        return process;
    }

    private Result finish(Process process) throws Exception {
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        Path errors = errorsOf.getOrDefault(process.pid(), folder);
        return new Result(process.exitValue(), out, Files.readString(errors, UTF_8));
    }

    private static Path which(String tool) {
        for (String place : List.of("/usr/bin", "/bin")) {
            Path path = Path.of(place, tool);
            if (Files.isExecutable(path)) {
                return path;
            }
        }
        throw new IllegalStateException("no " + tool + " in /usr/bin or /bin");
    }

    private record Result(int status, String out, String err) {}
}
