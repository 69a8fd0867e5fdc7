package dev.argus.server.alerts;

import static dev.argus.server.alerts.AlertsFixture.NOW;
import static dev.argus.server.alerts.AlertsFixture.opened;
import static dev.argus.server.alerts.AlertsFixture.resolved;
import static dev.argus.server.alerts.AlertsFixture.withdrawn;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Severity;
import dev.argus.server.config.ServerSettings.Webhook;
import dev.argus.server.job.SampleJobs;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // what is null there fails where it is used
class AlertFormatTest {
    private static String body(AlertFormat format, Alert alert, Map<String, String> stale) {
        return new String(format.body(new Batch(List.of(new Batch.Item(alert, 7, stale))), NOW, 240_000), UTF_8);
    }

    @Test
    void whatLastsEndsAhead() {
        assertThat(body(AlertFormat.ALERTMANAGER, opened("i1"), Map.of()))
                .isEqualTo(
                        "[{\"labels\":{\"alertname\":\"ArgusIncident\",\"job\":\"train\",\"kind\":\"compute-straggler\","
                                + "\"severity\":\"warning\",\"scope\":\"rank\",\"incident\":\"i1\",\"host\":\"n0\"},"
                                + "\"annotations\":{\"summary\":\"rank 3 on n0 computes 31 % slower\","
                                + "\"description\":\"all its GEMMs are longer than those of its peers\",\"advice\":\"drain n0\","
                                + "\"cost\":\"30.0 % of the step time while it lasts, 81.4 GPU-seconds so far\",\"confidence\":\"0.93\",\"ranks\":\"3\","
                                + "\"link\":\"https://argus.example:8443/api/v1/incidents/i1\"},"
                                + "\"startsAt\":\"2026-11-30T00:52:50Z\",\"endsAt\":\"2026-11-30T00:57:20Z\","
                                + "\"generatorURL\":\"https://argus.example:8443/api/v1/incidents/i1\"}]");
    }

    @Test
    void whatIsOverHasEndedAndStaleLabelsEndBeforeIt() {
        assertThat(body(AlertFormat.ALERTMANAGER, resolved("i1"), Map.of()))
                .contains("\"endsAt\":\"2026-11-30T00:53:19Z\"");
        assertThat(body(
                        AlertFormat.ALERTMANAGER,
                        opened("i1"),
                        Map.of("alertname", "ArgusIncident", "severity", "info")))
                .startsWith("[{\"labels\":{")
                .contains(
                        "\"severity\":\"info\"",
                        "\"endsAt\":\"2026-11-30T00:53:20Z\"",
                        "\"endsAt\":\"2026-11-30T00:57:20Z\"");
    }

    @Test
    void aHookGetsTheWholeIncidentExactly() {
        String hostile = "evil\"\n\u202e" + "x".repeat(300);
        Alert alert = AlertsFixture.TEXTS.of(
                hostile,
                SampleJobs.incident("i/1", IncidentKind.HANG, Severity.CRITICAL, RankSet.range(0, 9), "host\u0007\"x"),
                Kind.OPENED,
                NOW);

        String text = body(AlertFormat.JSON, alert, Map.of());

        assertThat(text)
                .startsWith(
                        "{\"schema\":\"argus.alerts/1\",\"alerts\":[{\"status\":\"firing\",\"change\":\"opened\",\"job\":\"evil\\\"\\n")
                .contains("x".repeat(300))
                .contains("\"revision\":7", "\"endsAt\":null", "\"incident\":{\"id\":\"i/1\",\"kind\":\"hang\"")
                .contains("/incidents/i%2F1\"")
                .endsWith("}]}\n");
        assertThat(alert.labels().get("host")).startsWith("host\\x07\"x~");
        assertThat(alert.labels().get("job")).hasSizeLessThan(110).doesNotContain("\n");
        assertThat(alert.annotations().get("summary")).contains("\\x07").doesNotContain("\u0007");
    }

    @Test
    void aWithdrawalIsSaidToBeOne() {
        assertThat(body(AlertFormat.JSON, withdrawn("i1"), Map.of()))
                .contains("\"status\":\"resolved\",\"change\":\"withdrawn\"", "\"note\":\"withdrawn: what was learnt");
        assertThat(body(AlertFormat.ALERTMANAGER, withdrawn("i1"), Map.of())).contains("\"note\":\"withdrawn: ");
    }

    @Test
    void aDocumentThatIsTooLongIsLeftOut() {
        RankSet every = RankSet.of(java.util.stream.IntStream.range(0, 20_000).map(i -> 2 * i));
        Alert alert = AlertsFixture.TEXTS.of(
                "train",
                SampleJobs.incident("i1", IncidentKind.HANG, Severity.CRITICAL, every, "n0"),
                Kind.OPENED,
                NOW);

        assertThat(alert.document()).isEqualTo("null");
        assertThat(alert.annotations().get("ranks").length()).isLessThan(2_100);
        assertThat(body(AlertFormat.JSON, alert, Map.of())).endsWith("\"incident\":null}]}\n");
    }

    @Test
    void addressesAreCompletedAndTheirSecretsNeverShown() {
        Endpoint am = Endpoint.of(new Webhook("alertmanager", URI.create("https://me:pass@am.example:9093/prefix/")));
        assertThat(am.to()).isEqualTo(URI.create("https://am.example:9093/prefix/api/v2/alerts"));
        assertThat(am.authorization()).isEqualTo("Basic bWU6cGFzcw==");
        assertThat(am).hasToString("alertmanager at https://am.example:9093");
        assertThat(Endpoint.of(new Webhook("alertmanager", URI.create("http://am/api/v2/alerts")))
                        .to())
                .isEqualTo(URI.create("http://am/api/v2/alerts"));

        Endpoint hook =
                Endpoint.of(new Webhook("json", URI.create("https://chat.example/services/T0/SECRET?key=SECRET2")));
        assertThat(hook.to().toString()).endsWith("/services/T0/SECRET?key=SECRET2");
        assertThat(hook).hasToString("json at https://chat.example");
        assertThat(hook.key()).matches("[0-9a-f]{32}");
    }

    @Test
    void webhooksThatMakeNoSenseAreRefusedWithoutSayingTheirSecrets() {
        for (Webhook hook : List.of(
                new Webhook("xml", URI.create("http://h/SECRET")),
                new Webhook("json", URI.create("ftp://h/SECRET")),
                new Webhook("json", URI.create("SECRET")),
                new Webhook("json", URI.create("mailto:SECRET")))) {
            assertThatThrownBy(() -> Endpoint.of(hook))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected ")
                    .hasMessageNotContaining("SECRET");
        }
    }
}
