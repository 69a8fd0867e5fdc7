package dev.argus.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import dev.argus.model.StepMark;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Events that are forgotten step by step give the digests of all of them, and no more than a step stays. */
class KeptEventsTest {
    private static final int STEPS = 40;
    private static final int KERNELS = 300;
    private static final long STEP = 1_000_000;
    private static final long BEGIN = 1_700_000_000_000_000_000L;

    private final NameTable names = new NameTable();
    private final int launch = names.id("cudaLaunchKernel");
    private final int work = names.id("gemm");
    private final int nccl = names.id("ncclDevKernel_AllReduce_Sum_f32");
    private final int[] groups = {names.id("tp"), names.id("dp")};

    /** A kernel in every tenth place is a collective; the last of a step ends in the next one, and its launch lies at its very end. */
    private void step(long step, Consumer<GpuEvent> gpu, Consumer<LaunchEvent> launches, Consumer<CpuSpan> spans) {
        long begin = BEGIN + step * STEP;
        for (int k = 0; k < KERNELS; k++) {
            long at = begin + 1000 + k * (STEP / KERNELS);
            long correlation = 1 + step * KERNELS + (k ^ 1); // not quite in their order
            boolean collective = k % 10 == 9;
            CollectiveCall call = collective
                    ? new CollectiveCall(CollectiveOp.ALL_REDUCE, groups[k / 10 % 2], step * 30 + k / 10, 64, -1, 8, -1)
                    : null;
            launches.accept(new LaunchEvent(launch, correlation, 0, 1, at - 500, 100));
            gpu.accept(new GpuEvent(
                    GpuActivity.KERNEL,
                    collective ? nccl : work,
                    0,
                    collective ? 20 : 7,
                    at,
                    k == KERNELS - 1 ? STEP / 50 : 2000 + 7 * (k % 5),
                    correlation,
                    64,
                    0,
                    CopyDirection.NONE,
                    call));
        }
        spans.accept(new CpuSpan(SpanKind.ANNOTATION, names.id("forward"), 1, 1, begin + 10, STEP / 2, 0, null));
    }

    private static StepMark mark(long step) {
        return new StepMark(step, BEGIN + step * STEP, STEP - 100, false);
    }

    @Test
    void digestsAreThoseOfTheWholeRecord() {
        RankAssembler whole = new RankAssembler(names);
        KeptEvents kept = new KeptEvents(new NameKinds(names));
        List<StepDigest> cut = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        for (long step = 0; step < STEPS; step++) {
            step(step, whole::gpu, whole::launch, whole::span);
            whole.step(mark(step));
            step(step, kept::gpu, kept::launch, kept::span);
            if (step > 0) {
                long last = step - 1;
                List<StepMark> marks =
                        last == 0 ? List.of(mark(0), mark(1)) : List.of(mark(last - 1), mark(last), mark(step));
                long end = BEGIN + step * STEP;
                kept.assemble(
                        0,
                        marks,
                        end,
                        d -> {
                            if (d.step() == last) {
                                cut.add(d);
                            }
                        },
                        (a, b, c, d, e, f) -> {});
                kept.forget(BEGIN + last * STEP, end);
                sizes.add(kept.size());
            }
        }
        List<StepDigest> expected = new ArrayList<>();
        whole.finish(0, false, expected::add, (a, b, c, d, e, f) -> {});
        assertThat(cut).containsExactlyElementsOf(expected.subList(0, STEPS - 1));
        assertThat(cut.get(5).collectives()).hasSize(30);
        assertThat(sizes)
                .as("a step of kernels and launches and a little of the one before")
                .allMatch(n -> n >= 2 * KERNELS && n <= 2 * KERNELS + 20);
    }

    @Test
    void roomOfALongStepIsGivenBack() {
        Chunks rows = new Chunks(2);
        for (int i = 0; i < 50_000; i++) {
            long[] to = rows.append();
            to[rows.at()] = i;
            to[rows.at() + 1] = -i;
        }
        rows.copy(49_999, 3);
        rows.truncate(4);
        assertThat(rows.column(0)).containsExactly(0, 1, 2, 49_999);
        for (int i = 4; i < 30_000; i++) {
            long[] to = rows.append();
            to[rows.at()] = 2L * i;
            to[rows.at() + 1] = i;
        }
        assertThat(rows.size()).isEqualTo(30_000);
        assertThat(rows.get(29_999, 0)).isEqualTo(59_998);
        assertThat(rows.get(3, 1)).isEqualTo(-49_999);
    }
}
