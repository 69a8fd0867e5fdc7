package dev.argus.server.alerts;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.server.job.JobView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds alerts against what the fleet says now: what was missed (a restart, a lack of room) is made good.
 *
 * <p>Views may be older than changes that came since, so that a difference counts when it is there twice in a row. Costs and sentences of what lasts are brought up to date, which is no
 * reason to tell anybody.
 */
final class Reconciliation {
    private static final String GONE_JOB = "the job is not watched any more";
    private static final String GONE = "not known any more since the server was started again, or changes were missed";

    private final AlertTexts texts;
    private Set<String> differed = new HashSet<>();

    Reconciliation(AlertTexts texts) {
        this.texts = texts;
    }

    /**
     * Makes good what differs.
     *
     * @param atStart true to believe at once what is open: nothing has changed since
     */
    void run(AlertBook book, List<JobView> jobs, boolean atStart, long nowMillis, long tick) {
        Set<String> differs = new HashSet<>();
        Map<Alert.Key, Incident> known = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (JobView job : jobs) {
            names.add(job.job());
            for (Incident i : job.incidents()) {
                if (!i.kind().isIncident()) {
                    continue;
                }
                known.put(new Alert.Key(job.job(), i.id()), i);
                if (i.state() != IncidentState.RESOLVED) {
                    open(book, texts.of(job.job(), i, Kind.CHANGED, nowMillis), differs, atStart, tick);
                }
            }
        }
        for (AlertBook.Entry entry : List.copyOf(book.entries())) {
            Alert a = entry.alert();
            Incident now = known.get(a.key());
            boolean lasts = now != null && now.state() != IncidentState.RESOLVED;
            if (a.isActive() && !lasts && again("over", a.key(), differs)) {
                book.say(over(a, now, names.contains(a.key().job()), nowMillis), tick);
            }
        }
        differed = differs;
    }

    private void open(AlertBook book, Alert now, Set<String> differs, boolean atStart, long tick) {
        AlertBook.Entry entry = book.entry(now.key());
        boolean lasts = entry != null && entry.alert().isActive();
        if (entry != null && entry.alert().saysTheSame(now)) {
            book.say(now, tick);
        } else if (again("open", now.key(), differs) || atStart) {
            Alert said = lasts
                    ? now
                    : new Alert(
                            now.key(),
                            Kind.OPENED,
                            now.startsMillis(),
                            0,
                            now.atMillis(),
                            now.labels(),
                            now.annotations(),
                            now.document());
            book.say(said, tick);
        }
    }

    private Alert over(Alert a, @Nullable Incident now, boolean jobIsThere, long nowMillis) {
        if (now != null) {
            return texts.of(a.key().job(), now, Kind.RESOLVED, nowMillis);
        }
        return jobIsThere
                ? a.ended(Kind.WITHDRAWN, nowMillis, nowMillis, GONE)
                : a.ended(Kind.ENDED, nowMillis, nowMillis, GONE_JOB);
    }

    /** True if the same was noticed the last time; notes it for the next. */
    private boolean again(String what, Alert.Key key, Set<String> differs) {
        String difference = what + ' ' + key.id() + ' ' + key.job();
        differs.add(difference);
        return differed.contains(difference);
    }
}
