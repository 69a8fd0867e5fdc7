package dev.argus.server.ingest;

import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.storage.Rows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Which pictures of a kind are kept beside incidents, for whoever reads them when they are over: the first that there is one of, and again each time an incident has twice as many steps, or accuses others, at most
 * {@value #MOST_TIMES} times. What a picture is drawn from is in memory only while the job runs.
 *
 * <p>State: a few numbers an incident that is known now. After a restart each is kept once more. One thread.
 */
final class KeptPictures {
    static final int MOST_TIMES = 16;

    /** Pictures made at a time: others wait for the next conclusion. */
    static final int MOST_AT_A_TIME = 4;

    private final String kind;
    private final Map<String, Kept> kept = new HashMap<>();

    private record Kept(long steps, int accused, int times) {}

    /** @param kind name of its rows */
    KeptPictures(String kind) {
        this.kind = kind;
    }

    /**
     * Rows for what is known now.
     *
     * @param picture makes what a picture of an incident is drawn from, JSON, empty where there is nothing to draw; asked only where some may be kept
     */
    List<Rows.Picture> next(String job, List<Incident> incidents, Function<Incident, String> picture, long nowNanos) {
        Set<String> known = new HashSet<>();
        incidents.forEach(i -> known.add(i.id()));
        kept.keySet().retainAll(known);
        List<Rows.Picture> rows = new ArrayList<>();
        for (Incident i : incidents) {
            if (rows.size() < MOST_AT_A_TIME && i.state() != IncidentState.RESOLVED && due(i)) {
                String document = picture.apply(i);
                if (!document.isEmpty()) {
                    Kept before = kept.get(i.id());
                    kept.put(i.id(), new Kept(steps(i), accused(i), before == null ? 1 : before.times() + 1));
                    rows.add(new Rows.Picture(job, i.id(), kind, nowNanos, document));
                }
            }
        }
        return rows;
    }

    private boolean due(Incident incident) {
        Kept before = kept.get(incident.id());
        return before == null
                || (before.times() < MOST_TIMES
                        && (steps(incident) >= 2 * before.steps() || accused(incident) != before.accused()));
    }

    private static long steps(Incident incident) {
        return Math.max(1, incident.lastStep() - incident.firstStep() + 1);
    }

    private static int accused(Incident incident) {
        return 31 * incident.ranks().hashCode() + incident.kernels().hashCode();
    }
}
