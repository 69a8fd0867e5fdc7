package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CpuSpan;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Timelines of operations: two replicas of two stages. */
class TimelineTest {
    private static String op(String name, int dp, int thread, int ts, int dur, String mb) {
        return "{'name':'" + name + "','cat':'" + name + "','pid':" + dp + ",'tid':" + thread + ",'ts':" + ts
                + ".5,'dur':" + dur + ",'ph':'X','args':{'step':23,'model_chunk':-1,'mb_id':" + mb + ",'seq_id':0}}";
    }

    private static String timeline(String mb) {
        List<String> events = new ArrayList<>();
        for (int dp = 0; dp < 2; dp++) {
            events.add(op("forward-compute", dp, dp, 10, 20, mb));
            events.add(op("forward-send", dp, dp, 30, 5, mb));
            events.add(op("forward-recv", dp, dp + 2, 30, 5, mb));
            events.add(op("grads-reduce-scatter", dp, dp + 2, 40, 9, mb));
            events.add(op("embedding-grads-all-reduce", dp, dp + 2, 50, 9, mb));
        }
        for (int thread = 0; thread < 4; thread++) {
            events.add("{'name':'thread_name','pid':" + thread % 2 + ",'tid':" + thread
                    + ",'ph':'M','args':{'name':'PP rank " + thread / 2 + ", TP rank 0, compute'}}");
        }
        events.add("{'name':'process_name','pid':0,'ph':'M','args':{'name':'DP rank [0]'}}");
        events.add("{'name':'process_name','pid':1,'ph':'M','args':{'name':'DP rank [1]'}}");
        return "[" + String.join(",", events) + "]";
    }

    @Test
    void workersAreRanksInTheOrderOfTheirThreads() {
        Reading read = Reading.of(timeline("0"));
        assertThat(read.outcome.format()).isEqualTo("op-timeline");
        assertThat(read.outcome.parts()).extracting(Part::part).containsExactly(0, 1, 2, 3);
        assertThat(read.outcome.parts()).extracting(p -> p.header().rank()).containsExactly(0, 1, 2, 3);
        assertThat(read.outcome.parts().get(3).label()).isEqualTo("rank0.json#pp1-dp1");
        assertThat(read.header().worldSize()).isEqualTo(4);
        assertThat(read.header().groups().get(1).ranks()).isEqualTo(RankSet.of(0, 1));
        assertThat(read.header().groups().get(2).ranks()).isEqualTo(RankSet.of(0, 2));
        assertThat(read.steps).hasSize(4);
        assertThat(read.steps.getFirst().durationNanos()).isEqualTo(25_000);
    }

    @Test
    void bothEndsOfATransferAgree() {
        Reading read = Reading.of(timeline("0"));
        CollectiveCall send = call(read, "forward-send");
        CollectiveCall recv = call(read, "forward-recv");
        assertThat(send.op()).isEqualTo(CollectiveOp.SEND);
        assertThat(recv.op()).isEqualTo(CollectiveOp.RECV);
        assertThat(send.sequence()).isEqualTo(recv.sequence());
        assertThat(send.group()).isEqualTo(recv.group());
        assertThat(send.peer()).isEqualTo(2);
        assertThat(recv.peer()).isZero();
        assertThat(read.names.name(call(read, "embedding-grads-all-reduce").members()))
                .isEqualTo("[0, 2]");
        assertThat(read.names.name(call(read, "grads-reduce-scatter").members()))
                .isEqualTo("[2, 3]");
    }

    @Test
    void simulatedTimelinesAreIgnored() {
        assertThat(Reading.of(timeline("null")).outcome.status()).isEqualTo(Status.IGNORED);
    }

    @Test
    void cutBeforeItsThreadNamesItFails() {
        String whole = timeline("0");
        Reading cut = Reading.of(whole.substring(0, whole.indexOf("{'name':'thread_name'")));
        assertThat(cut.outcome.status()).isEqualTo(Status.FAILED);
    }

    private static CollectiveCall call(Reading read, String name) {
        CpuSpan span = read.spans.stream()
                .filter(s -> read.name(s).equals(name))
                .findFirst()
                .orElseThrow();
        return Objects.requireNonNull(span.collective());
    }
}
