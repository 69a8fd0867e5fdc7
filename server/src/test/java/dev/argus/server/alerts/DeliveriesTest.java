package dev.argus.server.alerts;

import static dev.argus.server.alerts.AlertsFixture.opened;
import static dev.argus.server.alerts.AlertsFixture.resolved;
import static dev.argus.server.alerts.AlertsFixture.said;
import static dev.argus.server.alerts.AlertsFixture.slow;
import static dev.argus.server.alerts.AlertsFixture.withdrawn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.Severity;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is told what when, in ticks that the test makes: no thread, no clock, no network. */
@NullUnmarked // what is null there fails where it is used
class DeliveriesTest {
    private final AlertBook book = new AlertBook();
    private final Deliveries am = AlertsFixture.deliveries(AlertFormat.ALERTMANAGER);
    private final Deliveries json = AlertsFixture.deliveries(AlertFormat.JSON);

    private static List<String> ids(@Nullable Batch batch) {
        return batch == null
                ? List.of()
                : batch.items().stream()
                        .map(i -> i.alert().key().id() + (i.alert().isActive() ? "" : " over"))
                        .toList();
    }

    /** What is due, and taken. */
    private List<String> tell(Deliveries of, long tick) {
        Batch batch = of.due(book, tick);
        if (batch != null) {
            of.took(batch, tick);
        }
        return ids(batch);
    }

    @Test
    void whatChangesWithinTheWaitIsOneRequest() {
        book.say(opened("a"), 0);
        assertThat(am.due(book, 99)).isNull();
        book.say(opened("b"), 60);
        book.say(opened("c"), 99);
        assertThat(am.nextTick(book)).isEqualTo(100);
        assertThat(tell(am, 100)).containsExactly("a", "b", "c");
        assertThat(tell(am, 101)).isEmpty();
    }

    @Test
    void anAlertmanagerHearsAgainOfWhatLastsAndAHookDoesNot() {
        book.say(opened("a"), 0);
        tell(am, 100);
        tell(json, 100);

        assertThat(am.nextTick(book)).isEqualTo(10_100);
        assertThat(tell(am, 10_099)).isEmpty();
        assertThat(tell(am, 10_100)).containsExactly("a");
        assertThat(tell(am, 10_101)).isEmpty();
        assertThat(json.nextTick(book)).isEqualTo(Long.MAX_VALUE);
        assertThat(tell(json, 1_000_000)).isEmpty();
    }

    @Test
    void anEndIsToldOnceAndNothingAfterIt() {
        book.say(opened("a"), 0);
        tell(am, 100);
        tell(json, 100);
        book.say(resolved("a"), 200);
        book.say(resolved("a"), 210);

        assertThat(tell(am, 300)).containsExactly("a over");
        assertThat(tell(json, 300)).containsExactly("a over");
        assertThat(book.settle(e -> !am.waitsFor(e) && !json.waitsFor(e))).hasSize(1);
        book.say(resolved("a"), 400);
        assertThat(book.entries()).isEmpty();
        assertThat(tell(am, 100_000)).isEmpty();
        assertThat(tell(json, 100_000)).isEmpty();
    }

    @Test
    void whatWasTakenBackBeforeItWasToldIsNotTold() {
        book.say(opened("a"), 0);
        book.say(withdrawn("a"), 50);

        assertThat(am.due(book, 1_000)).isNull();
        assertThat(json.due(book, 1_000)).isNull();
        book.say(withdrawn("never opened"), 0);
        assertThat(book.entry(withdrawn("never opened").key())).isNull();
    }

    @Test
    void whatWasTakenBackWhileItWasUnderwayIsTold() {
        book.say(opened("a"), 0);
        Batch batch = json.due(book, 100);
        book.say(withdrawn("a"), 110);

        assertThat(book.settle(e -> !json.waitsFor(e))).isEmpty();
        json.took(batch, 120);
        assertThat(tell(json, 210)).containsExactly("a over");
    }

    @Test
    void afterAnAnswerThatWasLostAWithdrawalIsToldAfterNobodyAnsweredItIsNot() {
        for (boolean perhaps : new boolean[] {true, false}) {
            Deliveries of = AlertsFixture.deliveries(AlertFormat.JSON);
            AlertBook own = new AlertBook();
            own.say(opened("a"), 0);
            of.failed(of.due(own, 100), perhaps, 100, -1);
            own.say(withdrawn("a"), 200);

            assertThat(ids(of.due(own, 5_000))).isEqualTo(perhaps ? List.of("a over") : List.of());
        }
    }

    @Test
    void aHookHearsOfWhatWasOverBeforeItCouldBeToldAnAlertmanagerDoesNot() {
        book.say(opened("a"), 0);
        book.say(resolved("a"), 50);

        assertThat(tell(am, 1_000)).isEmpty();
        assertThat(tell(json, 1_000)).containsExactly("a over");
    }

    @Test
    void nobodyIsCalledBecauseSentencesAndCostsMove() {
        book.say(opened("a"), 0);
        tell(json, 100);
        book.say(said(Kind.CHANGED, slow("a").with(new dev.argus.model.Cost(0.2, 900), "it goes on")), 200);
        assertThat(tell(json, 1_000)).isEmpty();
        assertThat(book.entry(opened("a").key()).alert().annotations()).containsEntry("summary", "it goes on");

        book.say(said(Kind.CHANGED, slow("a").severe(Severity.CRITICAL)), 2_000);
        assertThat(tell(json, 2_100)).containsExactly("a");
    }

    @Test
    void otherLabelsEndTheAlertThatAnAlertmanagerKnows() {
        book.say(opened("a"), 0);
        tell(am, 100);
        book.say(said(Kind.CHANGED, slow("a").severe(Severity.CRITICAL)), 200);
        Batch batch = am.due(book, 300);

        assertThat(batch.items().getFirst().staleLabels()).containsEntry("severity", "warning");
        am.took(batch, 300);
        book.say(resolved("a"), 400);
        // As it was said to it last.
        assertThat(am.due(book, 500).items().getFirst().alert().labels()).containsEntry("severity", "warning");
        assertThat(am.due(book, 500).items().getFirst().staleLabels()).containsEntry("severity", "critical");
    }

    @Test
    void failuresWaitLongerAndLongerAndTellTheNewestState() {
        book.say(opened("a"), 0);
        long tick = 100;
        long last = 0;
        for (int i = 0; i < 8; i++) {
            Batch batch = json.due(book, tick);
            assertThat(batch).isNotNull();
            json.failed(batch, false, tick, -1);
            long wait = json.nextTick(book) - tick;
            assertThat(wait).isBetween(500L, 64_000L);
            assertThat(json.due(book, tick + wait - 1)).isNull();
            last = wait;
            tick += wait;
        }
        assertThat(last).isGreaterThanOrEqualTo(32_000);
        assertThat(json.isFailing()).isTrue();
        assertThat(json.failures()).isEqualTo(8);
        book.say(said(Kind.CHANGED, slow("a").severe(Severity.CRITICAL)), tick);
        book.say(opened("b"), tick);

        assertThat(tell(json, tick + 100)).containsExactly("a", "b");
        assertThat(json.isFailing()).isFalse();
        assertThat(json.delivered()).isEqualTo(2);
    }

    @Test
    void retryAfterIsHonouredWithinReason() {
        book.say(opened("a"), 0);
        json.failed(json.due(book, 100), false, 100, 30_000);
        assertThat(json.nextTick(book)).isEqualTo(30_100);
        json.failed(json.due(book, 30_100), false, 30_100, Long.MAX_VALUE);
        assertThat(json.nextTick(book)).isEqualTo(630_100);
    }

    @Test
    void ofSeveralOnlyTheOneThatIsRefusedIsGivenUp() {
        book.say(opened("a"), 0);
        book.say(opened("bad"), 0);
        book.say(opened("c"), 0);
        am.refused(am.due(book, 100), 100);
        assertThat(tell(am, 101)).containsExactly("a");
        Batch bad = am.due(book, 102);
        assertThat(ids(bad)).containsExactly("bad");
        am.refused(bad, 102);
        assertThat(tell(am, 103)).containsExactly("c");

        assertThat(am.refused()).isEqualTo(1);
        assertThat(am.delivered()).isEqualTo(2);
        // Nor is it sent again and again.
        assertThat(tell(am, 20_000)).containsExactly("a", "c");
    }

    @Test
    void requestsAreBounded() {
        for (int i = 0; i < 3 * Deliveries.MOST_ALERTS; i++) {
            book.say(opened("i" + i), 0);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(tell(json, 200 + i)).hasSize(Deliveries.MOST_ALERTS);
        }
        assertThat(tell(json, 300)).isEmpty();
    }
}
