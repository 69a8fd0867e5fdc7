package dev.argus.agent.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.AssembledTrace;
import dev.argus.digest.RankAssembler;
import dev.argus.digest.StallWords;
import dev.argus.digest.TraceEventSink;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.FlightRecord;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.RankState;
import dev.argus.model.RankState.ProcessState;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import dev.argus.model.StepMark;
import dev.argus.model.TraceHeader;
import dev.argus.simulator.KinetoOutput;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Wish;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceInputs;
import dev.argus.trace.TraceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same events, as a recording and as they come. */
class RankFeedTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    /** An event and when it is known. */
    private record Known(long nanos, Consumer<RankFeed> give, Consumer<TraceEventSink> record) {}

    private final NameTable names = new NameTable();

    private static TraceHeader header(List<ProcessGroup> groups) {
        return new TraceHeader(0, 2, "n1", "gloo", groups, "", -1, "");
    }

    /** A feed with steps of a second that end at these seconds, and the begin of the next. */
    private RankFeed steps(long firstNumber, int firstEnd, int lastEnd) {
        RankFeed feed = new RankFeed(0, 0, header(List.of()), names);
        for (int end = firstEnd; end <= lastEnd; end++) {
            feed.stepBegun(firstNumber + end - firstEnd, (end - 1) * SECOND);
            feed.step(new StepMark(firstNumber + end - firstEnd, (end - 1) * SECOND, SECOND, false));
        }
        feed.stepBegun(firstNumber + lastEnd - firstEnd + 1, lastEnd * SECOND);
        return feed;
    }

    private static List<Long> cut(RankFeed feed, int atSecond) {
        return feed.cut(atSecond * SECOND).steps().stream()
                .map(s -> s.digest().step())
                .toList();
    }

    @Test
    void aProcessThatJoinsAJobCountsOnFromTheOthers() {
        RankFeed others = steps(500, 101, 110);
        assertThat(cut(others, 111)).hasSize(10);
        RankFeed joined = steps(0, 108, 110);
        joined.joins(others::endedNear);
        joined.notRecorded(1);
        assertThat(cut(joined, 111)).containsExactly(507L, 508L, 509L);
        joined.step(new StepMark(3, 110 * SECOND, SECOND, false));
        joined.stepBegun(4, 111 * SECOND);
        assertThat(cut(joined, 112)).containsExactly(510L);
        assertThat(joined.newestStep()).isEqualTo(511);
    }

    @Test
    void aProcessThatCountsOnByItselfKeepsItsNumbersAndSoDoesOneWithoutOthers() {
        RankFeed others = steps(500, 101, 110);
        RankFeed itself = steps(507, 108, 110);
        itself.joins(others::endedNear);
        assertThat(cut(itself, 111)).containsExactly(507L, 508L, 509L);
        RankFeed alone = steps(0, 108, 110);
        alone.joins(end -> null);
        assertThat(cut(alone, 111)).containsExactly(0L, 1L, 2L);
    }

    @Test
    void stepsCutAsTheyEndAreThoseOfTheWholeRecording(@TempDir Path folder) throws Exception {
        KinetoOutput.write(
                Simulation.run(Scenarios.draw(
                        Wish.of(5, ScenarioKind.COMPUTE).maxRanks(8).stepCount(12))),
                folder);
        TraceFile file = TraceInputs.find(List.of(folder)).files().getFirst();
        List<Known> events = read(file);
        RankAssembler whole = new RankAssembler(names);
        events.forEach(e -> e.record().accept(whole));
        List<StepDigest> expected = new ArrayList<>();
        AssembledTrace trace = whole.finish(0, false, expected::add, (a, b, c, d, e, f) -> {});

        RankFeed feed = new RankFeed(0, 0, header(List.of()), names);
        List<RankStep> steps = new ArrayList<>();
        events.sort(Comparator.comparingLong(Known::nanos));
        long cutNanos = events.getFirst().nanos();
        for (Known e : events) {
            for (; cutNanos < e.nanos(); cutNanos += 20 * MILLI) {
                steps.addAll(feed.cut(cutNanos).steps());
            }
            e.give().accept(feed);
        }
        steps.addAll(feed.cut(Long.MAX_VALUE).steps());
        assertThat(expected).hasSizeGreaterThan(8);
        assertThat(steps)
                .as("all but the last, which nothing ends")
                .extracting(s -> s.digest())
                .containsExactlyElementsOf(expected.subList(0, expected.size() - 1));
        assertThat(steps)
                .allMatch(s -> s.kernels() != null
                        && s.kernels().window() == s.digest().step());
        assertThat(trace.gpu()).isTrue();
    }

    private List<Known> read(TraceFile file) {
        List<Known> events = new ArrayList<>();
        TraceReader.read(
                file,
                names,
                part -> new TraceEventSink() {
                    @Override
                    public void gpu(GpuEvent e) {
                        events.add(new Known(e.endNanos(), f -> f.gpu(e), s -> s.gpu(e)));
                    }

                    @Override
                    public void launch(LaunchEvent e) {
                        events.add(new Known(e.startNanos() + e.durationNanos(), f -> f.launch(e), s -> s.launch(e)));
                    }

                    @Override
                    public void span(CpuSpan e) {
                        events.add(new Known(e.endNanos(), f -> f.span(e), s -> s.span(e)));
                    }

                    @Override
                    public void step(StepMark m) {
                        if (m.onGpu()) {
                            return;
                        }
                        events.add(new Known(m.startNanos(), f -> f.stepBegun(m.step(), m.startNanos()), s -> {}));
                        events.add(new Known(m.endNanos(), f -> f.step(m), s -> s.step(m)));
                    }

                    @Override
                    public void quarantine(String reason) {}
                },
                n -> {});
        return events;
    }

    // ---------------------------------------------------------------- a rank without GPU

    private RankFeed feed() {
        return new RankFeed(
                3, 0, header(List.of(new ProcessGroup("0", "default_pg", 2, RankSet.range(0, 1), true))), names);
    }

    private static void step(RankFeed feed, long step) {
        long start = SECOND * (step + 1);
        feed.stepBegun(step, start);
        feed.step(new StepMark(step, start, SECOND, false));
    }

    private CollectiveCall call(long sequence) {
        return new CollectiveCall(CollectiveOp.ALL_REDUCE, names.id("0"), sequence, 4, -1, 2, -1);
    }

    @Test
    void aStepIsCutWhenTheNextHasBegunAndItsLateEventsAreHere() {
        RankFeed feed = feed();
        step(feed, 0);
        assertThat(feed.cut(10 * SECOND).steps()).as("nothing ends it").isEmpty();
        feed.stepBegun(1, 2 * SECOND);
        assertThat(feed.cut(2 * SECOND + GpuWatch.CPU_SETTLE_NANOS - 1).steps()).isEmpty();
        Cut cut = feed.cut(2 * SECOND + GpuWatch.CPU_SETTLE_NANOS);
        assertThat(cut.steps()).extracting(s -> s.digest().step()).containsExactly(0L);
        assertThat(cut.steps().getFirst().digest().attempt()).isEqualTo(3);
        assertThat(cut.declaration()).isNotNull();
        assertThat(feed.cut(3 * SECOND).steps()).as("once").isEmpty();
        assertThat(feed.cut(3 * SECOND).declaration()).as("said once").isNull();
    }

    @Test
    void stepsOfWhichRecordsAreMissingArePartial() {
        RankFeed feed = feed();
        for (int i = 0; i < 4; i++) {
            step(feed, i);
        }
        feed.lost(SECOND * 2 + 1, SECOND * 2 + 2);
        feed.notRecorded(2);
        assertThat(feed.cut(20 * SECOND).steps())
                .extracting(s -> s.digest().step() + " " + s.digest().partial())
                .containsExactly("0 false", "1 true", "2 true");
    }

    /** A rank with a GPU: one kernel in each step, told or not. */
    private void gpuStep(RankFeed feed, long step, boolean told) {
        long start = SECOND * (step + 1);
        feed.stepBegun(step, start);
        feed.launch(new LaunchEvent(names.id("cudaLaunchKernel"), step + 1, 1, 1, start + MILLI, 1000));
        feed.step(new StepMark(step, start, SECOND, false));
        if (told) {
            feed.gpu(new GpuEvent(
                    GpuActivity.KERNEL,
                    names.id("gemm"),
                    0,
                    7,
                    start + 2 * MILLI,
                    900 * MILLI,
                    step + 1,
                    0,
                    0,
                    CopyDirection.NONE,
                    null));
        }
    }

    @Test
    void aStepWhoseKernelsAreWaitedForInVainIsNotIdle() {
        RankFeed feed = feed();
        for (int i = 0; i < 4; i++) {
            gpuStep(feed, i, i < 2);
        }
        List<String> cut = new ArrayList<>();
        for (long now = 5; now < 20; now++) {
            feed.cut(now * SECOND)
                    .steps()
                    .forEach(s -> cut.add(s.digest().step() + " " + s.digest().partial()));
        }
        assertThat(cut).containsExactly("0 false", "1 false", "2 true");
    }

    /** The agent was stopped, and with it the machine: what waits in rings and buffers is told after it looks again. */
    @Test
    void aPauseOfTheAgentIsNoWait() {
        RankFeed feed = feed();
        for (int i = 0; i < 4; i++) {
            gpuStep(feed, i, i < 2);
        }
        assertThat(cut(feed, 5)).containsExactly(0L, 1L);
        assertThat(cut(feed, 3000)).as("it has not listened").isEmpty();
        gpuStep(feed, 2, true);
        gpuStep(feed, 3, true);
        gpuStep(feed, 4, true);
        assertThat(feed.cut(3001 * SECOND).steps())
                .extracting(s -> s.digest().step() + " " + s.digest().partial())
                .containsExactly("2 false", "3 false");
    }

    @Test
    void whatIsOpenIsAFlightRecord() {
        RankFeed feed = feed();
        assertThat(feed.flight(SECOND)).isNull();
        feed.collectiveBegun(call(16), -1, SECOND);
        feed.span(new CpuSpan(SpanKind.ANNOTATION, names.id("gloo:all_reduce"), 1, 1, SECOND, 5, 0, call(16)));
        feed.collectiveBegun(call(17), names.id("all_reduce"), 2 * SECOND);
        FlightRecord open = feed.flight(3 * SECOND);
        assertThat(open).isNotNull();
        assertThat(open.calls()).extracting(FlightRecord.Call::sequence).containsExactly(17L);
        assertThat(open.statuses()).containsExactly(new FlightRecord.Status(0, 0, 16, 17, 16, false));
        assertThat(open.groups().getFirst().members()).isEqualTo(RankSet.range(0, 1));
        assertThat(names.name(open.groups().getFirst().label())).isEqualTo("default_pg");
    }

    @Test
    void whatTheRankDoesIsKnown() {
        RankFeed feed = feed();
        step(feed, 0);
        assertThat(feed.state(ProcessState.ALIVE, 0, 9).inStep()).isFalse();
        feed.stepBegun(1, 2 * SECOND);
        feed.spanBegun(names.id("forward"), 2 * SECOND + 1);
        feed.spanBegun(names.id("mlp"), 2 * SECOND + 2);
        RankState in = feed.state(ProcessState.STOPPED, 0, 9 * SECOND);
        assertThat(in)
                .isEqualTo(new RankState(
                        3,
                        0,
                        9 * SECOND,
                        ProcessState.STOPPED,
                        2 * SECOND + 2,
                        1,
                        2 * SECOND,
                        0,
                        2 * SECOND,
                        names.id("mlp"),
                        2 * SECOND + 2));
        feed.span(new CpuSpan(SpanKind.ANNOTATION, names.id("forward"), 1, 1, 2 * SECOND + 1, 10, 0, null));
        assertThat(feed.state(ProcessState.ALIVE, 0, 9 * SECOND).doing())
                .as("what was never ended inside it has ended with it")
                .isEqualTo(-1);
    }

    @Test
    void aMainThreadThatRunsIsAtWorkUnlessACollectiveIsOpen() {
        RankFeed feed = feed();
        step(feed, 0);
        RankState working = feed.state(ProcessState.ALIVE, 5 * SECOND, 9 * SECOND);
        assertThat(names.name(working.doing())).isEqualTo(StallWords.WORKING);
        assertThat(working.doingSinceNanos()).isEqualTo(5 * SECOND);
        assertThat(feed.state(ProcessState.ALIVE, 0, 9 * SECOND).doing())
                .as("it sleeps")
                .isEqualTo(-1);
        feed.collectiveBegun(call(17), names.id("all_reduce"), 6 * SECOND);
        assertThat(feed.state(ProcessState.ALIVE, 5 * SECOND, 9 * SECOND).doing())
                .as("it spins")
                .isEqualTo(-1);
    }

    @Test
    void stepsCountedAnewAreCutAnew() {
        RankFeed feed = feed();
        for (long i = 50; i < 53; i++) {
            step(feed, i);
        }
        assertThat(feed.cut(9_000 * SECOND).steps()).hasSize(2);
        for (long i = 0; i < 3; i++) {
            long start = (9_000 + i) * SECOND;
            feed.stepBegun(i, start);
            feed.step(new StepMark(i, start, SECOND, false));
        }
        assertThat(feed.cut(9_010 * SECOND).steps())
                .extracting(s -> s.digest().step())
                .containsExactly(0L, 1L);
    }

    @Test
    void groupsMetLaterAreDeclared() {
        RankFeed feed = feed();
        for (int i = 0; i < 3; i++) {
            step(feed, i);
        }
        assertThat(feed.cut(20 * SECOND).declaration()).isNotNull();
        feed.span(new CpuSpan(SpanKind.ANNOTATION, names.id("gloo:all_reduce"), 1, 1, 3 * SECOND + 5, 5, 0, call(1)));
        step(feed, 3);
        var declared = feed.cut(20 * SECOND).declaration();
        assertThat(declared).isNotNull();
        assertThat(declared.groups()).extracting(g -> g.calls()).containsExactly(1L);
        assertThat(feed.aside()).isEqualTo(Map.of());
    }
}
