package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Exports of Nsight Systems: of several versions, of several GPUs, and such as nobody exports. */
class NsysTest {
    private static final long MS = 1_000_000;

    private static Reading read(NsysDb db) {
        return Reading.of("report.sqlite", db.bytes());
    }

    // ---------------------------------------------------------------- healthy

    /** Nothing but kernels and strings, and of the kernels the fewest columns. */
    @Test
    void kernelsAndStringsAreEnough() {
        Reading read = read(NsysDb.bare()
                .string(5, "gemm")
                .sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 350, 0, 7, 5)"));
        assertThat(read.outcome.format()).isEqualTo("nsys-sqlite");
        assertThat(read.outcome.status()).isEqualTo(Status.COMPLETE);
        assertThat(read.problems()).containsExactly("relative-time");
        assertThat(read.kernels()).singleElement().satisfies(k -> {
            assertThat(read.names.name(k.name())).isEqualTo("gemm");
            assertThat(k.durationNanos()).isEqualTo(250);
            assertThat(k.workItems()).as("unknown without a grid").isZero();
        });
        assertThat(read.header().rank()).as("no name tells it").isEqualTo(-1);
    }

    @Test
    void whatAFullExportSays() {
        Reading read = read(NsysDb.full()
                .kernel(40, 0, 2000, 2500, 1, 11)
                .call(40, 1500, 1600, 11)
                .sql("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (3000, 3100, 0, 7, 12, " + NsysDb.global(40, 0)
                        + ", 4096, 1)")
                .sql("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (3200, 3300, 0, 7, 13, " + NsysDb.global(40, 0)
                        + ", 64)")
                .range(40, 1000, 2 * MS, "aten::mm, seq = 4, op_id = 9")
                .range(40, 1000, 1100, "aten::add, op_id = 10")
                .range(40, 1000, 1500, "forward"));
        assertThat(read.problems()).isEmpty();
        assertThat(read.header().host()).isEqualTo("node7");
        assertThat(read.header().gpuModel()).isEqualTo("H100");
        GpuEvent kernel = read.kernels().getFirst();
        assertThat(read.names.name(kernel.name())).as("the full name").isEqualTo("gemm<float>(int)");
        assertThat(kernel.startNanos()).as("the system clock showed 1000 then").isEqualTo(NsysDb.SESSION + 1000);
        assertThat(kernel.workItems()).isEqualTo(640);
        assertThat(kernel.correlation()).isEqualTo(11);
        assertThat(read.gpu)
                .filteredOn(e -> e.activity() == GpuActivity.MEMCPY)
                .singleElement()
                .satisfies(c -> {
                    assertThat(c.bytes()).isEqualTo(4096);
                    assertThat(c.direction()).isEqualTo(CopyDirection.HOST_TO_DEVICE);
                });
        assertThat(read.gpu).filteredOn(e -> e.activity() == GpuActivity.MEMSET).hasSize(1);
        LaunchEvent launch = read.launches.getFirst();
        assertThat(read.names.name(launch.name())).as("without its version").isEqualTo("cudaLaunchKernel");
        assertThat(launch.correlation()).isEqualTo(11);
        assertThat(read.spans)
                .extracting(read::name)
                .as("short operators are no evidence")
                .containsExactly("aten::mm", "forward");
        assertThat(read.spans).extracting(CpuSpan::kind).containsExactly(SpanKind.OPERATOR, SpanKind.ANNOTATION);
        assertThat(read.bytesTold).isEqualTo(read.outcome.bytes());
    }

    @Test
    void compressedItIsTheSame() {
        byte[] plain = NsysDb.full().kernel(40, 0, 2000, 2500, 1, 11).bytes();
        Reading read = Reading.of("report_rank3.sqlite.gz", Reading.gzip(plain));
        assertThat(read.outcome.status()).isEqualTo(Status.COMPLETE);
        assertThat(read.kernels()).hasSize(1);
        assertThat(read.header().rank()).as("one GPU: the name tells").isEqualTo(3);
    }

    // ---------------------------------------------------------------- ranks

    @Test
    void processesAndGpusAreRanks() {
        Reading read = read(NsysDb.full()
                .kernel(42, 1, 2000, 2500, 1, 1)
                .kernel(41, 0, 2000, 2600, 1, 1)
                .kernel(43, 1, 2000, 2700, 1, 1)
                .call(42, 1500, 1510, 1)
                .call(99, 1500, 1510, 1));
        assertThat(read.outcome.parts()).extracting(p -> p.header().rank()).containsExactly(0, 1, 2);
        assertThat(read.outcome.parts())
                .extracting(Part::label)
                .containsExactly("report.sqlite#gpu0", "report.sqlite#gpu1-process42", "report.sqlite#gpu1-process43");
        assertThat(read.launches).hasSize(1);
        assertThat(read.problems()).containsExactly("unplaced-events");
    }

    /** One process with two GPUs: a call belongs to the GPU whose work it started, a range to both. */
    @Test
    void oneProcessMayDriveSeveralGpus() {
        Reading read = read(NsysDb.full()
                .kernel(41, 0, 2000, 2500, 1, 1)
                .kernel(41, 1, 2000, 2500, 1, 2)
                .call(41, 1500, 1510, 1)
                .call(41, 1520, 1530, 2)
                .range(41, 1000, 5000, "forward"));
        assertThat(read.outcome.parts()).hasSize(2);
        assertThat(read.launches).extracting(LaunchEvent::correlation).containsExactly(1L, 2L);
        assertThat(read.spans).hasSize(2);
    }

    // ---------------------------------------------------------------- steps

    @Test
    void rangesThatAreCalledAfterStepsAreSteps() {
        for (String name : List.of("ProfilerStep#", "step ", "Iteration: ", "train_step_", "iter")) {
            Reading read = read(NsysDb.full()
                    .kernel(40, 0, 2000, 2500, 1, 11)
                    .range(40, 20 * MS, 30 * MS, name + 8)
                    .range(40, 10 * MS, 20 * MS, name + 7));
            assertThat(read.steps).as(name).extracting(StepMark::step).containsExactly(7L, 8L);
            assertThat(read.spans).isEmpty();
        }
    }

    /** Short, or one in another, or counted anew: an inner loop. */
    @Test
    void whatIsCalledAStepMayBeNone() {
        NsysDb brief = NsysDb.full().kernel(40, 0, 2000, 2500, 1, 11);
        NsysDb nested = NsysDb.full().kernel(40, 0, 2000, 2500, 1, 11);
        NsysDb anew = NsysDb.full().kernel(40, 0, 2000, 2500, 1, 11);
        for (int i = 0; i < 4; i++) {
            brief.range(40, 10_000L + i * 1000L, 10_900L + i * 1000L, "step " + i);
            nested.range(40, (10 + i) * MS, (30 + i) * MS, "step " + i);
            anew.range(40, (10 + 3 * i) * MS, (12 + 3 * i) * MS, "step " + i % 2);
        }
        assertThat(read(brief).steps).isEmpty();
        assertThat(read(nested).steps).isEmpty();
        assertThat(read(anew).steps).isEmpty();
        Reading other =
                read(NsysDb.full().kernel(40, 0, 2000, 2500, 1, 11).range(40, 10 * MS, 20 * MS, "my step 3 of 4"));
        assertThat(other.steps).isEmpty();
        assertThat(other.spans).hasSize(1);
    }

    // ---------------------------------------------------------------- exchanges

    private static NsysDb exchange(long skewOfEnds) {
        NsysDb db = NsysDb.full();
        for (int i = 0; i < 10; i++) {
            long end = (i + 2) * MS;
            db.kernel(41, 0, end - 300_000, end, 3, i + 1);
            db.kernel(42, 1, end - 100_000, end + (i == 4 ? 900_000 : skewOfEnds), 3, i + 1);
        }
        return db;
    }

    /** On one clock: all begin before any ends, and all end together. */
    @Test
    void sendAndReceiveKernelsThatEndTogetherAreAnExchange() {
        Reading read = read(exchange(20_000));
        List<CollectiveCall> calls = read.kernels().stream()
                .map(k -> Objects.requireNonNull(k.collective()))
                .toList();
        assertThat(calls).extracting(CollectiveCall::op).containsOnly(CollectiveOp.ALL_TO_ALL);
        assertThat(calls).extracting(CollectiveCall::sequence).contains(0L, 9L);
        assertThat(read.names.name(calls.getFirst().members())).isEqualTo("[0, 1]");
    }

    @Test
    void otherwiseTheyAreTransfers() {
        assertThat(read(exchange(60_000)).kernels())
                .extracting(k -> Objects.requireNonNull(k.collective()).op())
                .containsOnly(CollectiveOp.SEND_RECV);
        assertThat(read(exchange(20_000).kernel(42, 1, 90 * MS, 91 * MS, 3, 99)).kernels())
                .as("not as many on all ranks")
                .extracting(k -> Objects.requireNonNull(k.collective()).op())
                .containsOnly(CollectiveOp.SEND_RECV);
    }

    // ---------------------------------------------------------------- not healthy

    @Test
    void impossibleTimesAreSetAside() {
        Reading read = read(NsysDb.full()
                .kernel(40, 0, 2000, 2500, 1, 1)
                .kernel(40, 0, 2500, 2000, 1, 2)
                .kernel(40, 0, 1, 200_000_000_000_000L, 1, 3)
                .kernel(40, 0, Long.MAX_VALUE - 5, Long.MAX_VALUE, 1, 4)
                .kernel(40, 0, 3000, 3001, 777, 5)
                .sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ('x', NULL, 0,7,1," + NsysDb.global(40, 0)
                        + ",1,2,1,1,1,1,1,1)"));
        assertThat(read.kernels()).hasSize(2);
        assertThat(read.quarantined)
                .containsEntry("negative-duration", 1)
                .containsEntry("impossible-duration", 1)
                .containsEntry("impossible-time", 1)
                .containsEntry("missing-time", 1);
        assertThat(read.names.name(read.kernels().getLast().name()))
                .as("the short name")
                .isEqualTo("gemm");
    }

    @Test
    void otherDatabasesAreIgnored() {
        Reading read = read(new NsysDb().sql("CREATE TABLE a (b INTEGER)"));
        assertThat(read.outcome.status()).isEqualTo(Status.IGNORED);
    }

    @Test
    void exportsWithoutKernelsSayWhatToDo() {
        Reading none = read(new NsysDb().sql("CREATE TABLE StringIds (id INTEGER, value TEXT)"));
        assertThat(none.outcome.status()).isEqualTo(Status.FAILED);
        assertThat(none.outcome.problems().getFirst().detail()).contains("--trace=cuda");
        assertThat(read(NsysDb.full()).outcome.problems().getFirst().detail()).contains("without any kernel");
    }

    /** A view could compute for ever; a virtual table runs code of its own. */
    @Test
    void viewsAreNoTables() {
        Reading read = read(new NsysDb()
                .sql("CREATE TABLE StringIds (id INTEGER, value TEXT)")
                .sql(
                        "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE r(start) AS (SELECT 1 UNION ALL SELECT start+1 FROM r)"
                                + " SELECT start, start AS end, 0 AS deviceId, 0 AS streamId, 0 AS shortName FROM r"));
        assertThat(read.outcome.status()).isEqualTo(Status.FAILED);
    }

    /** Whatever is cut or changed: an answer, a reason, and no exception. */
    @Test
    void cutAndDamagedFilesGiveAnAnswer() {
        NsysDb db = NsysDb.full();
        for (int i = 0; i < 400; i++) {
            db.kernel(40 + i % 2, i % 2, 2000 + 100L * i, 2050 + 100L * i, 1, i + 1)
                    .call(40 + i % 2, 1500 + i, 1501 + i, i + 1);
        }
        byte[] whole = db.bytes();
        List<byte[]> damaged = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            damaged.add(Arrays.copyOf(whole, 16 + i * (whole.length - 16) / 20));
        }
        Random random = new Random(7);
        for (int i = 0; i < 150; i++) {
            byte[] copy = whole.clone();
            for (int b = 0; b <= random.nextInt(40); b++) {
                int at = random.nextInt(3) == 0 ? random.nextInt(200) : random.nextInt(copy.length);
                copy[at] = (byte) random.nextInt(256);
            }
            damaged.add(copy);
        }
        int failed = 0;
        for (int i = 0; i < damaged.size(); i++) {
            Reading read = Reading.of("report.sqlite", damaged.get(i));
            Status status = read.outcome.status();
            failed += status == Status.FAILED ? 1 : 0;
            assertThat(status != Status.COMPLETE && read.outcome.problems().isEmpty())
                    .as("case %d: %s without a reason", i, status)
                    .isFalse();
        }
        assertThat(failed).isGreaterThan(15);
    }

    /** A small file that fills a disk is refused, and leaves nothing behind. */
    @Test
    void whatUnpacksToFarMoreThanAnyExportIsRefused() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
            zip.write("SQLite format 3\0".getBytes(StandardCharsets.US_ASCII));
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 80; i++) {
                zip.write(zeros);
            }
        }
        Reading read = Reading.of("report.sqlite.gz", packed.toByteArray());
        assertThat(read.outcome.status()).isEqualTo(Status.FAILED);
        assertThat(read.outcome.problems().getFirst().detail()).contains("unpacks to more than 64 MiB from");
    }

    /** Cut to 32 bits the device would be GPU 0. */
    @Test
    void aDeviceBeyondItsRangeIsNotAnothers() {
        Reading read = read(NsysDb.bare()
                .string(5, "gemm")
                .sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 350, 0, 7, 5)")
                .sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 350, 4294967296, 7, 5)"));
        assertThat(read.outcome.parts()).hasSize(2);
    }
}
