package dev.argus.cli;

import dev.argus.hostlocal.Diagnosis;
import dev.argus.model.Cost;
import dev.argus.model.DataProblem;
import dev.argus.model.Direction;
import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.Level;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.model.Topology;
import dev.argus.model.TraceFacts;
import dev.argus.model.Verdict;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Diagnoses to print, made by hand. */
final class Verdicts {
    static final Map<String, Diagnosis> ALL = new LinkedHashMap<>();

    private static final long EPOCH = 1_777_636_800_123_456_789L;
    private static final Topology TOPOLOGY = new Topology(
            List.of(new Topology.Dimension("tp", 2), new Topology.Dimension("dp", 8), new Topology.Dimension("pp", 4)),
            "distributedInfo");
    private static final Verdict.Job JOB = new Verdict.Job(64, 8, 21, 28, TOPOLOGY, 222_442_191);
    private static final List<String> EXPLAIN =
            List.of("compute-straggler: ratio 1.22 >= 1.1", "data-stall: not applicable");
    private static final List<String> NOTES = List.of(
            "Checked: step times (L1), phases and ranks (L2), kernels against 7 stage peers (L3).",
            "Not checked: clocks of the GPUs, because no clock data was given.");

    static {
        ALL.put("healthy", analysed(JOB, full(), List.of(), List.of(), NOTES, 0));
        ALL.put("observations", analysed(JOB, full(), List.of(), List.of(checkpoint()), NOTES, 0.002));
        ALL.put("gaps", analysed(JOB, missing(), List.of(), List.of(), NOTES, 0.004));
        ALL.put("one-incident", analysed(JOB, full(), List.of(straggler()), List.of(), NOTES, 0.0894));
        ALL.put(
                "several",
                analysed(
                        JOB, missing(), List.of(straggler(), link(), slowdown()), List.of(checkpoint()), NOTES, 0.013));
        ALL.put("alone", alone());
        ALL.put("attempts-without-gpu", attemptsWithoutGpu());
        ALL.put("nothing", nothing());
        ALL.put("hostile", hostile());
    }

    private Verdicts() {}

    private static Diagnosis analysed(
            Verdict.Job job,
            Verdict.Quality quality,
            List<Incident> incidents,
            List<Incident> observations,
            List<String> notes,
            double unattributed) {
        List<TraceFacts> traces = List.of(trace("rank00003.pt.trace.json.gz", 3, "host0", Map.of()));
        return new Diagnosis(
                new Verdict(job, traces, quality, incidents, observations, notes, unattributed), true, "", EXPLAIN);
    }

    /** A healthy job that lost so much of its time for no known reason, beside a checkpoint. */
    static Diagnosis unexplained(double ratio) {
        return analysed(JOB, full(), List.of(), List.of(checkpoint()), NOTES, ratio);
    }

    /** A healthy job with a long step that costs 12 % of its time, and so much lost beside it. */
    static Diagnosis longStep(double ratio) {
        return analysed(
                JOB,
                full(),
                List.of(),
                List.of(observed(IncidentKind.TRANSIENT, "The job had a long step, in step 25.", new Cost(0.12, 1.5))),
                NOTES,
                ratio);
    }

    /** A healthy job that pauses every 50 steps, which takes so much of its time; so much is lost beside it. */
    static Diagnosis regularPauses(double ratio, double beside) {
        return analysed(JOB, full(), List.of(), List.of(regular(ratio)), NOTES, beside);
    }

    /** The same with a checkpoint that is marked as one. */
    static Diagnosis regularPausesBesideACheckpoint() {
        return analysed(JOB, full(), List.of(), List.of(regular(0.064), checkpoint()), NOTES, 0.01);
    }

    private static Incident regular(double ratio) {
        Incident pause = observed(
                IncidentKind.TRANSIENT,
                "The job paused on all ranks at once every 50 steps, 4 times.",
                new Cost(ratio, 12));
        return pause.explained(
                pause.explanation(),
                List.of(new Evidence(
                        Evidence.PERIOD, 50, "steps", "the same from each long step to the next", Double.NaN)),
                pause.gpus());
    }

    private static Diagnosis alone() {
        DataProblem alone = new DataProblem(
                "not-comparable",
                RankSet.of(0),
                "not comparable, because no other rank does the same work: give the traces of more ranks");
        Verdict.Job job = new Verdict.Job(1, 1, 21, 21, Topology.UNKNOWN, 222_442_191);
        return analysed(job, new Verdict.Quality(1, 1, List.of(alone)), List.of(), List.of(), NOTES, 0);
    }

    private static Diagnosis attemptsWithoutGpu() {
        Incident late = lateRanks();
        Verdict.Job job = new Verdict.Job(8, 1, 21, 28, Topology.UNKNOWN, 222_442_191);
        TraceFacts trace = new TraceFacts(
                "rank6.json", "torch-list", 6, 1, "", 0, 0, 0, 0, List.of(), EPOCH, EPOCH + 2_000_000_000L, Map.of());
        Verdict verdict = new Verdict(
                job,
                List.of(trace),
                new Verdict.Quality(8, 8, List.of()),
                List.of(late),
                List.of(checkpoint()),
                List.of("2 attempts of the job: 8 ranks in steps 0 to 9; 8 ranks in steps 21 to 28"),
                0.0099);
        return new Diagnosis(verdict, true, "", List.of());
    }

    private static Incident lateRanks() {
        return new Incident(
                "aa01",
                IncidentKind.STRAGGLER,
                Scope.RANK,
                Severity.WARNING,
                0.8,
                EnumSet.of(Level.L2),
                IncidentState.OPEN,
                EPOCH + 1_000_000_000L,
                null,
                1,
                RankSet.of(6, 7),
                List.of(new GpuRef(6, null, -1, null), new GpuRef(7, null, -1, null)),
                List.of(),
                List.of(),
                25,
                28,
                List.of(),
                null,
                "Ranks 6-7 come late since step 25 of attempt 1; 6.71 % of the job's time lost.",
                "",
                "Record kernels or stacks on this rank to learn why it is late.",
                List.of(),
                new Cost(0.06711, 0.537, 0.0839));
    }

    private static Diagnosis nothing() {
        Verdict.Job job = new Verdict.Job(0, 0, -1, -1, Topology.UNKNOWN, 0);
        DataProblem problem = new DataProblem(
                "unreadable-file", RankSet.EMPTY, "a.json: found an empty file, expected a trace; record it again.");
        TraceFacts trace = new TraceFacts("a.json", "unknown", -1, 0, "", 0, 0, 0, 0, List.of(), 0, 0, Map.of());
        Verdict verdict = new Verdict(
                job, List.of(trace), new Verdict.Quality(0, 0, List.of(problem)), List.of(), List.of(), List.of(), 0);
        return new Diagnosis(
                verdict, false, "1 file was found, none is a trace; give a folder of profiler traces.", List.of());
    }

    private static Verdict.Quality full() {
        return new Verdict.Quality(64, 64, List.of());
    }

    private static Verdict.Quality missing() {
        DataProblem missing = new DataProblem(
                "missing-trace", RankSet.of(5), "rank 5 of 64 has no file; record all ranks to have it judged.");
        return new Verdict.Quality(64, 63, List.of(missing));
    }

    private static TraceFacts trace(String file, int rank, String host, Map<String, Long> quarantined) {
        return new TraceFacts(
                file,
                "kineto",
                rank,
                0,
                host,
                2700,
                162_532_340,
                46_876_493,
                155_215_315,
                List.of(new TraceFacts.StepDuration(21, 222_442_191), new TraceFacts.StepDuration(22, 219_726_905)),
                EPOCH,
                EPOCH + 1_777_537_528L,
                quarantined);
    }

    /** A whole host is slow. */
    static Diagnosis onHost(String host) {
        return of(Scope.HOST, RankSet.range(0, 7), List.of(host));
    }

    /** Something else than a rank is slow. */
    static Diagnosis ofScope(Scope scope, RankSet ranks) {
        return of(scope, ranks, List.of());
    }

    private static Diagnosis of(Scope scope, RankSet ranks, List<String> hosts) {
        Incident i = straggler();
        Incident of = new Incident(
                i.id(),
                i.kind(),
                scope,
                i.severity(),
                i.confidence(),
                i.levels(),
                i.state(),
                i.sinceEpochNanos(),
                i.untilEpochNanos(),
                i.attempt(),
                ranks,
                List.of(),
                hosts,
                List.of(),
                i.firstStep(),
                i.lastStep(),
                i.kernels(),
                i.direction(),
                "its ranks are slow",
                i.explanation(),
                i.advice(),
                i.evidence(),
                i.cost());
        return analysed(JOB, full(), List.of(of), List.of(), NOTES, 0);
    }

    static Incident straggler() {
        return new Incident(
                "5d1c0b7a",
                IncidentKind.COMPUTE_STRAGGLER,
                Scope.RANK,
                Severity.CRITICAL,
                0.97,
                EnumSet.of(Level.L3, Level.L1, Level.L2),
                IncidentState.ONGOING,
                EPOCH + 3 * 222_442_191L,
                null,
                0,
                RankSet.of(37),
                List.of(new GpuRef(37, "host4", 5, null)),
                List.of("host4"),
                List.of(new ParallelGroup("dp", RankSet.of(5, 37)), new ParallelGroup("tp", RankSet.of(36, 37))),
                24,
                28,
                List.of("ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_tn", "flash_fwd_kernel"),
                Direction.LONGER,
                "Host host4 GPU 5 (rank 37) computes 22 % slower than its stage peers since step 24: all GEMMs.",
                "Every compute kernel takes longer by the same factor while all others wait for this rank in the"
                        + " gradient sum; its own collectives are the shortest of the group.",
                "Check the clocks and the temperature of GPU 5 on host4; drain the host if they are low.",
                List.of(
                        new Evidence("compute time per step", 1.22, "x", "median of 7 stage peers", 1.1),
                        new Evidence("arrives last in the gradient sum", 100, "%", "5 of 5 steps", 60),
                        new Evidence("own wait", 0.31, "ms", "others wait 27.4 ms", Double.NaN)),
                new Cost(0.12, 13.7, 0.192));
    }

    private static Incident link() {
        return new Incident(
                "77aa",
                IncidentKind.LINK_DEGRADED,
                Scope.PAIR,
                Severity.WARNING,
                0.74,
                EnumSet.of(Level.L2),
                IncidentState.RESOLVED,
                EPOCH,
                EPOCH + 1,
                0,
                RankSet.of(8, 9, 16, 17),
                List.of(),
                List.of("host1", "host2"),
                List.of(),
                22,
                23,
                List.of(),
                null,
                "Transfers between host1 and host2 take twice as long.",
                "",
                "Check the cables and counters of the ports between host1 and host2.",
                List.of(new Evidence("transfer time at equal bytes", 2.04, "x", "6 other pairs", 1.3)),
                new Cost(0.021, 14_200, 0.027));
    }

    private static Incident slowdown() {
        return new Incident(
                "99bb",
                IncidentKind.GLOBAL_SLOWDOWN,
                Scope.JOB,
                Severity.WARNING,
                0.6,
                EnumSet.of(Level.L1),
                IncidentState.OPEN,
                0,
                null,
                0,
                RankSet.EMPTY,
                List.of(),
                List.of(),
                List.of(),
                26,
                28,
                List.of(),
                Direction.LONGER,
                "All ranks became 3 % slower at step 26.",
                "",
                "Look for a power cap or another job on the same machines.",
                List.of(),
                new Cost(0.009, 6));
    }

    private static Incident checkpoint() {
        return observed(IncidentKind.CHECKPOINT, "Step 25 saved a checkpoint and took 1.4 s longer.", Cost.NONE);
    }

    private static Incident observed(IncidentKind kind, String summary, Cost cost) {
        return new Incident(
                "c0",
                kind,
                Scope.JOB,
                Severity.INFO,
                0.9,
                EnumSet.of(Level.L1),
                IncidentState.RESOLVED,
                EPOCH,
                EPOCH,
                0,
                RankSet.EMPTY,
                List.of(),
                List.of(),
                List.of(),
                25,
                25,
                List.of(),
                null,
                summary,
                "",
                "If this is too much, write checkpoints less often or beside the training.",
                List.of(),
                cost);
    }

    private static Diagnosis hostile() {
        String name = "\u001b]0;owned\u0007\u001b[31mred\r\nincident: none\u202eevil\u2028\ud800\u0000\t\"\\"
                + "z".repeat(300);
        Incident bad = new Incident(
                name,
                IncidentKind.STRAGGLER,
                Scope.HOST,
                Severity.CRITICAL,
                Double.NaN,
                EnumSet.noneOf(Level.class),
                IncidentState.OPEN,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                1,
                RankSet.of(0, 1, 2, 7),
                List.of(new GpuRef(0, name, -1, name), new GpuRef(-1, null, 3, null)),
                List.of(name),
                List.of(new ParallelGroup(name, RankSet.of(0))),
                -1,
                -1,
                List.of(name, name, name, name),
                Direction.SHORTER,
                name,
                name,
                name,
                List.of(new Evidence(name, Double.POSITIVE_INFINITY, name, name, Double.NaN)),
                new Cost(Double.NaN, Double.NaN));
        String key = name.replace("\ud800", ""); // as the name of a member Jackson does not read a lone surrogate
        Topology topology = new Topology(List.of(new Topology.Dimension(key, 8)), name);
        Verdict verdict = new Verdict(
                new Verdict.Job(8, 1, 0, 0, topology, 999),
                List.of(trace(name, -1, name, Map.of(key, 2L, "negative-duration", 3L))),
                new Verdict.Quality(8, 8, List.of(new DataProblem("cut-file", RankSet.range(0, 7), name))),
                List.of(bad),
                List.of(bad),
                List.of(name),
                Double.NaN);
        return new Diagnosis(verdict, true, "", List.of(name));
    }
}
