package dev.argus.hostflink.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.hostflink.kafka.JobSettings;
import dev.argus.hostflink.series.RemoteWrite;
import dev.argus.hostflink.summaries.Summaries;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The parameters of the job, and its jar. */
class CommandTest {
    @TempDir
    Path folder;

    private static JobSettings settings(String... args) {
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
        Files.writeString(
                client, "security.protocol=SASL_SSL\nsasl.jaas.config=x required password=\"not-told-to-anybody\";\n");
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
        assertThat(s.client()).containsEntry("security.protocol", "${file:" + client + ":security.protocol}");
        assertThat(settings("--brokers=a:9092", "--checkpoints=file:///c"))
                .isEqualTo(JobSettings.of("a:9092", "file:///c"));
    }

    /** Where a secret is travels with the job; the secret does not, and each client reads it when it is made. */
    @Test
    void secretsStayInTheirFile() throws Exception {
        Path file = folder.resolve("client.properties");
        String secret = "org.apache.kafka.common.security.plain.PlainLoginModule required password=\"%s\";";
        Files.writeString(file, "sasl.jaas.config=" + secret.formatted("first") + "\n");
        JobSettings s = settings("--brokers=a:9092", "--checkpoints=file:///c", "--kafka-properties=" + file);
        ByteArrayOutputStream job = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(job)) {
            out.writeObject(s);
        }
        assertThat(job.toString(UTF_8)).contains(file.toString()).doesNotContain("first");
        assertThat(jaas(s)).isEqualTo(secret.formatted("first"));
        Files.writeString(file, "sasl.jaas.config=" + secret.formatted("second") + "\n");
        assertThat(jaas(s)).isEqualTo(secret.formatted("second"));
    }

    /** As a client resolves it. */
    private static String jaas(JobSettings s) {
        Map<String, Object> all = new HashMap<>(s.client());
        all.put("bootstrap.servers", s.brokers());
        all.put("key.serializer", ByteArraySerializer.class);
        all.put("value.serializer", ByteArraySerializer.class);
        return new ProducerConfig(all).getPassword("sasl.jaas.config").value();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "isolation.level=read_uncommitted",
                "transactional.id=x",
                "enable.auto.commit=true",
                "group.id=x",
                "key.serializer=x",
                "transaction.timeout.ms=1",
                "enable.idempotence=false",
                "auto.offset.reset=latest",
                "config.providers=x"
            })
    void whatExactlyOnceRestsOnIsNotForTheFileToSet(String line) throws IOException {
        Path file = Files.writeString(folder.resolve("client.properties"), line + "\n");
        assertThatThrownBy(() -> settings("--brokers=a:1", "--checkpoints=file:///c", "--kafka-properties=" + file))
                .hasMessageContaining(
                        "sets '" + line.substring(0, line.indexOf('=')) + "', expected security.protocol");
        assertThatThrownBy(() -> settings("--brokers=a:1", "--checkpoints=file:///c", "--kafka-properties=here"))
                .hasMessageContaining("expected an absolute path");
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

    @Test
    void ourOwnRoomGoesInAndKafkasServersDoNot() {
        assertThat(List.of("kafka-0.1.0-SNAPSHOT.jar", "kafka-clients-4.2.0.jar", "host-flink-0.1.0.jar"))
                .allMatch(j -> JobJar.goesIn(j, false));
        assertThat(List.of("kafka-server-4.2.0.jar", "flink-runtime-2.3.0.jar")).noneMatch(j -> JobJar.goesIn(j, true));
    }

    /** What writes Parquet is large: it goes in where it is wanted, with all that it needs. */
    @Test
    void whatWritesParquetGoesInWhereItIsWanted() throws IOException {
        List<String> needed = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(p -> p.contains("awssdk") || p.contains("duckdb") || p.contains("reactive-streams"))
                .map(p -> Path.of(p).getFileName().toString())
                .toList();
        assertThat(needed).hasSizeGreaterThan(20).allMatch(j -> JobJar.goesIn(j, true));
        assertThat(needed).noneMatch(j -> JobJar.goesIn(j, false));
        Path one = jar("one.jar", "libduckdb_java.so_linux_amd64", "libduckdb_java.so_macos_arm64");
        Path to = folder.resolve("linux.jar");
        JobJar.write(to, List.of(one));
        try (JarFile jar = new JarFile(to.toFile())) {
            assertThat(jar.getEntry("libduckdb_java.so_linux_amd64")).isNotNull();
            assertThat(jar.getEntry("libduckdb_java.so_macos_arm64")).isNull();
        }
    }

    @Test
    void storesAreTypedAndChecked() {
        JobSettings s = settings(
                "--brokers=a:1",
                "--checkpoints=file:///c",
                "--remote-write=https://prometheus:9090/api/v1/write",
                "--remote-write-token-file=/etc/argus/token",
                "--summaries=s3://argus/steps",
                "--summaries-endpoint=http://10.0.0.9:9000",
                "--summaries-every=PT5M");
        assertThat(s.remoteWrite())
                .isEqualTo(new RemoteWrite(URI.create("https://prometheus:9090/api/v1/write"), "/etc/argus/token"));
        assertThat(s.summaries())
                .isEqualTo(new Summaries(URI.create("s3://argus/steps"), URI.create("http://10.0.0.9:9000"), 300_000));
        Map<String, String> wrong = Map.of(
                "--remote-write=prometheus", "--remote-write 'prometheus', expected http(s)://HOST:PORT/PATH",
                "--remote-write-token-file=/t", "--remote-write-token-file without --remote-write",
                "--summaries-endpoint=http://a", "--summaries-endpoint without --summaries",
                "--summaries=file:///steps", "--summaries 'file:///steps': expected s3://bucket",
                "--summaries=s3://Argus", "expected 3 to 63 characters");
        wrong.forEach(
                (option, said) -> assertThatThrownBy(() -> settings("--brokers=a:1", "--checkpoints=file:///c", option))
                        .hasMessageContaining(said));
        assertThatThrownBy(() -> settings(
                        "--brokers=a:1",
                        "--checkpoints=file:///c",
                        "--summaries=s3://argus",
                        "--summaries-every=PT0.1S"))
                .hasMessageContaining("--summaries-every of 100 ms, expected a second to a day");
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
