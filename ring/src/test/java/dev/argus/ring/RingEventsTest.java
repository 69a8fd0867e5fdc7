package dev.argus.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.RankAssembler;
import dev.argus.digest.TraceEventSink;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.RankText;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import dev.argus.model.StepMark;
import dev.argus.model.TraceHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From records to the events of a rank. */
class RingEventsTest {
    private static final long OFFSET = 1_700_000_000_000_000_000L;

    @TempDir
    Path temp;

    private final NameTable names = new NameTable();
    private final RingIdentity identity = new RingIdentity();
    private final LaunchedCalls calls = new LaunchedCalls();
    private final Sink sink = new Sink();
    private final Marks marks = new Marks();

    private static final class Sink implements TraceEventSink {
        final List<GpuEvent> gpu = new ArrayList<>();
        final List<LaunchEvent> launches = new ArrayList<>();
        final List<CpuSpan> spans = new ArrayList<>();
        final List<StepMark> steps = new ArrayList<>();
        final List<String> quarantined = new ArrayList<>();

        @Override
        public void gpu(GpuEvent event) {
            gpu.add(event);
        }

        @Override
        public void launch(LaunchEvent event) {
            launches.add(event);
        }

        @Override
        public void span(CpuSpan span) {
            spans.add(span);
        }

        @Override
        public void step(StepMark mark) {
            steps.add(mark);
        }

        @Override
        public void quarantine(String reason) {
            quarantined.add(reason);
        }
    }

    private final class Marks implements RingMarks {
        final List<String> lines = new ArrayList<>();

        @Override
        public void stepBegun(long step, long start, int thread) {
            lines.add("step " + step + " " + (start - OFFSET) + " " + thread);
        }

        @Override
        public void stepWithoutSignals(long step) {
            lines.add("off " + step);
        }

        @Override
        public void spanBegun(int name, long start, int thread) {
            lines.add("span " + names.name(name) + " " + (start - OFFSET));
        }

        @Override
        public void subPhase(int name, int enclosing, int dimension) {
            lines.add("sub " + names.name(name) + " in " + names.name(enclosing) + " " + dimension);
        }

        @Override
        public void collectiveBegun(CollectiveCall call, int name, long start) {
            lines.add("begun " + names.name(call.group()) + " " + call.sequence() + " " + call.op() + " "
                    + names.name(name) + " " + (start - OFFSET));
        }

        @Override
        public void reported(long until) {
            lines.add("reported " + (until - OFFSET));
        }

        @Override
        public void lost(LossReason reason, long from, long to, long count) {
            lines.add("lost " + reason + " " + (from == 0 ? 0 : from - OFFSET) + " " + count);
        }
    }

    private RingEvents events(RingHeader header, TraceEventSink to) {
        return new RingEvents(header, names, new RingClock(header.clock()), identity, calls, to, marks);
    }

    @Test
    void theGoldenRingBecomesEvents() throws IOException {
        Path folder = Rings.folder(temp);
        RingFolder.prepare(folder);
        Path file = folder.resolve("4711-123456.simulated.ring");
        Files.write(file, Arrays.copyOf(Files.readAllBytes(GoldenScript.file("ring-1.bin")), 4096 + 32 * 1024));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        try (RingReader reader = RingReader.open(file, names, 1)) {
            reader.drain(events(reader.header(), sink), 1000);
        }

        assertThat(identity.traceHeader())
                .isEqualTo(new TraceHeader(
                        5,
                        16,
                        "host-7",
                        "",
                        List.of(new ProcessGroup(
                                "default_pg", "MESH_DP", 9, RankSet.of(0, 1, 2, 3, 4, 5, 6, 7, 12), true)),
                        "",
                        -1,
                        ""));
        assertThat(sink.steps).containsExactly(new StepMark(41200, OFFSET + 2000, 998000, false));
        assertThat(sink.quarantined).containsExactly("step-without-number");
        assertThat(sink.gpu).hasSize(7);
        assertThat(names.name(sink.gpu.get(5).name())).isEqualTo("Memcpy HtoD");
        assertThat(sink.gpu.get(5).bytes()).isEqualTo(8589934597L);
        assertThat(sink.gpu.getFirst().workItems()).isEqualTo(1 << 20);
        assertThat(sink.launches).hasSize(1);
        assertThat(sink.spans)
                .extracting(s -> s.kind() + " " + names.name(s.name()) + " " + s.process() + " " + s.thread() + " "
                        + (s.startNanos() - OFFSET) + " " + s.durationNanos() + " " + (s.collective() != null))
                .containsExactly(
                        "ANNOTATION forward 4711 4711 2100 500000 false",
                        "ANNOTATION self_attention 4711 4711 2200 400000 false",
                        "GPU_ANNOTATION forward 4711 7 2300 450000 false",
                        "ANNOTATION nccl:all_reduce 4711 4712 3500 250000 true",
                        "OPERATOR send_recv 4711 4711 3600 900 true");
        assertThat(marks.lines)
                .containsExactly(
                        "step 41200 2000 4711",
                        "sub self_attention in forward 1",
                        "begun default_pg 17 ALL_REDUCE nccl:all_reduce 3500",
                        "lost RING_FULL 3700 12",
                        "lost NOT_RECORDED 0 18446744073709");
    }

    /** Kernels in one ring, calls in the other: joined by the external id, else by the launch inside the call. */
    @Test
    void aKernelFindsTheCallThatLaunchedItAcrossTwoRings() throws IOException {
        RankAssembler assembler = new RankAssembler(names);
        RingHeader python = new RingHeader(0, RingHeader.PYTHON, 1024, 1, 9, 2, 1, 0, 0, 2, 0);
        RingHeader cupti = new RingHeader(0, RingHeader.CUPTI, 1024, 1, 9, 2, 1, 0, 0, 2, 0);
        try (RingWriter calling = RingWriter.create(Rings.folder(temp), python);
                RingWriter running = RingWriter.create(Rings.folder(temp), cupti);
                RingReader first = RingReader.open(calling.path(), names, 1);
                RingReader second = RingReader.open(running.path(), names, 1)) {
            int dp = calling.group(2, calling.name("dp"), 0, calling.name("0-1"), 2);
            int tp = calling.group(1, calling.name("tp"), 0, calling.name("0-1"), 2);
            calling.step(0, 1_000_000, 50_000_000, 1, 1);
            calling.collective(1, RingRecords.TIMES_OF_CALL, dp, 2_000_000, 10_000, 1, 500, -1, 1, 64, 7, 2, 0);
            calling.collective(2, RingRecords.TIMES_OF_CALL, tp, 4_000_000, 10_000, 1, 0, -1, 1, 32, 3, 2, 0);
            int launch = running.name("cudaLaunchKernel");
            int nccl = running.name("ncclDevKernel_Generic");
            int gemm = running.name("gemm");
            running.launch(launch, 1_900_000, 1000, 2, 41, 500); // not inside the call: only the id tells
            running.kernel(0, 0, nccl, 6_000_000, 100_000, 7, 41, 1);
            running.kernel(0, 0, gemm, 6_200_000, 100_000, 8, 41, 1);
            running.launch(launch, 4_001_000, 1000, 1, 42, 0); // no id: inside the call
            running.kernel(0, 0, nccl, 7_000_000, 100_000, 7, 42, 1);

            RingEvents pythonEvents = events(first.header(), assembler);
            first.drain(pythonEvents, 100);
            second.drain(events(second.header(), assembler), 100);
        }
        List<StepDigest> digests = new ArrayList<>();
        assembler.finish(0, false, digests::add, (step, name, stream, start, duration, work) -> {});
        assertThat(digests).hasSize(1);
        assertThat(digests.getFirst().collectives())
                .extracting(CollectiveStat::op, c -> names.name(c.group()), CollectiveStat::sequence)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(CollectiveOp.ALL_REDUCE, "dp", 7L),
                        org.assertj.core.groups.Tuple.tuple(CollectiveOp.ALL_GATHER, "tp", 3L));
    }

    /** Rings are read one after the other: the launch may be known before the call. */
    @Test
    void theCallMayBeReadAfterTheLaunch() {
        LaunchedCalls joined = new LaunchedCalls();
        int python = joined.newRing();
        int cupti = joined.newRing();
        CollectiveCall call = new CollectiveCall(CollectiveOp.BARRIER, 1, 2, 3, -1, 2, -1);
        joined.launched(cupti, 41, 500);
        joined.launched(cupti, 42, 0);
        joined.stated(python, 500, call);
        assertThat(joined.of(cupti, 41)).isEqualTo(call);
        assertThat(joined.of(cupti, 42)).isNull();
        joined.launched(cupti, 43, 500);
        assertThat(joined.of(cupti, 43)).isEqualTo(call);
    }

    @Test
    void whatHasBeenReportedIsATimeOfTheHost() throws IOException {
        try (RingWriter ring = RingWriter.create(Rings.folder(temp), Rings.header(1024));
                RingReader reader = RingReader.open(ring.path(), names, 1)) {
            ring.clock(1000, 1000, OFFSET + 1000);
            assertThat(ring.reported(5000)).isTrue();
            assertThat(ring.reported(-1)).as("written as any producer may").isTrue();
            reader.drain(events(reader.header(), sink), 100);
        }
        assertThat(marks.lines).containsExactly("reported 5000");
    }

    @Test
    void hostileNumbersAreQuarantinedOrUnknown() {
        RingEvents events = events(Rings.header(1024), sink);
        events.span(0, 0, 0, 0, 1, 1, 1, -1, 0);
        events.span(6, 255, 255, 0, 1, 1, 1, -1, 0);
        events.step(255, 1, 1, 1, Long.MIN_VALUE);
        events.copy(255, 255, 1, 1, 1, 1, 1, 255);
        events.collective(255, 0, -5, 1, 1, 1, 1, -1, -9, -1, -1, -1, -1);
        events.group(255, -7, -1, -1, -1, -1);
        events.identity(255, -1, Long.MIN_VALUE);
        events.identity(1, -1, Long.MAX_VALUE);
        events.identity(3, -1, -5);
        events.clock(-1, -1, -1);
        events.loss(LossReason.DRIVER, Long.MIN_VALUE, Long.MAX_VALUE, 1);
        assertThat(sink.quarantined)
                .containsExactly("unknown-span-kind", "unknown-span-kind", "step-without-number", "impossible-clock");
        assertThat(sink.spans.getLast().kind()).isEqualTo(SpanKind.OPERATOR);
        assertThat(sink.spans.getLast().collective())
                .isEqualTo(new CollectiveCall(CollectiveOp.UNKNOWN, -1, -1, -1, -1, -1, -1));
        assertThat(identity.rank()).isEqualTo(3);
        assertThat(identity.unknownFacts()).isEqualTo(1);
        assertThat(marks.lines).containsExactly("lost DRIVER 0 1");
    }

    @Test
    void ranksAsText() {
        assertThat(RankText.parse("0-7,16")).isEqualTo(RankSet.of(0, 1, 2, 3, 4, 5, 6, 7, 16));
        assertThat(RankText.parse("3")).isEqualTo(RankSet.of(3));
        for (String bad : List.of("", "-1", "1-", "3-1", "a", "1,,2", "0-99999999", "0-1048576", "1 2", "1…#00")) {
            assertThat(RankText.parse(bad)).as(bad).isNull();
        }
        assertThat(RankText.parse("0-1048575")).isNotNull();
    }
}
