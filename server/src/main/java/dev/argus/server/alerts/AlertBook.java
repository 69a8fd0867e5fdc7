package dev.argus.server.alerts;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which incidents are alerts: what lasts, and what has ended and is still to be told. Knows no endpoint, clock or thread.
 *
 * <p>Bounded: {@value #MOST} alerts of at most some 100 KB; where there is no room the oldest that has ended goes, then nothing new comes in, both counted. Of alerts that ended
 * {@value #MOST_OVER} ids are remembered, so that an end is said once.
 */
final class AlertBook {
    static final int MOST = 4096;
    static final int MOST_OVER = 4096;

    /**
     * What is to be known of an incident.
     *
     * @param alert its alert
     * @param revision grows with each change worth telling
     * @param changedTick when that was, in milliseconds of a clock that only runs forward
     */
    record Entry(Alert alert, long revision, long changedTick) {}

    private final Map<Alert.Key, Entry> entries = new LinkedHashMap<>();
    private final Map<Alert.Key, Boolean> over = new LinkedHashMap<>();
    private final int most;
    private long revision;
    private long dropped;

    AlertBook() {
        this(MOST);
    }

    AlertBook(int most) {
        this.most = most;
    }

    /** All entries, oldest first. */
    Collection<Entry> entries() {
        return entries.values();
    }

    /** What is known of an incident. */
    @Nullable
    Entry entry(Alert.Key key) {
        return entries.get(key);
    }

    /** True if the incident is an alert now. */
    boolean isActive(Alert.Key key) {
        Entry entry = entries.get(key);
        return entry != null && entry.alert().isActive();
    }

    /** Alerts now. */
    int active() {
        return (int) entries.values().stream().filter(e -> e.alert().isActive()).count();
    }

    /** What was not told for lack of room. */
    long dropped() {
        return dropped;
    }

    /** Something was lost before it came here. */
    void drop(long count) {
        dropped += count;
    }

    /** Takes what is said of an incident. */
    void say(Alert alert, long tick) {
        if (alert.isActive()) {
            active(alert, tick);
        } else {
            ended(alert, tick);
        }
    }

    private void active(Alert alert, long tick) {
        over.remove(alert.key());
        Entry before = entries.get(alert.key());
        Alert now = alert;
        if (before != null && before.alert().isActive()) {
            // The begin stays: to an Alertmanager it is part of what it knows.
            now = alert.begun(before.alert().startsMillis());
            if (before.alert().saysTheSame(now)) {
                entries.put(now.key(), new Entry(now, before.revision(), before.changedTick()));
                return;
            }
        }
        if (before != null || hasRoom()) {
            entries.put(now.key(), new Entry(now, ++revision, tick));
        }
    }

    private void ended(Alert alert, long tick) {
        Entry before = entries.get(alert.key());
        if (before == null) {
            // Nobody was told that it began: only what happened is worth telling, and that once.
            if (alert.change() == Kind.RESOLVED && !over.containsKey(alert.key()) && hasRoom()) {
                entries.put(alert.key(), new Entry(alert, ++revision, tick));
            }
        } else if (before.alert().isActive()) {
            Alert now = alert.begun(Math.min(before.alert().startsMillis(), alert.endsMillis() - 1));
            entries.put(alert.key(), new Entry(now, ++revision, tick));
        }
        over.put(alert.key(), true);
        trim();
    }

    /** Room for one more, made if need be. */
    private boolean hasRoom() {
        if (entries.size() < most) {
            return true;
        }
        dropped++;
        for (Iterator<Entry> all = entries.values().iterator(); all.hasNext(); ) {
            if (!all.next().alert().isActive()) {
                all.remove();
                return true;
            }
        }
        return false;
    }

    /** Forgets what has ended and everybody knows. */
    List<Alert.Key> settle(Predicate<Entry> everybodyKnows) {
        List<Alert.Key> gone = new ArrayList<>();
        for (Iterator<Entry> all = entries.values().iterator(); all.hasNext(); ) {
            Entry entry = all.next();
            if (!entry.alert().isActive() && everybodyKnows.test(entry)) {
                gone.add(entry.alert().key());
                all.remove();
            }
        }
        return gone;
    }

    private void trim() {
        while (over.size() > MOST_OVER) {
            over.remove(over.keySet().iterator().next());
        }
    }

    /** Ids of alerts that ended, oldest first. */
    Collection<Alert.Key> over() {
        return over.keySet();
    }

    /** Takes back an entry that was saved. */
    void restore(Alert alert, long savedRevision) {
        entries.put(alert.key(), new Entry(alert, savedRevision, Long.MIN_VALUE / 2));
        revision = Math.max(revision, savedRevision);
    }

    /** Takes back an id that was saved. */
    void restoreOver(Alert.Key key) {
        over.put(key, true);
        trim();
    }
}
