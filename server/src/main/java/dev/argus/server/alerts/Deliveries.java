package dev.argus.server.alerts;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.transport.Backoff;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one endpoint has been told, and what it is to be told when. There is no queue that could overflow: what changes while an endpoint is down is told once, as it is
 * when the endpoint is back.
 *
 * <p>No clock, no thread: ticks are milliseconds of a clock that only runs forward. Memory: some 500 bytes an alert.
 */
final class Deliveries {
    /** Alerts of one request. */
    static final int MOST_ALERTS = 64;

    /** Characters of documents of one request, about. */
    static final int MOST_CHARACTERS = 1 << 20;

    private static final long NEVER = Long.MAX_VALUE;
    private static final long LONGEST_RETRY_AFTER = 600_000;

    /**
     * What was told of an incident last.
     *
     * @param revision which revision
     * @param active true if it was said to last
     * @param labels under which labels
     * @param refused true if it was refused for good
     * @param sentTick when
     */
    record Told(long revision, boolean active, Map<String, String> labels, boolean refused, long sentTick) {}

    private final AlertFormat format;
    private final AlertTiming timing;
    private final Backoff backoff;
    private final Map<Alert.Key, Told> told = new HashMap<>();

    /** What is on its way: whoever ends before the answer is there must not be taken for untold. */
    private final Set<Alert.Key> underway = new HashSet<>();

    private long notBefore = Long.MIN_VALUE;

    /** Requests that are to hold one alert each, because one of several was refused. */
    private int alone;

    private long delivered;
    private long refused;
    private long failures;
    private boolean failing;

    Deliveries(AlertFormat format, AlertTiming timing, Backoff backoff) {
        this.format = format;
        this.timing = timing;
        this.backoff = backoff;
    }

    long delivered() {
        return delivered;
    }

    long refused() {
        return refused;
    }

    long failures() {
        return failures;
    }

    boolean isFailing() {
        return failing;
    }

    Map<Alert.Key, Told> told() {
        return told;
    }

    /** True if the endpoint is still to be told of it. */
    boolean waitsFor(AlertBook.Entry entry) {
        Told before = told.get(entry.alert().key());
        if (before != null) {
            return before.revision() < entry.revision();
        }
        if (underway.contains(entry.alert().key())) {
            return true;
        }
        // Of what has ended unheard, an Alertmanager makes nothing, and a withdrawal takes nothing back.
        boolean past = format == AlertFormat.JSON && entry.alert().change() == Kind.RESOLVED;
        return entry.alert().isActive() || past;
    }

    /** The next request; null if none is due. */
    @Nullable
    Batch due(AlertBook book, long tick) {
        if (tick < notBefore) {
            return null;
        }
        List<AlertBook.Entry> waiting = new ArrayList<>();
        List<AlertBook.Entry> again = new ArrayList<>();
        long oldest = NEVER;
        for (AlertBook.Entry entry : book.entries()) {
            if (waitsFor(entry)) {
                waiting.add(entry);
                oldest = Math.min(oldest, entry.changedTick());
            } else if (resendTick(entry) <= tick) {
                again.add(entry);
            }
        }
        boolean grouped = oldest != NEVER && tick - oldest >= timing.groupWait().toMillis();
        List<AlertBook.Entry> chosen = grouped ? waiting : again;
        chosen.sort(Comparator.comparingLong(AlertBook.Entry::revision));
        return chosen.isEmpty() ? null : batch(chosen);
    }

    private Batch batch(List<AlertBook.Entry> chosen) {
        List<Batch.Item> items = new ArrayList<>();
        int characters = 0;
        for (AlertBook.Entry entry : chosen) {
            Alert alert = entry.alert();
            characters += format == AlertFormat.JSON ? alert.document().length() : 0;
            boolean full = items.size() == (alone > 0 ? 1 : MOST_ALERTS) || characters > MOST_CHARACTERS;
            if (full && !items.isEmpty()) {
                break;
            }
            Told before = told.get(alert.key());
            Map<String, String> known = before != null && before.active() ? before.labels() : alert.labels();
            underway.add(alert.key());
            items.add(new Batch.Item(alert, entry.revision(), known.equals(alert.labels()) ? Map.of() : known));
        }
        return new Batch(items);
    }

    /** When the next request may be due; {@link Long#MAX_VALUE} if none is in sight. */
    long nextTick(AlertBook book) {
        long next = NEVER;
        for (AlertBook.Entry entry : book.entries()) {
            long at = waitsFor(entry) ? entry.changedTick() + timing.groupWait().toMillis() : resendTick(entry);
            next = Math.min(next, at);
        }
        return next == NEVER ? NEVER : Math.max(next, notBefore);
    }

    /** When an alert that lasts is to be sent again, as an Alertmanager expects it. */
    private long resendTick(AlertBook.Entry entry) {
        Told before = told.get(entry.alert().key());
        boolean lasts = format == AlertFormat.ALERTMANAGER && entry.alert().isActive();
        return lasts && before != null && !before.refused()
                ? before.sentTick() + timing.resendEach().toMillis()
                : NEVER;
    }

    /** The endpoint took a request. */
    void took(Batch batch, long tick) {
        settle(batch, false, tick);
        delivered += batch.items().size();
        reset();
    }

    /** The endpoint does not want what is in a request: of several, each is tried alone; a single one is given up. */
    void refused(Batch batch, long tick) {
        underway.clear();
        if (batch.items().size() > 1) {
            alone = batch.items().size();
            return;
        }
        settle(batch, true, tick);
        refused += batch.items().size();
        reset();
    }

    private void reset() {
        alone = Math.max(0, alone - 1);
        backoff.reset();
        failing = false;
        notBefore = Long.MIN_VALUE;
    }

    private void settle(Batch batch, boolean inVain, long tick) {
        underway.clear();
        for (Batch.Item item : batch.items()) {
            Alert a = item.alert();
            told.put(a.key(), new Told(item.revision(), a.isActive(), a.labels(), inVain, tick));
        }
    }

    /**
     * A request failed, and its alerts wait on.
     *
     * @param perhaps true if the endpoint may have taken it nevertheless: then it is told of ends, too
     * @param retryAfterMillis how long it asks to be left alone, or less than 0
     */
    void failed(Batch batch, boolean perhaps, long tick, long retryAfterMillis) {
        underway.clear();
        failures++;
        failing = true;
        notBefore = tick + Math.max(backoff.next(), Math.min(retryAfterMillis, LONGEST_RETRY_AFTER));
        if (perhaps) {
            for (Batch.Item item : batch.items()) {
                Alert a = item.alert();
                told.putIfAbsent(a.key(), new Told(0, a.isActive(), a.labels(), false, tick));
            }
        }
    }

    /** Forgets an incident. */
    void forget(Alert.Key key) {
        told.remove(key);
    }

    /** Forgets all incidents. */
    void clear() {
        told.clear();
    }

    /** Takes back what was saved. */
    void restore(Alert.Key key, Told saved) {
        told.put(key, saved);
    }
}
