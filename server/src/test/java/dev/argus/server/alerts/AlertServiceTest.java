package dev.argus.server.alerts;

import static dev.argus.server.alerts.AlertsFixture.NANOS;
import static dev.argus.server.alerts.AlertsFixture.NOW;
import static dev.argus.server.alerts.AlertsFixture.slow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.Severity;
import dev.argus.server.alerts.AlertStatus.WebhookStatus;
import dev.argus.server.alerts.HookServer.Mood;
import dev.argus.server.config.ServerSettings.Webhook;
import dev.argus.server.job.JobView;
import dev.argus.server.job.SampleJobs;
import dev.argus.server.job.ScriptedFleet;
import dev.argus.testkit.Eventually;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The service with its threads, and endpoints on loopback that are down, slow or wrong. */
class AlertServiceTest {
    /** Long enough for a group to come together, short enough to be waited for. */
    private static AlertTiming timing(Duration requestTimeout) {
        return new AlertTiming(
                Duration.ofMillis(200),
                Duration.ofMinutes(10),
                Duration.ofMinutes(40),
                Duration.ofMinutes(10),
                requestTimeout,
                Duration.ofMillis(20),
                Duration.ofMillis(100));
    }

    private final ScriptedFleet fleet = new ScriptedFleet();
    private final JobView job = SampleJobs.healthy("train");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable c : open.reversed()) {
            c.close();
        }
    }

    private HookServer hook() throws Exception {
        HookServer hook = new HookServer();
        open.add(hook);
        return hook;
    }

    /** Patient: on a busy host an answer that was not waited for would be a second request. */
    private AlertService service(URI... addresses) {
        return service(Duration.ofMinutes(1), addresses);
    }

    private AlertService service(Duration requestTimeout, URI... addresses) {
        List<Webhook> hooks = new ArrayList<>();
        for (URI address : addresses) {
            hooks.add(new Webhook("json", address));
        }
        AlertService service =
                new AlertService(fleet, hooks, timing(requestTimeout), null, InstantSource.system(), lines::add, 1);
        open.add(service);
        return service;
    }

    private void say(Kind change, Incident incident) {
        fleet.listeners().forEach(l -> l.incident(job, new IncidentChange(change, incident, NOW * NANOS)));
    }

    /** Before the start, so that all of it is there when the first request is made. */
    private void hear(AlertService service, Incident incident) {
        service.incident(job, new IncidentChange(Kind.OPENED, incident, NOW * NANOS));
    }

    private static WebhookStatus status(AlertService service, int hook) {
        return service.status().webhooks().get(hook);
    }

    @Test
    void tellsEachWebhookOfIncidentsAndNeverOfObservations() throws Exception {
        HookServer one = hook();
        HookServer two = hook();
        AlertService service = service(one.address("/a"), two.address("/b"));
        hear(service, SampleJobs.incident("obs", IncidentKind.CHECKPOINT, Severity.INFO, 1));
        for (int i = 0; i < 20; i++) {
            hear(service, slow("i" + i));
        }
        service.start();
        Eventually.holds(
                "both hooks took all",
                () -> status(service, 0).delivered() == 20 && status(service, 1).delivered() == 20);

        assertThat(one.bodies())
                .hasSize(1)
                .allSatisfy(b -> assertThat(b).contains("\"i0\"", "\"i19\"").doesNotContain("obs"));
        assertThat(two.bodies()).hasSize(1);
        say(Kind.RESOLVED, slow("i3").resolved(NOW * NANOS));
        Eventually.holds("the end is told", () -> one.bodies().size() == 2);
        assertThat(one.bodies().getLast())
                .contains("\"status\":\"resolved\"", "\"i3\"")
                .doesNotContain("\"i4\"");
        assertThat(service.status().alerts()).isEqualTo(19);
        assertThat(lines).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Mood.class,
            names = {"ERROR", "REDIRECT", "SILENT", "GARBAGE"})
    void anEndpointThatFailsHoldsNothingUpAndIsToldWhenItIsBack(Mood mood) throws Exception {
        HookServer bad = hook();
        HookServer good = hook();
        bad.mood = mood;
        boolean silent = mood == Mood.SILENT;
        AlertService service =
                service(Duration.ofSeconds(silent ? 3 : 60), bad.address("/services/SECRET"), good.address("/"));
        service.start();
        say(Kind.OPENED, slow("a"));
        Eventually.holds("the good one is told", () -> good.bodies().size() == 1);
        Eventually.holds(
                "the bad one failed repeatedly", () -> status(service, 0).failures() >= (silent ? 1 : 3));
        assertThat(status(service, 0).failing()).isTrue();
        assertThat(status(service, 0).waiting()).isEqualTo(1);

        say(Kind.CHANGED, slow("a").severe(Severity.CRITICAL));
        bad.mood = Mood.OK;
        Eventually.holds(
                "the bad one is told",
                () -> !bad.bodies().isEmpty() && bad.bodies().getLast().contains("\"severity\":\"critical\""));
        Eventually.holds(
                "that is seen",
                () -> !status(service, 0).failing() && status(service, 0).waiting() == 0);

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("alerts: json at http://127.0.0.1:").contains(" cannot be told: ");
        assertThat(lines.get(1)).endsWith(" takes alerts again");
        assertThat(lines).noneMatch(l -> l.contains("SECRET"));
    }

    @Test
    void aBodyWithoutEndIsNotWaitedFor() throws Exception {
        HookServer bad = hook();
        bad.mood = Mood.ENDLESS_BODY;
        AlertService service = service(bad.address("/"));
        service.start();
        say(Kind.OPENED, slow("a"));
        Eventually.holds("its status is believed", () -> status(service, 0).delivered() == 1);
    }

    @Test
    void anAlertThatIsRefusedIsGivenUpWithALine() throws Exception {
        HookServer bad = hook();
        bad.mood = Mood.BAD_REQUEST;
        AlertService service = service(bad.address("/?key=SECRET"));
        service.start();
        say(Kind.OPENED, slow("a"));
        Eventually.holds("given up", () -> status(service, 0).refused() == 1);

        assertThat(status(service, 0).waiting()).isZero();
        assertThat(lines)
                .singleElement()
                .satisfies(l -> assertThat(l)
                        .contains("refuses an alert about incident a (status 400)")
                        .doesNotContain("SECRET"));
    }

    @Test
    void nobodyAnswersUntilSomebodyDoes() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        AlertService service = service(URI.create("http://user:SECRET@127.0.0.1:" + port + "/"));
        service.start();
        say(Kind.OPENED, slow("withdrawn"));
        say(Kind.OPENED, slow("a"));
        Eventually.holds("it failed", () -> status(service, 0).failures() >= 2);
        say(Kind.WITHDRAWN, slow("withdrawn"));
        Eventually.holds("it is written down", () -> service.status().alerts() == 1);
        HookServer late = new HookServer(port);
        open.add(late);
        Eventually.holds("it is told", () -> status(service, 0).delivered() == 1);

        assertThat(late.bodies()).singleElement().satisfies(b -> assertThat(b).doesNotContain("withdrawn"));
        assertThat(late.authorizations()).containsExactly("Basic dXNlcjpTRUNSRVQ=");
        assertThat(lines.getFirst()).endsWith("cannot be told: nothing answers; it is tried again");
        assertThat(lines).noneMatch(l -> l.contains("SECRET"));
    }

    @Test
    void aRestartNeitherRepeatsNorForgets() throws Exception {
        HookServer hook = hook();
        AlertService before = service(hook.address("/"));
        before.start();
        say(Kind.OPENED, slow("told"));
        Eventually.holds("told", () -> status(before, 0).delivered() == 1);
        hook.mood = Mood.ERROR;
        say(Kind.OPENED, slow("untold"));
        byte[] saved = before.snapshot(); // with what was heard a moment ago
        before.close();

        hook.mood = Mood.OK;
        fleet.set(SampleJobs.view("train", List.of(slow("told"), slow("untold"), slow("missed"))));
        AlertService after = service(hook.address("/"));
        after.restore(saved);
        after.start();
        Eventually.holds("the rest is told", () -> status(after, 0).delivered() == 2);

        String rest = String.join("\n", hook.bodies().subList(1, hook.bodies().size()));
        assertThat(rest).contains("\"untold\"", "\"missed\"").doesNotContain("\"told\"");
        assertThat(after.status().alerts()).isEqualTo(3);
    }

    @Test
    void stateThatCannotBeReadIsSaidAndWhatIsOpenIsToldAgain() throws Exception {
        HookServer hook = hook();
        fleet.set(SampleJobs.view("train", List.of(slow("a"))));
        AlertService service = service(hook.address("/"));
        service.restore(new byte[] {1, 2, 3, 4, 5, 6});
        service.start();

        Eventually.holds("told", () -> hook.bodies().size() == 1);
        assertThat(lines).singleElement().satisfies(l -> assertThat(l).startsWith("alerts: begin anew"));
    }

    @Test
    void withoutWebhooksNothingIsKept() throws Exception {
        AlertService service = service();
        service.start();
        say(Kind.OPENED, slow("a"));
        say(Kind.RESOLVED, slow("a").resolved(NOW * NANOS));
        Eventually.holds("nothing is left", () -> service.status().alerts() == 0 && service.snapshot().length < 100);
    }

    @Test
    void aFloodIsBoundedCountedAndMadeGood() {
        AlertService service = service(URI.create("http://127.0.0.1:1/"));
        fleet.listen(service); // not started: nobody takes the changes
        for (int i = 0; i < 3 * AlertService.MOST_WAITING; i++) {
            say(Kind.OPENED, slow("i" + i));
        }
        assertThat(service.status().dropped()).isEqualTo(2L * AlertService.MOST_WAITING);
        service.snapshot();
        assertThat(service.status().alerts()).isEqualTo(AlertService.MOST_WAITING);
    }
}
