package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.StackRecord;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Public files of what people have beside traces, against facts that scripts of their own found in them. */
@Requires(Need.SHARED)
class PublicSideFilesTest {
    @ParameterizedTest
    @CsvSource({
        "alternating.txt, 182, 2, 0",
        "recursion.txt, 10, 7, 0",
        "simple-utf16-be.txt, 14, 3, 0",
        "simple-with-invalids.txt, 14, 3, 1",
        "tall.txt, 1, 1, 0",
    })
    void collapsedStacks(String file, long samples, int distinct, int problems) {
        Reading read = Reading.of(Shared.path("data/speedscope_edge/stackcollapse/" + file));
        assertThat(read.outcome.format()).isEqualTo("collapsed");
        StackRecord record = (StackRecord) read.outcome.records().getFirst();
        assertThat(record.samples()).isEqualTo(samples);
        assertThat(record.stacks()).hasSize(distinct);
        assertThat(read.outcome.problems()).hasSize(problems);
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.1/simple-no-pretty-print.speedscope.json, 14",
        "0.1.2/simple-sampled.speedscope.json, 14000000",
        "invalid/incomplete-trace.json, 100",
    })
    void speedscope(String file, long samples) {
        Reading read = Reading.of(Shared.path("data/speedscope_edge/speedscope/" + file));
        assertThat(read.outcome.format()).isEqualTo("speedscope");
        assertThat(((StackRecord) read.outcome.records().getFirst()).samples()).isEqualTo(samples);
    }

    @Test
    void dumpsOfRealHangs() {
        Reading one = Reading.of(Shared.path("data/bloom_pyspy/eval_hang_2022-05-18/dumps_expanded.txt"));
        assertThat(one.outcome.records()).hasSize(1);
        StackRecord record = (StackRecord) one.outcome.records().getFirst();
        assertThat(record.stacks().getFirst().active()).isFalse();
        assertThat(IntStream.of(record.stacks().getFirst().frames()).mapToObj(one.names::name))
                .hasSize(17)
                .startsWith("wait (threading.py:306)", "get (queue.py:179)")
                .endsWith("<module> (pretrain_gpt.py:249)");
        Reading two = Reading.of(Shared.path("data/bloom_pyspy/total_loss_hang/dumps_expanded.txt"));
        assertThat(two.outcome.records())
                .extracting(r ->
                        two.names.name(((StackRecord) r).stacks().getFirst().frames()[0]))
                .containsExactly(
                        "train (megatron/training.py:915)", "broadcast (torch/distributed/distributed_c10d.py:1191)");
    }
}
