package dev.argus.engine;

import dev.argus.digest.StallWords;
import dev.argus.model.Cost;
import dev.argus.model.Evidence;
import dev.argus.model.FlightRecord;
import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.RankState;
import dev.argus.model.RankState.ProcessState;
import dev.argus.model.StackRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Says why a job that is being watched does not go on: who is waited for by everybody ({@link HangSuspects}), whose process cannot run, and
 * where all of them are when nobody is waited for. Whether it stands still at all is for whoever asks to know.
 *
 * <p>Pure. Cost: that of {@link HangSuspects}.
 */
public final class StoppedJob {
    private static final int MOST_PLACES = 4;
    private static final double CANNOT_RUN = 0.8;
    private static final double NOBODY = 0.6;

    private final JobShape shape;
    private final NameTable names;

    /** For one attempt's shape. */
    public StoppedJob(JobShape shape, NameTable names) {
        this.shape = shape;
        this.names = names;
    }

    /**
     * Judges a job that stands still.
     *
     * @param states how each rank is doing
     * @param flights which collectives each rank has called and not seen end
     * @param stacks what they are doing
     * @param sinceNanos when something last went on, nanoseconds since the Unix epoch
     * @param nowNanos now
     * @param measuredNanos length of the steps the job has made, to hold the standstill against
     */
    public Concluded judge(
            Collection<RankState> states,
            Collection<FlightRecord> flights,
            Collection<StackRecord> stacks,
            long sinceNanos,
            long nowNanos,
            double measuredNanos) {
        Map<Integer, RankState> byRank = new TreeMap<>();
        states.forEach(s -> byRank.put(s.rank(), s));
        List<Incident> found = new ArrayList<>();
        Concluded of = Concluded.beside(shape.attempt(), List.of(), List.of(), List.of());
        if (!flights.isEmpty()) {
            Map<Integer, FlightRecord> records = new TreeMap<>();
            flights.forEach(f -> records.put(f.rank(), f));
            of = new StackGroups(stacks, shape, names).beside(new HangSuspects(records, shape, names, true).draw());
            found.addAll(of.incidents());
        }
        HangWriter writer = new HangWriter(Map.of(), shape, names);
        if (found.isEmpty()) {
            TreeSet<Integer> down = new TreeSet<>();
            byRank.values().stream()
                    .filter(s -> s.process() == ProcessState.STOPPED || !s.present())
                    .forEach(s -> down.add(s.rank()));
            found.add(
                    down.isEmpty()
                            ? writer.nobody(NOBODY, places(byRank))
                            : writer.cannotRun(
                                    CANNOT_RUN,
                                    RankSet.of(down.stream().mapToInt(r -> r).toArray())));
        }
        double still = Math.max(0, nowNanos - sinceNanos);
        double ratio = still > 0 ? still / (still + Math.max(0, measuredNanos)) : 0;
        Cost cost = new Cost(ratio / found.size(), still / 1e9 * shape.worldSize() / found.size(), 1.0 / found.size());
        return of.with(
                found.stream()
                        .map(i -> standing(i, byRank, sinceNanos, nowNanos, cost))
                        .toList(),
                of.observations(),
                0);
    }

    /** The incident with what is known of the processes, and for how long it has lasted. */
    private Incident standing(Incident i, Map<Integer, RankState> byRank, long sinceNanos, long nowNanos, Cost cost) {
        List<Evidence> rows = new ArrayList<>();
        rows.add(new Evidence("time without any progress", (nowNanos - sinceNanos) / 1e9, "s", "", Double.NaN));
        StringBuilder why = new StringBuilder(i.explanation().replace(HangWriter.ONE_MOMENT, ""));
        long step = Long.MAX_VALUE;
        for (RankState s : byRank.values()) {
            step = s.begunStep() >= 0 ? Math.min(step, s.begunStep()) : step;
        }
        for (int rank : i.ranks().toArray()) {
            RankState s = byRank.get(rank);
            if (s == null) {
                why.append(" Nothing is heard of rank ").append(rank).append('.');
                continue;
            }
            switch (s.process()) {
                case STOPPED ->
                    why.append(" The process of rank ").append(rank).append(" is stopped by a signal or a debugger.");
                case ENDED -> why.append(" The process of rank ").append(rank).append(" has ended.");
                case GONE -> why.append(" The process of rank ").append(rank).append(" is gone.");
                case ALIVE, UNKNOWN -> {
                    if (s.doing() >= 0) {
                        why.append(" Rank ")
                                .append(rank)
                                .append(" has been in ")
                                .append(StallWords.shown(names.name(s.doing())))
                                .append(" for ")
                                .append(Say.time((double) Math.max(0, nowNanos - s.doingSinceNanos())))
                                .append('.');
                    }
                }
            }
            if (s.present() && s.heartbeatNanos() > 0) {
                rows.add(new Evidence(
                        "time since the last sign of life of rank " + rank,
                        Math.max(0, nowNanos - s.heartbeatNanos()) / 1e9,
                        "s",
                        "",
                        Double.NaN));
            }
        }
        rows.addAll(i.evidence());
        long at = step == Long.MAX_VALUE ? -1 : step;
        return i.explained(why.toString(), rows, i.gpus()).standing(id(i, at), cost, at, sinceNanos);
    }

    /** The same rank may stop a job twice: the step tells the one from the other. */
    private String id(Incident i, long step) {
        return String.format(
                "%016x", IncidentIds.hash(i.attempt(), i.kind(), i.scope(), i.ranks(), "", step, shape.worldSize()));
    }

    /** Where most ranks are, in words. */
    private String places(Map<Integer, RankState> byRank) {
        Map<String, TreeSet<Integer>> at = new TreeMap<>();
        byRank.values()
                .forEach(s -> at.computeIfAbsent(
                                s.doing() >= 0 ? StallWords.shown(names.name(s.doing())) : "no named range",
                                d -> new TreeSet<>())
                        .add(s.rank()));
        List<String> parts = new ArrayList<>();
        at.entrySet().stream()
                .sorted((a, b) ->
                        Integer.compare(b.getValue().size(), a.getValue().size()))
                .limit(MOST_PLACES)
                .forEach(e -> parts.add("ranks "
                        + RankSet.of(e.getValue().stream().mapToInt(r -> r).toArray()) + " in " + e.getKey()));
        return String.join(", ", parts);
    }
}
