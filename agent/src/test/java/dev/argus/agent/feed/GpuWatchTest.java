package dev.argus.agent.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.NameKinds;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.FlightRecord;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Calls that launch work on a GPU: open until that has ended, whoever says so, and no longer. */
class GpuWatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int LANE = 0x80_0000;

    private final NameTable names = new NameTable();
    private final GpuWatch watch = new GpuWatch(new NameKinds(names), names);
    private final int launch = names.id("cudaLaunchKernel");
    private final int nccl = names.id("ncclDevKernel_AllReduce_Sum");
    private final int gemm = names.id("gemm");
    private long correlation = 1;

    private CollectiveCall call(String group, CollectiveOp op, long sequence, int peer) {
        return new CollectiveCall(op, names.id(group), sequence, 4, peer, 2, -1);
    }

    private CollectiveCall call(long sequence) {
        return call("dp", CollectiveOp.ALL_REDUCE, sequence, -1);
    }

    private void called(CollectiveCall call, long thread, long at) {
        watch.begun(call, -1, at);
        watch.called(new CpuSpan(SpanKind.OPERATOR, names.id("nccl"), 1, thread, at, 10, 0, call));
    }

    private long launched(long thread, long at) {
        watch.launched(new LaunchEvent(launch, ++correlation, 0, thread, at, 2));
        return correlation;
    }

    private void ended(long of, int name, long start, long end) {
        watch.ended(
                new GpuEvent(GpuActivity.KERNEL, name, 0, 7, start, end - start, of, 0, 0, CopyDirection.NONE, null));
    }

    /** A process with a GPU, of which something has been told. */
    private void heard() {
        ended(launched(1, 1), gemm, 2, 3);
    }

    private FlightRecord record(long now) {
        return Objects.requireNonNull(watch.record(0, 0, Map.of(), now));
    }

    private List<Long> open() {
        return record(9 * SECOND).calls().stream()
                .map(FlightRecord.Call::sequence)
                .toList();
    }

    private List<Boolean> begun() {
        return record(9 * SECOND).calls().stream()
                .map(FlightRecord.Call::started)
                .toList();
    }

    @Test
    void aCallIsOpenUntilItsKernelHasEnded() {
        heard();
        called(call(5), 1, 100);
        long kernel = launched(1, 105);
        long other = launched(1, 120);
        ended(other, gemm, 200, 300);
        assertThat(open()).containsExactly(5L);
        assertThat(record(9 * SECOND).statuses().getFirst().completed()).isEqualTo(-1);
        ended(kernel, nccl, 400, 500);
        assertThat(open()).isEmpty();
        assertThat(record(9 * SECOND).statuses().getFirst().completed()).isEqualTo(5);
    }

    @Test
    void anEndMayBeToldBeforeTheCallIsKnown() {
        heard();
        long kernel = launched(1, 105);
        ended(kernel, nccl, 110, 120);
        called(call(5), 1, 100);
        assertThat(open()).isEmpty();
    }

    @Test
    void whatRunsBehindALostEndEndsIt() {
        heard();
        for (int i = 1; i <= 4; i++) {
            called(call(i), 1, 100L * i);
        }
        called(call("tp", CollectiveOp.ALL_REDUCE, 9, -1), 1, 1000);
        ended(launched(1, 305), nccl, 5000, 6000);
        assertThat(open())
                .as("and what was called later, or elsewhere, goes on")
                .containsExactly(4L, 9L);
    }

    @Test
    void operationsOfOneBatchEndTogetherAndPairsCountByThemselves() {
        heard();
        CollectiveCall send = call("pp", CollectiveOp.SEND, 3, 1);
        CollectiveCall receive = call("pp", CollectiveOp.RECV, 7, 1);
        called(send, 1, 100);
        called(receive, 1, 100);
        called(call("pp", CollectiveOp.SEND, 4, 1), 1, 200);
        called(call("pp", CollectiveOp.SEND, 1, 2), 1, 300);
        ended(launched(1, 104), nccl, 400, 500);
        assertThat(record(9 * SECOND).calls())
                .extracting(c -> c.op() + " " + c.peer() + " " + c.sequence())
                .containsExactlyInAnyOrder("SEND 1 4", "SEND 2 1");
        ended(launched(1, 205), nccl, 500, 600);
        assertThat(record(9 * SECOND).calls())
                .extracting(FlightRecord.Call::peer)
                .containsExactly(2);
    }

    @Test
    void workOfALaterStepEndsWhatWasCalledBeforeTheOneBefore() {
        heard();
        TreeMap<Long, Long> steps = new TreeMap<>(Map.of(0L, 50L, 1L, 150L, 2L, 250L));
        called(call(1), 1, 100);
        called(call(2), 1, 200);
        ended(launched(1, 240), gemm, 300, 400);
        watch.passed(steps);
        assertThat(open()).as("it may run beside the next step").containsExactly(1L, 2L);
        ended(launched(1, 260), gemm, 400, 500);
        watch.passed(steps);
        assertThat(open()).containsExactly(2L);
    }

    /** Without CUPTI: the framework's events say that the GPU has reached the end of a step. */
    @Test
    void aMarkOfTheGpuEndsWhatWasCalledBeforeItsStep() {
        watch.reached(new StepMark(0, 50, 40, true));
        called(call(1), 1, 100);
        called(call(2), 1, 200);
        watch.reached(new StepMark(1, 150, 90, true));
        assertThat(open()).containsExactly(2L);
    }

    @Test
    void whoTellsNothingOfAGpuIsTakenAtItsWordAndSoIsWhatRunsOnALane() {
        called(call(1), 1, 100);
        assertThat(open()).isEmpty();
        heard();
        called(call(2), LANE, 200);
        assertThat(open()).isEmpty();
        called(call(3), 1, 300);
        assertThat(open()).containsExactly(3L);
        watch.stepBegun(100 * SECOND);
        called(call(4), 1, 100 * SECOND + 5);
        assertThat(open()).as("its GPU has not been recorded for a minute").isEmpty();
    }

    @Test
    void anEndThatMayBeLostLeavesNoCallOpenForEver() {
        watch.begun(call(1), -1, 100);
        watch.lost(200);
        watch.begun(call(2), -1, 300);
        watch.stepBegun(400);
        assertThat(open()).containsExactly(1L, 2L);
        watch.stepBegun(500);
        assertThat(open()).containsExactly(2L);
        Map<String, Long> aside = new TreeMap<>();
        watch.aside(aside);
        assertThat(aside).containsExactly(Map.entry("collective-end-unseen", 1L));
    }

    @Test
    void openCallsAreBoundedAndTheOldestAndTheNewestAreSaid() {
        heard();
        int most = InFlight.MOST_OPEN;
        for (int i = 1; i <= most + 100; i++) {
            called(call(i), 1, 100L * i);
        }
        assertThat(open()).hasSize(InFlight.MOST_SAID).startsWith(101L, 102L).endsWith(most + 99L, most + 100L);
        Map<String, Long> aside = new TreeMap<>();
        watch.aside(aside);
        assertThat(aside).containsEntry("collective-end-unseen", 100L);
    }

    // ---------------------------------------------------------------- what has begun

    @Test
    void onlyWhoHasToldEverythingSaysWhatHasNotBegun() {
        heard();
        called(call(1), 1, 100);
        called(call(2), 1, 200);
        launched(1, 105);
        launched(1, 205);
        assertThat(begun()).containsExactly(true, true);
        assertThat(record(9 * SECOND).lastNanos()).isZero();
        watch.reported(SECOND);
        assertThat(begun()).as("one behind the other").containsExactly(true, false);
        assertThat(record(9 * SECOND).lastNanos()).isEqualTo(SECOND);
        called(call(3), 1, 2 * SECOND);
        assertThat(begun()).as("nobody knows of what came since").containsExactly(true, true, true);
    }

    @Test
    void nothingHasBegunBehindOwnWorkThatDoesNotEnd() {
        heard();
        launched(1, 50);
        called(call(1), 1, 100);
        launched(1, 105);
        watch.reported(SECOND);
        assertThat(begun()).containsExactly(false);
        watch.lost(SECOND);
        assertThat(begun()).as("its end may be lost").containsExactly(true);
    }

    // ---------------------------------------------------------------- graphs

    private long graph(long at) {
        watch.launched(new LaunchEvent(names.id("cudaGraphLaunch"), ++correlation, 0, 1, at, 2));
        return correlation;
    }

    private void nodes(long of, long start, int... kernels) {
        for (int i = 0; i < kernels.length; i++) {
            ended(of, kernels[i], start + 10L * i, start + 10L * i + 5);
        }
    }

    private boolean told(long end) {
        return watch.told(0, end, end + 2 * SECOND);
    }

    @Test
    void aGraphHasEndedWithItsLastNodeAndAtFirstOnlyWhatRunsBehindItTellsWhichThatIs() {
        heard();
        int relu = names.id("relu");
        long first = graph(100);
        nodes(first, 200, gemm, relu);
        assertThat(told(500)).as("more may come").isFalse();
        nodes(first, 300, gemm);
        long second = graph(1000);
        nodes(second, 1100, relu);
        assertThat(told(500)).as("its stream has gone on").isTrue();
        nodes(second, 1200, gemm);
        assertThat(told(1500)).as("graphs that begin like this are not known").isFalse();

        long third = graph(2000);
        nodes(third, 2100, gemm, gemm);
        assertThat(told(2500)).as("a node is missing").isFalse();
        nodes(third, 2200, relu);
        assertThat(told(2500)).as("in whatever order").isTrue();
    }

    @Test
    void aCallBehindAGraphThatStopsHalfWayHasNotBegun() {
        heard();
        nodes(graph(100), 200, gemm, gemm);
        long second = graph(1000);
        nodes(second, 1100, gemm);
        called(call(1), 1, 1500);
        launched(1, 1505);
        watch.reported(SECOND);
        assertThat(begun()).containsExactly(false);
        nodes(second, 1200, gemm);
        assertThat(begun()).as("it came to what it came to before").containsExactly(true);
    }

    @Test
    void aGraphOfWhichItIsNotKnownWhetherItHasEndedAccusesNobody() {
        heard();
        nodes(graph(100), 200, gemm, gemm);
        called(call(1), 1, 500);
        launched(1, 505);
        watch.reported(SECOND);
        assertThat(begun()).containsExactly(true);
    }

    @Test
    void aGraphOfWhichNothingHasEndedHasNot() {
        heard();
        graph(100);
        called(call(1), 1, 500);
        launched(1, 505);
        watch.reported(SECOND);
        assertThat(begun()).containsExactly(false);
    }

    @Test
    void aGraphThatIsTheBeginningOfAnotherIsNoSignOfTheEnd() {
        heard();
        nodes(graph(100), 200, gemm);
        long longer = graph(1000);
        nodes(longer, 1100, gemm, gemm);
        assertThat(told(1500)).as("one more than the whole").isFalse();
        nodes(graph(2000), 2100, gemm);
        assertThat(told(1500)).isTrue();
        assertThat(told(2500)).as("which of the two is not known").isFalse();
    }

    @Test
    void aGraphToldAsAWholeHasEndedWithThat() {
        heard();
        nodes(graph(100), 200, names.id("CUDA graph 7"));
        assertThat(told(500)).isTrue();
    }

    @Test
    void openGraphsAreBounded() {
        heard();
        for (int i = 0; i < GraphLaunches.MOST + 5; i++) {
            graph(100 + i);
        }
        Map<String, Long> aside = new TreeMap<>();
        watch.aside(aside);
        assertThat(aside).containsExactly(Map.entry("kernel-end-unseen", 5L));
        watch.lost(SECOND);
        watch.aside(aside);
        assertThat(aside).containsEntry("kernel-end-unseen", 10L + GraphLaunches.MOST);
    }

    // ---------------------------------------------------------------- what has been told

    /** The CPU is far ahead: kernels of the step itself run after the step's end on the CPU. */
    @Test
    void aStepIsNotWholeWhileKernelsThatItLaunchedAreOpen() {
        heard();
        long first = launched(1, SECOND);
        long second = launched(1, SECOND + 1);
        long next = launched(1, 2 * SECOND + 1);
        ended(first, gemm, 3 * SECOND, 4 * SECOND);
        assertThat(watch.told(0, 2 * SECOND, 4 * SECOND)).isFalse();
        assertThat(watch.told(0, 2 * SECOND, 9 * SECOND)).isFalse();
        assertThat(watch.told(0, 2 * SECOND, 10 * SECOND))
                .as("others do not wait longer")
                .isTrue();
        assertThat(watch.lacks(2 * SECOND)).as("and it is not whole").isTrue();
        ended(second, gemm, 4 * SECOND, 5 * SECOND);
        assertThat(watch.told(0, 2 * SECOND, 5 * SECOND)).isTrue();
        assertThat(watch.lacks(2 * SECOND)).isFalse();
        ended(next, gemm, 5 * SECOND, 6 * SECOND);
    }

    @Test
    void aLostEndIsNotWaitedForOnceLaterWorkHasEnded() {
        heard();
        launched(1, SECOND);
        ended(launched(1, 2 * SECOND + 1), gemm, 3 * SECOND, 3 * SECOND + 5);
        assertThat(watch.told(0, 2 * SECOND, 3 * SECOND)).isFalse();
        assertThat(watch.told(0, 2 * SECOND, 4 * SECOND)).isTrue();
        assertThat(watch.lacks(2 * SECOND)).as("a launch without an end").isFalse();
    }

    @Test
    void aGpuThatEndsKernelsIsAtWorkThoughItsCpuIsSilent() {
        ended(launched(1, 1), gemm, 2 * SECOND, 8 * SECOND);
        assertThat(watch.workingSince(0, SECOND, 9 * SECOND)).isEqualTo(2 * SECOND);
        assertThat(watch.workingSince(0, 8 * SECOND, 9 * SECOND))
                .as("the CPU tells itself")
                .isZero();
        assertThat(watch.workingSince(0, SECOND, 14 * SECOND))
                .as("nothing since")
                .isZero();
    }
}
