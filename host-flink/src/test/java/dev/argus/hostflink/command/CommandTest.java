package dev.argus.hostflink.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.hostflink.kafka.JobSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The parameters of the job, and its jar. */
class CommandTest {
    @TempDir
    Path folder;

    private static JobSettings settings(String... args) throws IOException {
        JobOptions options = new JobOptions();
        new CommandLine(options).parseArgs(args);
        return options.settings();
    }

    private record Ran(int status, String out, String err) {}

    private static Ran run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = FlinkMain.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
        return new Ran(status, out.toString(), err.toString());
    }

    @Test
    void parametersAreTyped() throws IOException {
        Path client = folder.resolve("client.properties");
        Files.writeString(client, "security.protocol=SASL_SSL\n");
        JobSettings s = settings(
                "--brokers=a:9092,b:9092",
                "--checkpoints=s3://argus/checkpoints",
                "--steps=",
                "--begin=latest",
                "--checkpoint-every=PT2S",
                "--forget-after=PT2H",
                "--kafka-properties=" + client);
        assertThat(s.brokers()).isEqualTo("a:9092,b:9092");
        assertThat(s.earliest()).isFalse();
        assertThat(s.options().steps()).isFalse();
        assertThat(s.checkpointMillis()).isEqualTo(2000);
        assertThat(s.options().expiryNanos()).isEqualTo(7_200_000_000_000L);
        assertThat(s.client()).containsEntry("security.protocol", "SASL_SSL");
        assertThat(settings("--brokers=a:9092", "--checkpoints=file:///c"))
                .isEqualTo(JobSettings.of("a:9092", "file:///c"));
    }

    @Test
    void whatCannotWorkIsRefusedInWords() {
        assertThatThrownBy(() -> settings("--brokers=a:1", "--checkpoints=/var/lib"))
                .hasMessageContaining("expected a URI with its scheme");
        assertThatThrownBy(() -> settings("--brokers=a:1", "--checkpoints=file:///c", "--parallelism=0"))
                .hasMessageContaining("expected 1 or more");
        assertThatThrownBy(() -> settings("--brokers=a:1", "--checkpoints=file:///c", "--gap=PT0.5S"))
                .hasMessageContaining("at least four times");
        assertThatThrownBy(() -> settings("--checkpoints=file:///c")).hasMessageContaining("--brokers");
        assertThat(run("submit", "--jobmanager=here", "--brokers=127.0.0.1:1", "--checkpoints=file:///c", "--any-time"))
                .satisfies(r -> assertThat(r.status()).isEqualTo(2))
                .satisfies(r -> assertThat(r.err()).contains("expected HOST:PORT"));
        assertThat(run()).satisfies(r -> assertThat(r.err()).contains("submit, jar, jobmanager, taskmanager"));
        assertThat(run("submit", "--help").out()).contains("--make-topics", "Examples:", "docs/flink.md");
    }

    @Test
    void theJarPutsServicesTogether() throws IOException {
        Path one = jar("one.jar", "A.class", "META-INF/services/x.Y");
        Path two = jar("two.jar", "A.class", "META-INF/services/x.Y", "META-INF/S.SF");
        Path to = folder.resolve("all.jar");
        JobJar.write(to, List.of(one, two));
        try (JarFile jar = new JarFile(to.toFile())) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Main-Class"))
                    .isEqualTo(JobMain.class.getName());
            assertThat(text(jar, "META-INF/services/x.Y")).isEqualTo("one.jar\ntwo.jar\n");
            assertThat(text(jar, "A.class")).isEqualTo("one.jar");
            assertThat(jar.getEntry("META-INF/S.SF")).isNull();
        }
        assertThatThrownBy(() -> JobJar.write(to, List.of())).hasMessageContaining("./argus flink");
    }

    private static String text(JarFile jar, String name) throws IOException {
        return new String(jar.getInputStream(jar.getJarEntry(name)).readAllBytes(), UTF_8);
    }

    private Path jar(String name, String... entries) throws IOException {
        Path file = folder.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
            for (String entry : entries) {
                out.putNextEntry(new JarEntry(entry));
                out.write(name.getBytes(UTF_8));
            }
        }
        return file;
    }
}
