package dev.argus.engine;

import dev.argus.engine.HangGroup.Progress;
import dev.argus.model.Evidence;
import dev.argus.model.FlightRecord;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * From the flight records of a stopped job to the ranks that keep it from going on.
 *
 * <p>A rank waits for another when it has called a collective that the other has not, and its call is still open; or when its send or
 * receive is open and the other side has not called its own. Then the blame walks on: a late rank that waits elsewhere is a victim. What
 * is left are ranks that are waited for and wait for nobody ({@link WaitGraph}), or circles that wait for each other. Before that,
 * members that called different operations under one number are named: everything after that is a consequence.
 *
 * <p>Once somebody is missing, ranks are added that do not see collectives end which their peers saw end, in all their groups: every
 * member of such a collective has done its part, so a GPU that does not come back, or a process that does not look, is the reason. If nobody
 * with a record is missing, members without one are named, with less confidence, when everybody else has arrived at what is open.
 *
 * <p>A dump does not say when it was made. A member that has not called what another saw complete was dumped earlier: such a pair is no
 * evidence, and is said. Dumps of a job that runs, all of one moment, look like those of a job that stopped: what is said holds for that
 * moment. Sends and receives are not numbered alike on both sides, so only whether the other side has called any is used.
 */
final class HangSuspects {
    /** A missing record may be blamed when at most one rank in so many has none. */
    private static final int MOST_WITHOUT = 4;

    private final Map<Integer, FlightRecord> records;
    private final JobShape shape;
    private final List<HangGroup> groups;
    private final HangGroups gathered;
    private final HangWriter writer;
    private final List<String> notes = new ArrayList<>();

    /** From dumps, of a job that was not watched. */
    HangSuspects(Map<Integer, FlightRecord> records, JobShape shape, NameTable names) {
        this(records, shape, names, false);
    }

    /** @param watched true for records of ranks that are being watched */
    HangSuspects(Map<Integer, FlightRecord> records, JobShape shape, NameTable names, boolean watched) {
        this.records = records;
        this.shape = shape;
        this.gathered = new HangGroups(records, names, watched);
        this.groups = gathered.list();
        this.writer = new HangWriter(records, shape, names);
    }

    Concluded draw() {
        int attempt = records.values().iterator().next().attempt();
        List<Incident> incidents = new ArrayList<>();
        HangMismatch mismatch = HangMismatch.find(groups);
        if (mismatch != null) {
            incidents.add(writer.mismatch(mismatch));
        } else {
            missing(incidents);
        }
        return Concluded.beside(attempt, List.copyOf(incidents), List.of(), List.copyOf(notes));
    }

    private void missing(List<Incident> incidents) {
        HangWaits waits = new HangWaits(groups, gathered);
        if (!waits.stale().isEmpty()) {
            notes.add("hang: flight records are of different moments: others completed what " + ranks(waits.stale())
                    + " had not called yet; they are not held against "
                    + (waits.stale().size() == 1 ? "it" : "them"));
        }
        List<RankSet> ends = waits.ends();
        if (ends.isEmpty()) {
            nobody(incidents);
            return;
        }
        TreeSet<Integer> missing = new TreeSet<>();
        for (RankSet end : ends) {
            if (end.size() == 1) {
                missing.add(end.get(0));
            } else {
                incidents.add(writer.circle(end, waits.between(end)));
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        RankSet late = RankSet.of(missing.stream().mapToInt(r -> r).toArray());
        RankSet blind = blind(late.union(waits.stale()), 2);
        incidents.addFirst(writer.missing(
                late,
                late.intersect(gathered.behindOwnWork()),
                blind,
                waits.missedBy(late),
                evidence(late, blind, waits)));
    }

    // ---------------------------------------------------------------- ranks that see no end

    /** Ranks that saw no collective end as far as their peers, in so many groups or more, and are ahead in none. */
    private RankSet blind(RankSet others, int least) {
        TreeSet<Integer> found = new TreeSet<>();
        for (int rank : records.keySet()) {
            int behind = 0;
            boolean ahead = false;
            for (HangGroup g : groups) {
                Progress p = g.progress.get(rank);
                if (p == null || p.completed() < 0 || g.pointToPoint) {
                    continue;
                }
                long best = g.completed();
                if (p.completed() < best) {
                    behind += sawNoEnd(p, best) ? 1 : 0;
                } else {
                    ahead |= g.progress.values().stream().anyMatch(o -> o.completed() >= 0 && o.completed() < best);
                }
            }
            if (behind >= least && !ahead && !others.contains(rank)) {
                found.add(rank);
            }
        }
        return RankSet.of(found.stream().mapToInt(r -> r).toArray());
    }

    /** True if a call is open here that ended elsewhere, and could end only when all members had done their part. */
    private static boolean sawNoEnd(Progress p, long endedElsewhere) {
        return p.collectives().stream()
                .anyMatch(c -> c.op().isBarrier() && c.sequence() > p.completed() && c.sequence() <= endedElsewhere);
    }

    // ---------------------------------------------------------------- nobody with a record is missing

    private void nobody(List<Incident> incidents) {
        RankSet unknown = RankSet.of(records.keySet().stream().mapToInt(r -> r).filter(r -> !gathered.known(r)));
        RankSet blind = blind(unknown, 1);
        if (!blind.isEmpty() && 2 * blind.size() < records.size()) {
            incidents.add(writer.seesNoEnd(blind, ends(blind)));
            return;
        }
        RankSet silent = RankSet.of(IntStream.range(0, shape.worldSize()).filter(gathered::unknown));
        List<HangGroup> open = groups.stream()
                .filter(g -> !g.pointToPoint)
                .filter(g -> g.progress.values().stream()
                        .anyMatch(p -> !p.collectives().isEmpty()))
                .toList();
        if (open.isEmpty()) {
            notes.add("hang: no collective is open in the flight records of " + records.size()
                    + (silent.isEmpty() ? " ranks: nobody is missing" : " ranks; nothing tells of " + ranks(silent)));
            return;
        }
        TreeSet<Integer> without = new TreeSet<>();
        for (HangGroup g : open) {
            g.members.stream().filter(gathered::unknown).forEach(without::add);
        }
        RankSet ranks = RankSet.of(without.stream().mapToInt(r -> r).toArray());
        int world = Math.max(shape.worldSize(), records.size());
        List<HangGroup> met =
                open.stream().filter(g -> !g.members.intersect(ranks).isEmpty()).toList();
        if (!ranks.isEmpty() && ranks.size() <= Math.max(1, world / MOST_WITHOUT) && met.size() >= 2) {
            incidents.add(writer.withoutRecord(ranks, met.size()));
        } else {
            String called = " called every collective that is open in " + open.size() + " groups";
            notes.add(
                    silent.isEmpty()
                            ? Verdict.OPEN_COLLECTIVES + called
                                    + ", so no rank is missing: the transfer is stuck, or the dumps are of a job that runs"
                                    + begun(open)
                            : "hang: those with a record have" + called + "; nothing tells of " + ranks(silent)
                                    + ", which may be missing");
        }
    }

    /** What all members of a group have begun on their GPUs and none has seen end: a stuck transfer is that one, and everything else waits behind it. */
    private String begun(List<HangGroup> open) {
        for (HangGroup g : open) {
            TreeSet<Long> oldest = new TreeSet<>();
            Call first = null;
            for (int member : g.members.toArray()) {
                Progress p = g.progress.get(member);
                Call call = p == null || p.collectives().isEmpty()
                        ? null
                        : p.collectives().getFirst();
                if (call == null || !call.started()) {
                    oldest.add(Long.MIN_VALUE); // it has not come there
                    break;
                }
                first = call;
                oldest.add(call.sequence());
            }
            if (first != null && oldest.size() == 1 && oldest.first() >= 0) {
                return ". All GPUs of " + ranks(g.members) + " have begun " + writer.describe(first) + " of " + g.label
                        + ", and it has ended for none of them";
            }
        }
        return "";
    }

    // ---------------------------------------------------------------- evidence

    private List<Evidence> evidence(RankSet late, RankSet blind, HangWaits waits) {
        List<Evidence> rows = new ArrayList<>();
        for (HangWaits.Missed m : waits.missedBy(late)) {
            Call call = m.call();
            rows.add(new Evidence(
                    "members of " + m.group().label + " that called " + writer.describe(call) + ", missing: "
                            + ranks(m.late()),
                    m.arrived(),
                    "1",
                    "members of the group: " + m.group().members.size(),
                    Double.NaN));
        }
        rows.addAll(ends(blind));
        return rows;
    }

    /** What ended for others and not for these. */
    private List<Evidence> ends(RankSet blind) {
        List<Evidence> rows = new ArrayList<>();
        for (int rank : blind.toArray()) {
            HangGroup widest = null;
            long gap = 0;
            for (HangGroup g : groups) {
                Progress p = g.progress.get(rank);
                if (p != null && !g.pointToPoint && p.completed() >= 0 && g.completed() - p.completed() > gap) {
                    gap = g.completed() - p.completed();
                    widest = g;
                }
            }
            if (widest != null) {
                rows.add(new Evidence(
                        "collectives of " + widest.label + " that ended for others and not for rank " + rank,
                        gap,
                        "1",
                        "its peers in the group",
                        1));
            }
        }
        return rows;
    }

    private static String ranks(RankSet set) {
        return (set.size() == 1 ? "rank " : "ranks ") + set;
    }
}
