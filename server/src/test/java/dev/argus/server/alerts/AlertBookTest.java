package dev.argus.server.alerts;

import static dev.argus.server.alerts.AlertsFixture.NOW;
import static dev.argus.server.alerts.AlertsFixture.opened;
import static dev.argus.server.alerts.AlertsFixture.resolved;
import static dev.argus.server.alerts.AlertsFixture.said;
import static dev.argus.server.alerts.AlertsFixture.slow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.server.job.JobView;
import dev.argus.server.job.SampleJobs;
import dev.argus.wire.WireException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What is known of alerts: room, restarts, the look at the fleet. */
@NullUnmarked // what is null there fails where it is used
class AlertBookTest {
    private final AlertBook book = new AlertBook();
    private final Deliveries json = AlertsFixture.deliveries(AlertFormat.JSON);
    private final Reconciliation reconciliation = new Reconciliation(AlertsFixture.TEXTS);

    private void reconcile(boolean atStart, JobView... jobs) {
        reconciliation.run(book, List.of(jobs), atStart, NOW, 0);
    }

    private List<String> active() {
        return book.entries().stream()
                .map(AlertBook.Entry::alert)
                .filter(Alert::isActive)
                .map(a -> a.key().id())
                .toList();
    }

    @Test
    void whereThereIsNoRoomWhatHasEndedGoesFirst() {
        AlertBook small = new AlertBook(2);
        small.say(opened("a"), 0);
        small.say(resolved("a"), 0);
        small.say(opened("b"), 0);
        small.say(opened("c"), 0);
        assertThat(small.dropped()).isEqualTo(1);
        small.say(opened("d"), 0);

        assertThat(small.dropped()).isEqualTo(2);
        assertThat(small.entries().stream().map(e -> e.alert().key().id())).containsExactly("b", "c");
    }

    @Test
    void theBeginOfAnAlertStays() {
        book.say(opened("a"), 0);
        Alert later = said(Kind.CHANGED, slow("a").severe(dev.argus.model.Severity.CRITICAL))
                .begun(NOW);
        book.say(later, 0);
        assertThat(book.entry(later.key()).alert().startsMillis()).isEqualTo(NOW - 30_000);
    }

    @Test
    void wrongClocksOfHostsDoNotEndAlertsInTheFutureOrBeforeTheyBegan() {
        Alert future = said(Kind.RESOLVED, slow("a").resolved((NOW + 3_600_000) * AlertsFixture.NANOS));
        Alert past = said(Kind.RESOLVED, slow("a").resolved(5 * AlertsFixture.NANOS));

        assertThat(future.endsMillis()).isEqualTo(NOW);
        assertThat(past.endsMillis()).isGreaterThan(past.startsMillis());
        book.say(opened("a"), 0);
        book.say(past, 0);
        Alert kept = book.entry(past.key()).alert();
        assertThat(kept.endsMillis()).isGreaterThan(kept.startsMillis());
    }

    @Test
    void aRestartNeitherRepeatsNorForgets() {
        book.say(opened("told"), 0);
        json.took(json.due(book, 100), 100);
        book.say(opened("told and over"), 200);
        json.took(json.due(book, 300), 300);
        book.say(resolved("told and over"), 400);
        book.say(opened("untold"), 400);
        byte[] saved = AlertState.write(book, Map.of("e", json));

        AlertBook restored = new AlertBook();
        Deliveries again = AlertsFixture.deliveries(AlertFormat.JSON);
        AlertState.read(saved, restored, Map.of("e", again));

        Batch due = again.due(restored, 0);
        assertThat(due.items().stream().map(i -> i.alert().key().id())).containsExactly("told and over", "untold");
        assertThat(due.items().getFirst().alert())
                .isEqualTo(book.entry(resolved("told and over").key()).alert());
        again.took(due, 1);
        assertThat(again.due(restored, 1_000)).isNull();
        // What jobs say again because they were restored, too, is known.
        restored.say(opened("told"), 2);
        assertThat(again.due(restored, 1_000)).isNull();
        restored.say(opened("new"), 2);
        assertThat(again.due(restored, 1_000).items()).hasSize(1);
        // A new endpoint is told of what lasts.
        assertThat(AlertsFixture.deliveries(AlertFormat.JSON)
                        .due(restored, 1_000)
                        .items())
                .hasSize(4);
    }

    @Test
    void anAlertmanagerHearsOfWhatLastsRightAfterARestart() {
        Deliveries am = AlertsFixture.deliveries(AlertFormat.ALERTMANAGER);
        book.say(opened("a"), 0);
        am.took(am.due(book, 100), 100);
        byte[] saved = AlertState.write(book, Map.of("e", am));
        AlertBook restored = new AlertBook();
        Deliveries again = AlertsFixture.deliveries(AlertFormat.ALERTMANAGER);
        AlertState.read(saved, restored, Map.of("e", again));

        assertThat(again.due(restored, 0).items()).hasSize(1);
    }

    @Test
    void damagedStateIsRefusedWhateverIsWrongWithIt() {
        book.say(opened("a"), 0);
        json.took(json.due(book, 100), 100);
        byte[] saved = AlertState.write(book, Map.of("e", json));
        for (int cut = 0; cut < saved.length; cut++) {
            byte[] damaged = Arrays.copyOf(saved, cut);
            assertThatThrownBy(() -> AlertState.read(damaged, new AlertBook(), Map.of()))
                    .isInstanceOf(WireException.class);
        }
        for (int at = 0; at < saved.length; at++) {
            byte[] damaged = saved.clone();
            damaged[at] ^= 0x41;
            assertThatThrownBy(() -> AlertState.read(damaged, new AlertBook(), Map.of()))
                    .isInstanceOf(WireException.class);
        }
    }

    @Test
    void whatAWrongSumDoesNotGiveAwayIsReadOrRefusedAndNothingElse() {
        book.say(opened("a"), 0);
        json.took(json.due(book, 100), 100);
        byte[] saved = AlertState.write(book, Map.of("e", json));
        int refused = 0;
        for (int at = 0; at < saved.length - 4; at++) {
            for (int change : new int[] {1, 0x10, 0x7f, 0x80, 0xff}) {
                byte[] damaged = saved.clone();
                damaged[at] ^= (byte) change;
                CRC32C sum = new CRC32C();
                sum.update(damaged, 0, damaged.length - 4);
                ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN).putInt(damaged.length - 4, (int)
                        sum.getValue());
                try {
                    AlertState.read(damaged, new AlertBook(), Map.of("e", AlertsFixture.deliveries(AlertFormat.JSON)));
                } catch (WireException expected) {
                    refused++;
                }
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void aStartBelievesWhatIsOpenAndDoubtsOnceWhatIsNot() {
        book.say(opened("gone"), 0);
        book.say(opened("over"), 0);
        book.say(opened("lasts"), 0);
        JobView job = SampleJobs.view(
                "train", List.of(slow("lasts"), slow("new"), slow("over").resolved(NOW * AlertsFixture.NANOS)));

        reconcile(true, job);
        assertThat(active()).containsExactly("gone", "over", "lasts", "new");

        reconcile(false, job);
        assertThat(active()).containsExactly("lasts", "new");
        Alert gone = book.entry(opened("gone").key()).alert();
        assertThat(gone.change()).isEqualTo(Kind.WITHDRAWN);
        assertThat(gone.annotations()).containsKey("note");
        assertThat(book.entry(opened("over").key()).alert().change()).isEqualTo(Kind.RESOLVED);
    }

    @Test
    void theAlertsOfAJobThatIsNotWatchedAnyMoreEnd() {
        book.say(opened("a"), 0);
        reconcile(true);
        reconcile(false);
        assertThat(book.entry(opened("a").key()).alert().change()).isEqualTo(Kind.ENDED);
    }

    @Test
    void aViewThatIsOlderThanAChangeDoesNotUndoIt() {
        JobView old = SampleJobs.view("train", List.of(slow("a")));
        JobView fresh = SampleJobs.view("train", List.of(slow("a").resolved(NOW * AlertsFixture.NANOS)));
        book.say(opened("a"), 0);
        book.say(resolved("a"), 0);
        reconcile(false, old);
        assertThat(active()).isEmpty();
        reconcile(false, fresh);
        reconcile(false, old);
        assertThat(active()).isEmpty();

        // What was missed is there a second time.
        reconcile(false, old);
        assertThat(active()).containsExactly("a");
    }
}
