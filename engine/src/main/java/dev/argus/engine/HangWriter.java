package dev.argus.engine;

import dev.argus.engine.HangWaits.Missed;
import dev.argus.model.Cost;
import dev.argus.model.Evidence;
import dev.argus.model.FlightRecord;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.NameTable;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes what is found about a stopped job as incidents. They have no step and no price: a flight record counts calls, not steps, and
 * does not say how long it lasted.
 */
final class HangWriter {
    /** Everybody waits for them, in calls that are on record. */
    private static final double MISSING = 0.95;

    /** Two operations under one number: a fact, but which side is wrong is a majority's word. */
    private static final double MISMATCH = 0.9;

    /** Of dumps; whoever watches knows how long it lasted. */
    static final String ONE_MOMENT = " Flight records show one moment; they do not say how long it lasted.";

    private static final double CIRCLE = 0.85;
    private static final double BLIND = 0.85;
    private static final double WITHOUT_RECORD = 0.5;

    private final Map<Integer, FlightRecord> records;
    private final JobShape shape;
    private final NameTable names;
    private final boolean gpus;

    HangWriter(Map<Integer, FlightRecord> records, JobShape shape, NameTable names) {
        this.records = records;
        this.shape = shape;
        this.names = names;
        this.gpus = anyGpu();
    }

    /**
     * Of ranks that are waited for.
     *
     * @param onGpu those of them whose CPU has called what others wait in, and whose GPU has not come to it
     * @param blind ranks that see collectives go on for ever that ended for others
     */
    Incident missing(RankSet late, RankSet onGpu, RankSet blind, List<Missed> missed, List<Evidence> evidence) {
        String not = onGpu.size() == late.size() ? "not begun on the GPU " : "not called ";
        String what = missed.isEmpty()
                ? not + "the send or receive that others wait for"
                : not + describe(missed.getFirst().call()) + " of "
                        + missed.getFirst().group().label
                        + ", where " + missed.getFirst().arrived() + " of "
                        + missed.getFirst().group().members.size() + " members wait";
        String seesNoEnd = blind.isEmpty()
                ? ""
                : "; " + ranks(blind) + (blind.size() == 1 ? " sees" : " see")
                        + " collectives go on for ever that have ended for the others";
        return incident(
                Scope.RANK,
                late.union(blind),
                missed,
                MISSING,
                ranks(late) + (late.size() == 1 ? " has " : " have ") + what + seesNoEnd,
                "Whoever waits in an open collective waits, over all groups, for " + ranks(late)
                        + " in the end, which " + (late.size() == 1 ? "waits" : "wait") + " for nobody"
                        + (blind.isEmpty()
                                ? "."
                                : ". A collective that ended for one member had the part of all: a member that does not see its end"
                                        + (gpus ? " has a GPU that does not come back, or" : " has")
                                        + " a process that does not look.")
                        + (onGpu.isEmpty()
                                ? ""
                                : " What " + ranks(onGpu) + " called lies behind work of "
                                        + (onGpu.size() == 1 ? "its own GPU" : "their own GPUs")
                                        + " that does not end.")
                        + ONE_MOMENT,
                gpus
                        ? "Look at what these processes do (py-spy dump) and at the kernel log of their hosts for GPU errors;"
                                + " then restart without those GPUs."
                        : "Look at what these processes do (py-spy dump), and at the load and the kernel log of their hosts.",
                evidence);
    }

    /** Of ranks that see collectives go on for ever that ended for others, where nobody is late. */
    Incident seesNoEnd(RankSet blind, List<Evidence> evidence) {
        return incident(
                Scope.RANK,
                blind,
                List.of(),
                BLIND,
                ranks(blind) + (blind.size() == 1 ? " sees" : " see")
                        + " collectives go on for ever that have ended for the others",
                "All members have called what is open. A collective that ended for one member had the part of all: a member that does not see its end"
                        + (gpus ? " has a GPU that does not come back, or" : " has") + " a process that does not look."
                        + ONE_MOMENT,
                gpus
                        ? "Look at the kernel log of these hosts for GPU errors, and at what the processes do (py-spy dump); then restart without those GPUs."
                        : "Look at what these processes do (py-spy dump), and at the load and the kernel log of their hosts.",
                evidence);
    }

    Incident circle(RankSet circle, List<Missed> missed) {
        List<Evidence> rows = new ArrayList<>();
        for (Missed m : missed) {
            rows.add(new Evidence(
                    "members of " + m.group().label + " that called " + describe(m.call()) + ", missing: "
                            + ranks(m.late()),
                    m.arrived(),
                    "1",
                    "members of the group: " + m.group().members.size(),
                    Double.NaN));
        }
        return incident(
                Scope.GROUP,
                circle,
                missed,
                CIRCLE,
                ranks(circle) + " wait for each other in a circle",
                "Each of them has called a collective that another of them has not: they call their groups in different orders.",
                "Make all ranks call the collectives of their groups in the same order.",
                rows);
    }

    Incident mismatch(HangMismatch m) {
        return incident(
                Scope.RANK,
                m.ranks(),
                List.of(new Missed(m.group(), m.odd(), m.ranks(), m.others())),
                MISMATCH,
                ranks(m.ranks()) + " called " + describe(m.odd()) + " of " + m.group().label + " where " + m.others()
                        + " other members called " + names.name(m.usual().name()),
                "Members of a group call the same operations in the same order; from the first difference on they wait for ever, or exchange"
                        + " the wrong data.",
                "Look for a branch of the program that depends on the rank, or on data that differs between ranks.",
                List.of(new Evidence(
                        "members that called " + describe(m.usual()),
                        m.others(),
                        "1",
                        "the same number of " + m.group().label,
                        Double.NaN)));
    }

    Incident withoutRecord(RankSet ranks, int groups) {
        return incident(
                Scope.RANK,
                ranks,
                List.of(),
                WITHOUT_RECORD,
                ranks(ranks) + " left no usable flight record, and all others have arrived in the groups they share",
                "In " + groups
                        + " groups every member with a record has called what is open, so that one without is the last to arrive;"
                        + " or the transfer is stuck.",
                "Get the flight record and the stacks of these ranks: they alone can tell.",
                List.of(new Evidence("groups that wait with everybody else there", groups, "1", "", 2)));
    }

    /** Of a job that stands still although nobody is waited for in a collective on record. */
    Incident nobody(double confidence, String places) {
        return incident(
                Scope.JOB,
                RankSet.EMPTY,
                List.of(),
                confidence,
                "the job stands still, and no rank is waited for in a collective on record"
                        + (places.isEmpty() ? "" : ": " + places),
                "No rank has gone on, and none has called a collective that another has not.",
                "Look at what the processes do (CPU stacks) and at what they share: the storage, the network, the fabric.",
                List.of());
    }

    /** Of ranks whose processes cannot run, where no collective on record waits for them. */
    Incident cannotRun(double confidence, RankSet ranks) {
        return incident(
                Scope.RANK,
                ranks,
                List.of(),
                confidence,
                ranks(ranks) + " cannot run, and the job stands still",
                "No rank has gone on, and the others run.",
                "Look at the kernel log of the host (out of memory" + (gpus ? ", errors of the GPU" : "")
                        + ") and for whoever stopped the process.",
                List.of());
    }

    /** True unless nothing that is known speaks of a GPU: none is stated, and no call is NCCL's. */
    private boolean anyGpu() {
        return shape.gpuIndex().values().stream().anyMatch(index -> index >= 0)
                || shape.gpuModels().values().stream().anyMatch(model -> !model.isEmpty())
                || records.values().stream()
                        .flatMap(r -> r.calls().stream())
                        .anyMatch(c -> names.name(c.name()).startsWith("nccl"));
    }

    /** Such as {@code all_to_all number 45265 (2048x5120 BFloat16)}. */
    String describe(Call call) {
        String shapeOf = names.name(call.shape());
        return names.name(call.name()) + " number " + call.sequence() + (shapeOf.isEmpty() ? "" : " (" + shapeOf + ")");
    }

    private static String ranks(RankSet set) {
        return (set.size() == 1 ? "rank " : "ranks ") + set;
    }

    private Incident incident(
            Scope scope,
            RankSet ranks,
            List<Missed> missed,
            double confidence,
            String summary,
            String explanation,
            String advice,
            List<Evidence> evidence) {
        int attempt = records.isEmpty()
                ? shape.attempt()
                : records.values().iterator().next().attempt();
        int heard = records.isEmpty() ? shape.ranks().size() : records.size();
        int world = Math.max(1, Math.max(shape.worldSize(), heard));
        double coverage = 0.7 + 0.3 * heard / world;
        long since = missed.stream()
                .mapToLong(m -> m.call().createdNanos())
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(0);
        return new Incident(
                IncidentIds.of(attempt, IncidentKind.HANG, scope, ranks, world),
                IncidentKind.HANG,
                scope,
                Severity.CRITICAL,
                Math.round(1000 * confidence * coverage) / 1000.0,
                Set.of(Level.L2),
                IncidentState.ONGOING,
                since,
                null,
                attempt,
                ranks,
                gpus(ranks),
                hosts(ranks),
                missed.stream()
                        .map(m -> new ParallelGroup(dimension(m), m.group().members))
                        .distinct()
                        .toList(),
                -1,
                -1,
                List.of(),
                null,
                summary,
                explanation,
                advice,
                List.copyOf(evidence),
                Cost.NONE);
    }

    /** The dimension of the group where the layout knows it, else what it is called. */
    private String dimension(Missed m) {
        return shape.groups().stream()
                .filter(g ->
                        g.ranks().equals(m.group().members) && !g.dimension().isEmpty())
                .map(ParallelGroup::dimension)
                .findFirst()
                .orElse(m.group().label);
    }

    private List<GpuRef> gpus(RankSet ranks) {
        List<GpuRef> list = new ArrayList<>();
        for (int rank : ranks.toArray()) {
            String host = shape.hostOf(rank);
            list.add(new GpuRef(
                    rank, host.isEmpty() ? null : host, shape.gpuIndex().getOrDefault(rank, -1), null));
        }
        return list;
    }

    private List<String> hosts(RankSet ranks) {
        return ranks.stream()
                .mapToObj(shape::hostOf)
                .filter(host -> !host.isEmpty())
                .distinct()
                .sorted()
                .toList();
    }
}
