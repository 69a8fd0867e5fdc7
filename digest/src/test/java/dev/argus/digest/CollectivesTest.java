package dev.argus.digest;

import static dev.argus.digest.Timeline.NO_LAUNCH;
import static dev.argus.digest.Timeline.nameless;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.GroupUse;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who a collective is: operation, group and place in it. */
class CollectivesTest {
    private static List<String> calls(Timeline t, StepDigest d) {
        return d.collectives().stream()
                .map(c -> c.op() + " " + t.names.name(c.group()).replace("\0unnamed communicator ", "?") + "#"
                        + c.sequence())
                .toList();
    }

    @Test
    void k16AKernelWithoutArgumentsIsTheCallAroundItsLaunch() {
        Timeline t = new Timeline().mark(0, 0, 1_000);
        t.span(SpanKind.OPERATOR, "record_param_comms", 100, 200, t.call(CollectiveOp.ALL_GATHER, "tp", 12))
                .kernel("ncclDevKernel_Generic", 20, 300, 400, 150)
                .kernel("ncclDevKernel_Generic", 20, 500, 600, 100, nameless(CollectiveOp.UNKNOWN))
                .kernel("ncclDevKernel_Generic", 20, 600, 700, 200)
                .kernel("ncclDevKernel_Generic", 20, 700, 800, NO_LAUNCH)
                .finish();
        assertThat(calls(t, t.step(0)))
                .containsExactly("ALL_GATHER tp#12", "ALL_GATHER tp#12", "UNKNOWN ?0#-1", "UNKNOWN ?0#-1");
    }

    @Test
    void whatTheKernelSaysWinsAndTheInnermostCallIsNearest() {
        Timeline t = new Timeline().mark(0, 0, 1_000);
        t.span(SpanKind.OPERATOR, "c10d::allreduce_", 100, 200, t.call(CollectiveOp.ALL_REDUCE, "outer", 1))
                .span(SpanKind.OPERATOR, "record_param_comms", 120, 180, t.call(CollectiveOp.ALL_REDUCE, "inner", 2))
                .span(SpanKind.GPU_ANNOTATION, "nccl:all_reduce", 150, 152, t.call(CollectiveOp.REDUCE, "shadow", 3))
                .kernel("ncclDevKernel_Generic", 20, 300, 400, 151)
                .kernel("ncclDevKernel_Generic", 20, 500, 600, 151, t.call(CollectiveOp.BROADCAST, "own", 4))
                .finish();
        assertThat(calls(t, t.step(0))).containsExactly("ALL_REDUCE inner#2", "BROADCAST own#4");
        int inner = t.names.id("inner");
        int own = t.names.id("own");
        assertThat(t.trace().groups())
                .containsExactly(new GroupUse(inner, -1, 8, 1, false), new GroupUse(own, -1, 8, 1, false));
    }

    @Test
    void theNameTellsTheOperationWhenTheCallDoesNot() {
        Timeline t = new Timeline()
                .mark(0, 0, 1_000)
                .kernel("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL", 20, 300, 400, 10)
                .kernel("ncclDevKernel_SendRecv", 21, 500, 600, 10, nameless(CollectiveOp.UNKNOWN))
                .finish();
        assertThat(calls(t, t.step(0))).containsExactly("REDUCE_SCATTER ?0#-1", "SEND_RECV ?1#-1");
        assertThat(t.step(0).collectives().get(1).bytes()).isEqualTo(4_096);
        assertThat(t.trace().groups())
                .as("one unnamed communicator a stream")
                .extracting(GroupUse::calls)
                .containsExactly(1L, 1L);
    }

    @Test
    void aCollectiveThatStartsAtOnceWasWaitingInItsStream() {
        Timeline t = new Timeline()
                .mark(0, 0, 1_000)
                .kernel("ncclDevKernel_Generic", 20, 100, 200, 10)
                .kernel("ncclDevKernel_Generic", 20, 204, 300, 10)
                .kernel("ncclDevKernel_Generic", 21, 301, 400, 10)
                .kernel("ncclDevKernel_Generic", 20, 305, 400, 10)
                .finish();
        assertThat(t.step(0).collectives())
                .extracting(CollectiveStat::queued)
                .containsExactly(false, true, false, false);
    }

    @Test
    void k12WithoutAGpuPhasesAndCollectivesOfTheCpuRemain() {
        Timeline t = new Timeline().mark(0, 0, 1_000).mark(1, 1_000, 2_000);
        t.span("forward", 100, 500)
                .span(SpanKind.OPERATOR, "gloo:all_reduce", 300, 400, t.call(CollectiveOp.ALL_REDUCE, "dp", 5))
                .span(SpanKind.OPERATOR, "record_param_comms", 310, 390, t.call(CollectiveOp.ALL_REDUCE, "dp", 5))
                .finish();
        assertThat(t.trace().gpu()).isFalse();
        assertThat(t.step(0).gpu()).isFalse();
        assertThat(calls(t, t.step(0)))
                .as("a wrapper and what it wraps are one call")
                .containsExactly("ALL_REDUCE dp#5");
        assertThat(t.own(0)).isEqualTo("300+0+100+0/0");
        assertThat(t.step(0).phases()).containsExactly(new PhaseTime(Phase.FORWARD, 300_000, 300_000));
        assertThat(t.step(1).collectives()).isEmpty();
    }
}
