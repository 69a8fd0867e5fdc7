package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every kind the rules can name: a job in which it fires, one in which it just does not, one to which it does not apply. */
class RuleMatrixTest {
    private static final long SEED = 20;

    /**
     * One kind.
     *
     * @param kind what must be said
     * @param ranks whom it must name
     * @param scope how far it reaches
     * @param job the job without fault
     * @param fires makes it fire
     * @param near leaves it just below
     * @param other a case of something else that looks alike
     */
    private record Row(
            IncidentKind kind,
            Scope scope,
            RankSet ranks,
            UnaryOperator<FakeJob> job,
            UnaryOperator<FakeJob> fires,
            UnaryOperator<FakeJob> near,
            UnaryOperator<FakeJob> other) {
        FakeJob fresh() {
            return job.apply(FakeJob.of(16, SEED));
        }

        String name() {
            return kind.text() + " of " + scope.text();
        }
    }

    private static final RankSet FIVE = RankSet.of(5);
    private static final RankSet HOST_1 = RankSet.range(8, 15);

    private static FakeJob plain(FakeJob job) {
        return job;
    }

    private static UnaryOperator<FakeJob> on5(Consumer<FakeJob.Cell> edit) {
        return j -> j.fault(5, 0, edit);
    }

    private static UnaryOperator<FakeJob> once5(Consumer<FakeJob.Cell> edit) {
        return j -> j.fault(c -> {
            if (c.rank == 5 && c.step == 110) {
                edit.accept(c);
            }
        });
    }

    private static UnaryOperator<FakeJob> all(Consumer<FakeJob.Cell> edit) {
        return j -> j.fault(edit);
    }

    /** The second stage has more work. */
    private static void longStage(FakeJob.Cell c, double by) {
        if (c.rank >= 8) {
            c.compute(by);
            c.work = by;
        }
    }

    private static boolean touches(RankSet group, String host, FakeJob job) {
        return group.stream().mapToObj(job::host).anyMatch(host::equals);
    }

    private static boolean acrossPairs(RankSet group) {
        return group.size() == 2;
    }

    /** Now long, now short. */
    private static double unsteady(RankSet group, long step, double by) {
        return 1 + by * new SplittableRandom(SEED + group.hashCode() * 31L + step).nextDouble();
    }

    /** 64 ranks on 8 hosts. */
    private static FakeJob large() {
        return FakeJob.of(64, SEED);
    }

    private static final List<Row> ROWS = List.of(
            new Row(
                    IncidentKind.COMPUTE_STRAGGLER,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> c.compute(1.12)),
                    on5(c -> c.compute(1.005)),
                    on5(c -> {
                        c.compute(1.12);
                        c.work = 1.12;
                    })),
            new Row( // three steps are; one long one between two that are hardly longer is not
                    IncidentKind.COMPUTE_STRAGGLER,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> c.compute(c.step >= 110 && c.step <= 112 ? 1.12 : 1)),
                    on5(c -> c.compute(c.step == 110 ? 1.2 : c.step == 111 || c.step == 112 ? 1.016 : 1)),
                    on5(c -> {
                        c.compute(c.step >= 110 && c.step <= 112 ? 1.12 : 1);
                        c.work = c.step >= 110 && c.step <= 112 ? 1.12 : 1;
                    })),
            new Row(
                    IncidentKind.THERMAL_DRIFT,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> c.arithmetic(1 + 0.012 * (c.step - 100))),
                    on5(c -> c.arithmetic(c.step < 110 ? 1 : 1.15)),
                    on5(c -> c.memory(1 + 0.03 * (c.step - 100)))),
            new Row(
                    IncidentKind.MEMORY_BANDWIDTH_STRAGGLER,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> c.memory(1.5)),
                    on5(c -> c.memory(1.01)),
                    on5(c -> c.compute(1.3))),
            new Row(
                    IncidentKind.KERNEL_STRAGGLER,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> c.kernels("flash_fwd", 1.8)),
                    on5(c -> c.kernels("flash_fwd", 1.02)),
                    on5(c -> c.arithmetic(1.2))),
            new Row(
                    IncidentKind.KERNEL_STRAGGLER,
                    Scope.RANK,
                    FIVE,
                    FakeJob::blindExperts,
                    on5(c -> c.kernels("flash_fwd", 1.8)),
                    on5(c -> c.kernels("flash_fwd", c.step == 110 ? 4 : c.step == 111 ? 1.02 : 1)),
                    on5(c -> c.kernels("nvjet", 1.8))),
            new Row(
                    IncidentKind.EXPERT_IMBALANCE,
                    Scope.RANK,
                    FIVE,
                    FakeJob::blindExperts,
                    on5(c -> c.kernels("nvjet", 1.8)),
                    on5(c -> c.kernels("nvjet", 1.02)),
                    on5(c -> c.kernels("flash_fwd", 1.8))),
            new Row(
                    IncidentKind.STRAGGLER,
                    Scope.RANK,
                    FIVE,
                    FakeJob::withoutGpu,
                    on5(c -> c.compute(1.25)),
                    on5(c -> c.compute(1.02)),
                    on5(c -> c.dataMillis = 60)),
            new Row(
                    IncidentKind.PCIE_DEGRADED,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> c.copyMillis = 12),
                    on5(c -> c.copyMillis = 1.8),
                    on5(c -> {
                        c.copyMillis = 12;
                        c.bytes *= 8;
                    })),
            new Row( // copies from the device are not the input, and of a checkpoint there is no peer
                    IncidentKind.PCIE_DEGRADED,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> c.copyMillis = 12),
                    on5(c -> {
                        c.copyMillis = 1.6;
                        c.readBackMillis = 4;
                    }),
                    on5(c -> c.readBackMillis = 12)),
            new Row(
                    IncidentKind.DATA_STALL,
                    Scope.JOB,
                    RankSet.EMPTY,
                    RuleMatrixTest::plain,
                    all(c -> c.gap(c.step >= 110 ? 40 + c.rank % 3 : 0.1, true, "DataLoader.__next__")),
                    all(c -> c.gap(c.step >= 110 ? 4 : 0.1, true, "DataLoader.__next__")),
                    all(c -> c.gap(c.step == 110 || c.step == 111 ? 40 : 0.1, true, "DataLoader.__next__"))),
            new Row(
                    IncidentKind.CPU_STALL,
                    Scope.JOB,
                    RankSet.EMPTY,
                    RuleMatrixTest::plain,
                    all(c -> c.gap(c.step >= 112 ? 30 : 0.1, false, "")),
                    all(c -> c.gap(c.step >= 112 ? 4 : 0.1, false, "")),
                    on5(c -> c.gap(c.step >= 112 ? 30 : 0.1, false, ""))),
            new Row(
                    IncidentKind.DATA_STALL,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    once5(c -> c.gap(200, false, "DataLoader.__next__")),
                    once5(c -> c.gap(10, false, "DataLoader.__next__")),
                    once5(c -> c.gap(200, false, ""))),
            new Row(
                    IncidentKind.DATA_STALL,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    once5(c -> c.gap(200, true, "")),
                    once5(c -> c.gap(10, true, "")),
                    once5(c -> c.gap(200, false, "gc.collect"))),
            new Row(
                    IncidentKind.DATA_STALL,
                    Scope.RANK,
                    FIVE,
                    FakeJob::withoutGpu,
                    on5(c -> c.dataMillis = 40),
                    on5(c -> c.dataMillis = 1),
                    on5(c -> c.compute(1.5))),
            new Row(
                    IncidentKind.JIT_STALL,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    once5(c -> c.gap(900, false, "torch/_inductor/compile_fx.py(120): compile_fx")),
                    once5(c -> c.gap(10, false, "torch/_inductor/compile_fx.py(120): compile_fx")),
                    once5(c -> c.gap(900, false, "threading.py(12): wait"))),
            new Row(
                    IncidentKind.GC_PAUSE,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    once5(c -> c.gap(300, false, "gc.collect")),
                    once5(c -> c.gap(10, false, "gc.collect")),
                    once5(c -> c.gap(300, false, "logging.gcx"))),
            new Row(
                    IncidentKind.GC_PAUSE,
                    Scope.JOB,
                    RankSet.EMPTY,
                    RuleMatrixTest::plain,
                    all(c -> {
                        if (c.step % 4 == 0 && c.rank == (c.step / 4) % 16) {
                            c.gap(300, false, "gc.collect");
                        }
                    }),
                    all(c -> {
                        if (c.step % 4 == 0 && c.rank == (c.step / 4) % 16) {
                            c.gap(4, false, "gc.collect");
                        }
                    }),
                    once5(c -> c.gap(300, false, "gc.collect"))),
            new Row(
                    IncidentKind.CPU_STALL,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    once5(c -> c.gap(300, false, "")),
                    once5(c -> c.gap(10, false, "")),
                    once5(c -> c.gap(300, false, "gc.collect"))),
            new Row(
                    IncidentKind.HOST_CONTENTION,
                    Scope.HOST,
                    HOST_1,
                    j -> FakeJob.of(24, SEED),
                    all(c -> {
                        if (c.rank / 8 == 1 && c.step >= 108) {
                            c.gap(30 + c.rank % 3, false, "");
                        }
                    }),
                    all(c -> {
                        if (c.rank / 8 == 1 && c.step >= 108) {
                            c.gap(0.6, false, "");
                        }
                    }),
                    on5(c -> c.gap(30, false, ""))),
            new Row(
                    IncidentKind.RANK_ASYMMETRY,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> {
                        c.compute(1.2);
                        c.work = 1.2;
                    }),
                    on5(c -> {
                        c.compute(1.2);
                        c.work = 1.02;
                    }),
                    on5(c -> c.work = 1.2)),
            new Row(
                    IncidentKind.RANK_ASYMMETRY,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> {
                        c.copyMillis = 12;
                        c.bytes *= 8;
                    }),
                    on5(c -> {
                        c.copyMillis = 12;
                        c.bytes *= 1.01;
                    }),
                    on5(c -> c.bytes *= 8)),
            new Row(
                    IncidentKind.RANK_ASYMMETRY,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> c.gap(30, false, "wandb/sdk/wandb_run.py(90): log")),
                    on5(c -> c.gap(0.5, false, "wandb/sdk/wandb_run.py(90): log")),
                    on5(c -> c.gap(30, false, ""))),
            new Row(
                    IncidentKind.CHECKPOINT,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    once5(c -> c.gap(300, false, "torch/serialization.py(50): save")),
                    once5(c -> c.gap(5, false, "torch/serialization.py(50): save")),
                    once5(c -> c.gap(300, false, ""))),
            new Row(
                    IncidentKind.NVLINK_DEGRADED,
                    Scope.HOST,
                    RankSet.range(16, 23),
                    j -> large(),
                    j -> j.links((g, s) -> g.equals(RankSet.range(16, 23)) && s >= 105 ? 2.5 : 1),
                    j -> j.links((g, s) -> g.equals(RankSet.range(16, 23)) && s >= 105 ? 1.01 : 1),
                    j -> j.links((g, s) -> g.size() == 8 ? 2.5 : 1)),
            new Row(
                    IncidentKind.LINK_DEGRADED,
                    Scope.HOST,
                    RankSet.range(16, 23),
                    j -> large(),
                    j -> j.links((g, s) -> acrossPairs(g) && touches(g, "host2", j) ? 2.5 : 1),
                    j -> j.links((g, s) -> acrossPairs(g) && touches(g, "host2", j) ? 1.03 : 1),
                    j -> j.links((g, s) -> g.equals(RankSet.range(16, 23)) ? 2.5 : 1)),
            new Row(
                    IncidentKind.LINK_DEGRADED,
                    Scope.PAIR,
                    RankSet.range(16, 31),
                    j -> large(),
                    j -> j.links(
                            (g, s) -> acrossPairs(g) && touches(g, "host2", j) && touches(g, "host3", j) ? 2.5 : 1),
                    j -> j.links(
                            (g, s) -> acrossPairs(g) && touches(g, "host2", j) && touches(g, "host3", j) ? 1.03 : 1),
                    j -> j.links((g, s) -> acrossPairs(g) && touches(g, "host2", j) ? 2.5 : 1)),
            new Row(
                    IncidentKind.LINK_DEGRADED,
                    Scope.RAIL,
                    RankSet.of(19),
                    j -> large(),
                    j -> j.links((g, s) -> acrossPairs(g) && g.contains(19) ? 2.5 : 1),
                    j -> j.links((g, s) -> acrossPairs(g) && g.contains(19) ? 1.03 : 1),
                    j -> j.links((g, s) -> acrossPairs(g) && touches(g, "host2", j) ? 2.5 : 1)),
            new Row(
                    IncidentKind.LINK_DEGRADED,
                    Scope.SWITCH,
                    RankSet.range(16, 31),
                    j -> large(),
                    j -> j.links((g, s) -> acrossPairs(g) && (touches(g, "host2", j) || touches(g, "host3", j))
                            ? s % 3 == 0 ? 3 : 1
                            : 1),
                    j -> j.links(
                            (g, s) -> acrossPairs(g) && (touches(g, "host2", j) || touches(g, "host3", j)) ? 1.03 : 1),
                    j -> j.links(
                            (g, s) -> acrossPairs(g) && touches(g, "host2", j) && touches(g, "host3", j) ? 2.5 : 1)),
            new Row(
                    IncidentKind.FABRIC_CONGESTION,
                    Scope.JOB,
                    RankSet.EMPTY,
                    j -> large(),
                    j -> j.links((g, s) -> acrossPairs(g) ? unsteady(g, s, 1) : 1),
                    j -> j.links((g, s) -> acrossPairs(g) ? unsteady(g, s, 0.05) : 1),
                    j -> j.links((g, s) -> acrossPairs(g) || g.size() == 8 ? unsteady(g, s, 1) : 1)),
            new Row(
                    IncidentKind.FABRIC_CONGESTION,
                    Scope.JOB,
                    RankSet.EMPTY,
                    j -> large(),
                    j -> j.links((g, s) -> acrossPairs(g) && s >= 110 && s < 116 ? 2.5 : 1),
                    j -> j.links((g, s) -> acrossPairs(g) && s >= 110 && s < 116 ? 1.01 : 1),
                    j -> j.links((g, s) -> acrossPairs(g) && touches(g, "host2", j) ? 2.5 : 1)),
            new Row(
                    IncidentKind.GLOBAL_SLOWDOWN,
                    Scope.JOB,
                    RankSet.EMPTY,
                    RuleMatrixTest::plain,
                    all(c -> c.compute(c.step >= 110 ? 1.15 : 1)),
                    all(c -> c.compute(c.step >= 110 ? 1.02 : 1)),
                    all(c -> {
                        c.compute(c.step >= 110 ? 1.15 : 1);
                        c.work = c.step >= 110 ? 1.15 : 1;
                    })),
            new Row(
                    IncidentKind.STAGE_IMBALANCE,
                    Scope.GROUP,
                    RankSet.range(8, 15),
                    j -> j.stages(2),
                    all(c -> longStage(c, 1.24)),
                    all(c -> longStage(c, 1.15)),
                    j -> j.fault(12, 0, c -> c.compute(1.3))),
            new Row(
                    IncidentKind.PIPELINE_BUBBLE,
                    Scope.GROUP,
                    RankSet.range(8, 15),
                    j -> j.stages(2),
                    all(c -> c.compute(c.rank >= 8 ? 1.12 : 1)),
                    all(c -> c.compute(c.rank >= 8 ? 1.035 : 1)),
                    all(c -> longStage(c, 1.12))),
            new Row(
                    IncidentKind.RANK_ASYMMETRY,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> {
                        c.compute(1.1);
                        c.kernelsRun = 1.1;
                    }),
                    on5(c -> {
                        c.compute(1.1);
                        c.kernelsRun = 1.02;
                    }),
                    on5(c -> c.kernelsRun = 1.1)),
            new Row(
                    IncidentKind.EXPERT_IMBALANCE,
                    Scope.RANK,
                    FIVE,
                    RuleMatrixTest::plain,
                    on5(c -> {
                        c.kernels("gemm", 1.3);
                        c.tokens = 1.3;
                    }),
                    on5(c -> {
                        c.compute(1.3);
                        c.tokens = 1.02;
                    }),
                    on5(c -> c.tokens = 1.3)),
            new Row(
                    IncidentKind.HETEROGENEOUS_HARDWARE,
                    Scope.RANK,
                    FIVE,
                    j -> j.otherModel(FIVE),
                    on5(c -> c.compute(1.3)),
                    RuleMatrixTest::plain,
                    j -> j.otherModel(RankSet.EMPTY).fault(5, 0, c -> c.compute(1.3))),
            new Row(
                    IncidentKind.WORKLOAD_IMBALANCE,
                    Scope.GROUP,
                    RankSet.range(0, 15),
                    RuleMatrixTest::plain,
                    FakeJob::wandering,
                    RuleMatrixTest::plain,
                    on5(c -> c.compute(1.3))),
            new Row(
                    IncidentKind.CHECKPOINT,
                    Scope.JOB,
                    RankSet.EMPTY,
                    RuleMatrixTest::plain,
                    all(c -> c.checkpointMillis = c.step % 10 == 5 ? 900 : 0),
                    RuleMatrixTest::plain,
                    all(c -> c.checkpointMillis = c.rank == 0 && c.step % 10 == 5 ? 900 : 0)),
            new Row(
                    IncidentKind.EVALUATION,
                    Scope.JOB,
                    RankSet.EMPTY,
                    RuleMatrixTest::plain,
                    all(c -> c.evaluationMillis = c.step == 112 ? 2_000 : 0),
                    RuleMatrixTest::plain,
                    all(c -> c.checkpointMillis = c.step == 112 ? 2_000 : 0)),
            new Row(
                    IncidentKind.WARMUP,
                    Scope.JOB,
                    RankSet.EMPTY,
                    j -> j.steps(0, 20),
                    all(c -> c.compute(c.step < 3 ? 3.0 - c.step * 0.8 : 1)),
                    all(c -> c.compute(c.step < 3 ? 1.03 : 1)),
                    all(c -> c.compute(c.step == 12 ? 3 : 1))),
            new Row(
                    IncidentKind.TRANSIENT,
                    Scope.JOB,
                    RankSet.EMPTY,
                    RuleMatrixTest::plain,
                    all(c -> c.compute(c.step == 112 ? 1.4 : 1)),
                    all(c -> c.compute(c.step == 112 ? 1.05 : 1)),
                    all(c -> c.evaluationMillis = c.step == 112 ? 2_000 : 0)));

    private static List<Incident> said(FakeJob job) {
        Concluded c = job.diagnose();
        return Stream.concat(c.incidents().stream(), c.observations().stream()).toList();
    }

    @TestFactory
    Stream<DynamicTest> fires() {
        return ROWS.stream()
                .map(row -> DynamicTest.dynamicTest(row.name(), () -> {
                    Concluded c = row.fires().apply(row.fresh()).diagnose();
                    List<Incident> list = row.kind().isIncident() ? c.incidents() : c.observations();
                    assertThat(list).as("seed %d, incidents %s", SEED, texts(c)).anySatisfy(i -> {
                        assertThat(i.kind()).isEqualTo(row.kind());
                        assertThat(i.scope()).isEqualTo(row.scope());
                        assertThat(i.ranks()).isEqualTo(row.ranks());
                        assertThat(i.summary()).isNotEmpty();
                        assertThat(i.advice()).isNotEmpty();
                        if (i.scope() == Scope.JOB) {
                            assertThat(i.advice())
                                    .as("nobody is accused")
                                    .doesNotContain("this rank", "this GPU", "this host");
                        }
                        assertThat(i.evidence()).isNotEmpty();
                        assertThat(i.confidence()).isBetween(0.01, 0.99);
                    });
                    assertThat(c.incidents())
                            .as("no other incident than the fault, seed %d", SEED)
                            .allMatch(i -> i.kind() == row.kind() && i.ranks().equals(row.ranks()), "is the fault");
                }));
    }

    private static String texts(Concluded c) {
        return c.incidents().stream().map(Incident::summary).toList() + ", observations "
                + c.observations().stream().map(Incident::summary).toList();
    }

    @TestFactory
    Stream<DynamicTest> justDoesNotFire() {
        return ROWS.stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.name(),
                        () -> assertThat(said(row.near().apply(row.fresh())))
                                .as("seed %d", SEED)
                                .filteredOn(i -> i.severity() != Severity.INFO
                                        || !row.kind().isIncident())
                                .noneMatch(i -> i.kind() == row.kind() && i.scope() == row.scope())));
    }

    @TestFactory
    Stream<DynamicTest> doesNotApply() {
        return ROWS.stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.name(),
                        () -> assertThat(said(row.other().apply(row.fresh())))
                                .as("seed %d", SEED)
                                .noneMatch(i -> i.kind() == row.kind() && i.scope() == row.scope())));
    }

    /** The source itself says which kinds it can name: {@code case} labels have no {@code IncidentKind.} before them. */
    @Test
    void theMatrixIsFull() throws IOException {
        Set<IncidentKind> named = EnumSet.noneOf(IncidentKind.class);
        Pattern use = Pattern.compile("IncidentKind\\.([A-Z_]+)");
        try (Stream<Path> files = Files.walk(Shared.repository().resolve("engine/src/main/java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                Matcher m = use.matcher(Files.readString(file));
                while (m.find()) {
                    named.add(IncidentKind.valueOf(m.group(1)));
                }
            }
        }
        Set<IncidentKind> tested = EnumSet.noneOf(IncidentKind.class);
        ROWS.forEach(r -> tested.add(r.kind()));
        tested.add(IncidentKind.REGRESSION); // takes two attempts: RegressionsTest
        tested.add(IncidentKind.CLOCK_SKEW); // of clocks, not of steps: ClockSkewTest has its cases
        tested.add(IncidentKind.HANG); // of flight records, not of steps: HangsTest has its cases
        assertThat(new TreeSet<>(tested)).isEqualTo(new TreeSet<>(named)).hasSizeGreaterThan(20);
    }
}
