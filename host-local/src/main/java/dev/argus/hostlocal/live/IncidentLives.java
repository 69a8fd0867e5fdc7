package dev.argus.hostlocal.live;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which incidents have been said, and what a further conclusion changes about them. State: those of the last conclusion. */
final class IncidentLives {
    private final Map<String, Incident> said = new LinkedHashMap<>();

    /** What a conclusion changes: opened, changed and resolved in its order, then those it no longer has. */
    List<IncidentChange> next(Collection<Incident> incidents, long nowNanos) {
        List<IncidentChange> changes = new ArrayList<>();
        Map<String, Incident> now = new LinkedHashMap<>();
        for (Incident i : incidents) {
            now.put(i.id(), i);
            Incident before = said.get(i.id());
            boolean over = i.state() == IncidentState.RESOLVED;
            if (before == null) {
                changes.add(new IncidentChange(Kind.OPENED, i, nowNanos));
            } else if (over && before.state() != IncidentState.RESOLVED) {
                changes.add(new IncidentChange(Kind.RESOLVED, i, nowNanos));
            } else if (differs(before, i)) {
                changes.add(new IncidentChange(Kind.CHANGED, i, nowNanos));
            }
        }
        for (Incident before : said.values()) {
            if (!now.containsKey(before.id()) && before.state() != IncidentState.RESOLVED) {
                changes.add(new IncidentChange(Kind.WITHDRAWN, before, nowNanos));
            }
        }
        said.clear();
        said.putAll(now);
        return changes;
    }

    /** An operator would act otherwise; less severe than it was is no reason to call again. */
    private static boolean differs(Incident a, Incident b) {
        return a.kind() != b.kind()
                || a.severity().compareTo(b.severity()) < 0
                || !a.ranks().equals(b.ranks())
                || (a.state() == IncidentState.RESOLVED) != (b.state() == IncidentState.RESOLVED);
    }
}
