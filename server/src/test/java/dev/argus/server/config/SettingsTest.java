package dev.argus.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    @TempDir
    Path folder;

    private Path file(String text) throws Exception {
        return Files.writeString(folder.resolve("argus.conf"), text, UTF_8);
    }

    private static ServerSettings flag(String name, String value) throws SettingsException {
        return SettingsReader.read(null, Map.of(), Map.of(name, value)).settings();
    }

    @Test
    void flagsWinOverTheEnvironmentOverAFileOverDefaults() throws Exception {
        Path file = file("# a remark\n\nport = 1\n lateness=2s \ndisk = 3GiB\n");
        ResolvedSettings all = SettingsReader.read(
                file,
                Map.of("ARGUS_SERVER_LATENESS", "4s", "ARGUS_SERVER_DISK", "5GiB", "HOME", "x"),
                Map.of("disk", "6GiB"));
        ServerSettings settings = all.settings();
        assertThat(settings.host()).isEqualTo("127.0.0.1");
        assertThat(settings.port()).isEqualTo(1);
        assertThat(settings.lateness()).isEqualTo(Duration.ofSeconds(4));
        assertThat(settings.diskBytes()).isEqualTo(6L << 30);
        assertThat(all.source(Settings.HOST)).isEqualTo("default");
        assertThat(all.source(Settings.PORT)).startsWith("file '").endsWith("argus.conf' line 3");
        assertThat(all.source(Settings.LATENESS)).isEqualTo("environment ARGUS_SERVER_LATENESS");
        assertThat(all.source(Settings.DISK)).isEqualTo("flag --disk");
    }

    @Test
    void whatIsPrintedSetsTheSameAgain() throws Exception {
        Map<String, String> flags = Map.of(
                "host",
                "0.0.0.0",
                "allowed-hosts",
                "argus.example, other",
                "topology",
                "tp=2,dp=8",
                "data",
                folder.toString());
        ResolvedSettings first = SettingsReader.read(null, Map.of(), flags);
        ResolvedSettings again = SettingsReader.read(file(first.print()), Map.of(), Map.of());
        assertThat(again.settings()).isEqualTo(first.settings());
        for (Setting<?> setting : Settings.ALL) {
            assertThat(first.print()).contains(setting.name() + " =", setting.text());
        }
        assertThat(first.print()).contains("from: flag --host", "from: default");
    }

    @Test
    void topicsTurnOwnDiagnosisOffAndSaySo() throws Exception {
        ResolvedSettings both = SettingsReader.read(
                null,
                Map.of(),
                Map.of(
                        "forward",
                        "kafka://a:9092",
                        "incidents-from",
                        "kafka://a:9092,b:9092/my-incidents",
                        "names-each",
                        "5s"));
        assertThat(both.settings().forward()).hasToString("kafka://a:9092/argus-frames");
        assertThat(both.settings().incidentsFrom()).hasToString("kafka://a:9092,b:9092/my-incidents");
        assertThat(both.settings().namesEach()).isEqualTo(Duration.ofSeconds(5));
        assertThat(both.settings().diagnoses()).isFalse();
        assertThat(both.notices()).hasSize(2);
        ResolvedSettings reads = SettingsReader.read(null, Map.of(), Map.of("incidents-from", "kafka://a:9092"));
        assertThat(reads.notices()).singleElement().asString().contains("argus-incidents", "takes no frames");
        assertThat(flag("port", "1").diagnoses()).isTrue();
        assertThatThrownBy(() -> flag("forward", "http://a:9092/t"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("kafka://HOST:PORT");
    }

    @Test
    void secretsInAddressesAreNeverPrinted() throws Exception {
        String hooks = "alertmanager=http://alerts:9093,json=https://user:pass@hooks.example/services/T0/SECRET?key=K1";
        String printed =
                SettingsReader.read(null, Map.of(), Map.of("webhooks", hooks)).print();
        assertThat(printed)
                .contains("webhooks = alertmanager=http://alerts:9093,json=https://hooks.example/...")
                .doesNotContain("SECRET", "pass", "K1");
        assertThatThrownBy(() -> flag("webhooks", "json=https://SECRET@"))
                .hasMessageNotContaining("SECRET")
                .hasMessageContaining("expected");
        assertThat(flag("webhooks", hooks).webhooks())
                .extracting(ServerSettings.Webhook::format)
                .containsExactly("alertmanager", "json");
    }

    @Test
    void namesAreDeclaredOnce() {
        Set<String> names = new HashSet<>();
        Settings.ALL.forEach(s -> assertThat(names.add(s.name())).as(s.name()).isTrue());
        assertThat(Settings.MOST_CONNECTIONS.variable()).isEqualTo("ARGUS_SERVER_MOST_CONNECTIONS");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prot = 1 | line 1: found 'prot', which is no setting; did you mean port?",
                "hello | line 1: found 'hello', expected name = value",
                "port = 1\\nport = 2 | line 2: 'port' stands in line 1 already",
                "port = 70000 | line 1: port: found '70000', expected a whole number from 0 to 65535",
                "port = | line 1: port: found '', expected a whole number",
                "disk = 1MiB | expected a size such as 512MiB or 20GiB, at least 64MiB",
                "disk = 999999999TiB | expected a size",
                "lateness = 5 | expected a time such as 500ms",
                "lateness = 0s | expected a time",
                "host = a b | expected a host name or an address",
                "host = | expected a host name or an address",
                "data = | line 1: data: found '', expected a path",
                "objects = s3://X | expected s3://BUCKET",
                "webhooks = slack=https://x | expected a list of alertmanager=ADDRESS or json=ADDRESS",
                "topology = 8x8 | expected dimensions with sizes",
                "certificate-key = k.pem | certificate-key is set and certificates is not",
                "s3-endpoint = http://x | s3-endpoint is set and objects is not",
                "most-jobs = 0 | expected a whole number from 1"
            })
    void mistakesAreSaidWithWhatToDo(String text, String message) throws Exception {
        Path file = file(text.replace("\\n", "\n"));
        assertThatThrownBy(() -> SettingsReader.read(file, Map.of(), Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(message);
    }

    @Test
    void unknownVariablesAndFlagsAreMistakesToo() {
        assertThatThrownBy(() -> SettingsReader.read(null, Map.of("ARGUS_SERVER_PROT", "1"), Map.of()))
                .hasMessageContaining("did you mean ARGUS_SERVER_PORT?");
        assertThatThrownBy(() -> SettingsReader.read(null, Map.of(), Map.of("dta", "1")))
                .hasMessageContaining("did you mean --data?");
    }

    @Test
    void variablesThatKubernetesMakesOfAServiceAreNoSettings() throws Exception {
        Map<String, String> links = Map.of(
                "ARGUS_SERVER_SERVICE_HOST", "10.0.0.1",
                "ARGUS_SERVER_SERVICE_PORT", "8642",
                "ARGUS_SERVER_SERVICE_PORT_HTTP", "8642",
                "ARGUS_SERVER_PORT", "tcp://10.0.0.1:8642",
                "ARGUS_SERVER_PORT_8642_TCP", "tcp://10.0.0.1:8642",
                "ARGUS_SERVER_PORT_8642_TCP_ADDR", "10.0.0.1");
        assertThat(SettingsReader.read(null, links, Map.of()).settings().port()).isEqualTo(8642);
    }

    @Test
    void hostileFilesAreRefusedInOneLine() throws Exception {
        Path binary = Files.write(folder.resolve("b"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        Path huge = Files.write(folder.resolve("h"), new byte[300 << 10]);
        for (Path file : new Path[] {binary, huge, folder, folder.resolve("none"), file("\u202e\u0000<x>\u0007 = 1")}) {
            assertThatThrownBy(() -> SettingsReader.read(file, Map.of(), Map.of()))
                    .isInstanceOf(SettingsException.class)
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n", "\u202e", "\u0000", "\u0007"));
        }
    }

    @Test
    void onlyAddressesThatAreOfThisHostByThemselvesAreLoopback() throws Exception {
        for (String host : new String[] {"127.0.0.1", "127.5.0.1", "localhost", "::1", "[::1]"}) {
            assertThat(flag("host", host).loopback()).as(host).isTrue();
        }
        for (String host :
                new String[] {"0.0.0.0", "::", "10.0.0.1", "localhost.evil.example", "127.0.0.1.evil", "n17"}) {
            assertThat(flag("host", host).loopback()).as(host).isFalse();
        }
        assertThat(SettingsReader.read(null, Map.of(), Map.of("host", "0.0.0.0"))
                        .notices())
                .hasSize(2)
                .anyMatch(n -> n.contains("every request needs a token"))
                .anyMatch(n -> n.contains("without TLS"));
        assertThat(SettingsReader.read(null, Map.of(), Map.of()).notices()).isEmpty();
    }
}
