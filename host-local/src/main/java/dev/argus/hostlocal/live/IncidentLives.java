package dev.argus.hostlocal.live;

import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.wire.IncidentCodec;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which incidents have been said, and what a further conclusion changes about them.
 *
 * <p>What an operator hears of one incident is always in this order: opened, changed, over. What lies at a threshold comes and goes from conclusion to conclusion: it is withdrawn when it has been away for {@value #AWAY_NANOS} ns
 * and through conclusions on {@value #AWAY_STEPS} steps, two of them at least, over since it was last seen: time in which nobody judged says nothing. A standstill has no steps, there time decides. What is over is said to be
 * over once; what was over before it could be said is said to have begun first. What is over stays as it was when it was said to be over: nothing that is learnt of later steps changes its end or its price.
 * State: what is said, what is over and still concluded, and the ids of at most {@value #MOST_OVER} incidents that are over.
 */
final class IncidentLives {
    static final long AWAY_NANOS = 10_000_000_000L;
    static final int MOST_OVER = 4096;

    /** Steps that were judged without an incident before it is withdrawn. */
    static final int AWAY_STEPS = 8;

    private static final int AWAY_CONCLUSIONS = 2;

    private static final class Said {
        Incident incident;
        long seenNanos;
        int steps;
        int conclusions;

        Said(Incident incident, long seenNanos) {
            this.incident = incident;
            this.seenNanos = seenNanos;
        }

        void seen(Incident as, long nowNanos) {
            incident = as;
            seenNanos = nowNanos;
            steps = 0;
            conclusions = 0;
        }

        boolean away(long nowNanos) {
            return nowNanos - seenNanos >= AWAY_NANOS
                    && (incident.kind() == IncidentKind.HANG
                            || (steps >= AWAY_STEPS && conclusions >= AWAY_CONCLUSIONS));
        }
    }

    private final Map<String, Said> open = new LinkedHashMap<>();
    private final Map<String, Boolean> over = new LinkedHashMap<>();

    /** What is over and is still concluded, as it was said. */
    private final Map<String, Incident> settled = new LinkedHashMap<>();

    /** Detectors were asked, and had seen so many more steps. */
    void judged(int steps) {
        for (Said s : open.values()) {
            s.steps = (int) Math.min(Integer.MAX_VALUE, (long) s.steps + steps);
            s.conclusions++;
        }
    }

    /** What a conclusion says, with what is over as it was when it was over. */
    List<Incident> settled(Collection<Incident> incidents) {
        return incidents.stream()
                .map(i -> i.state() == IncidentState.RESOLVED ? settled.getOrDefault(i.id(), i) : i)
                .toList();
    }

    /** What a conclusion changes: opened, changed and resolved in its order, then those it has not had for long. */
    List<IncidentChange> next(Collection<Incident> incidents, long nowNanos) {
        List<IncidentChange> changes = new ArrayList<>();
        Set<String> now = new HashSet<>();
        for (Incident i : incidents) {
            now.add(i.id());
            Said before = open.get(i.id());
            if (i.state() == IncidentState.RESOLVED) {
                if (!over.containsKey(i.id())) {
                    settled.put(i.id(), i);
                    if (before == null) {
                        changes.add(new IncidentChange(Kind.OPENED, i, nowNanos));
                    }
                    changes.add(new IncidentChange(Kind.RESOLVED, i, nowNanos));
                    over(i.id());
                }
                open.remove(i.id());
            } else if (before == null) {
                over.remove(i.id());
                settled.remove(i.id());
                open.put(i.id(), new Said(i, nowNanos));
                changes.add(new IncidentChange(Kind.OPENED, i, nowNanos));
            } else {
                if (differs(before.incident, i)) {
                    changes.add(new IncidentChange(Kind.CHANGED, i, nowNanos));
                }
                before.seen(worse(before.incident, i), nowNanos);
            }
        }
        settled.keySet().retainAll(now);
        for (Iterator<Said> all = open.values().iterator(); all.hasNext(); ) {
            Said s = all.next();
            if (s.away(nowNanos)) {
                changes.add(new IncidentChange(Kind.WITHDRAWN, s.incident.resolved(s.seenNanos), nowNanos));
                all.remove();
            }
        }
        return changes;
    }

    /** The job has ended, and with it everything said of it; {@code because} says how that is known. */
    List<IncidentChange> end(long nowNanos, String because) {
        List<IncidentChange> changes = new ArrayList<>();
        for (Said s : open.values()) {
            changes.add(new IncidentChange(Kind.ENDED, s.incident.resolved(nowNanos), nowNanos, because));
            over(s.incident.id());
        }
        open.clear();
        settled.clear();
        return changes;
    }

    /** Ids of what is said and is not over. */
    Set<String> lasting() {
        return Set.copyOf(open.keySet());
    }

    /** Nobody looked until now: what is said was not away meanwhile. */
    void resume(long nowNanos) {
        open.values().forEach(s -> s.seenNanos = nowNanos);
    }

    private void over(String id) {
        over.put(id, true);
        if (over.size() > MOST_OVER) {
            over.remove(over.keySet().iterator().next());
        }
    }

    /** An operator would act otherwise; less severe than it was is no reason to call again. */
    private static boolean differs(Incident a, Incident b) {
        return a.kind() != b.kind()
                || a.severity().compareTo(b.severity()) < 0
                || !a.ranks().equals(b.ranks());
    }

    /** As it is known now; its severity has been said. */
    private static Incident worse(Incident before, Incident now) {
        return before.severity().compareTo(now.severity()) > 0 ? now.severe(before.severity()) : now;
    }

    // ---------------------------------------------------------------- state

    void encode(SnapshotOut out) {
        WireWriter to = out.to();
        to.writeVarint(open.size());
        open.values().forEach(s -> {
            to.writeSigned(s.seenNanos).writeVarint(s.steps).writeVarint(s.conclusions);
            IncidentCodec.encode(s.incident, to);
            out.written();
        });
        Codecs.texts(over.keySet(), to);
        Codecs.incidents(settled.values(), to);
    }

    void decode(WireReader from) {
        for (int n = from.readCount(9); n > 0; n--) {
            long seen = from.readSigned();
            int steps = from.readInt();
            int conclusions = from.readInt();
            Said said = new Said(IncidentCodec.decode(from, Codecs.MOST_MEMBERS), seen);
            said.steps = steps;
            said.conclusions = conclusions;
            open.put(said.incident.id(), said);
        }
        Codecs.texts(from).forEach(id -> over.put(id, true));
        Codecs.incidents(from).forEach(i -> settled.put(i.id(), i));
    }
}
