package dev.argus.trace.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.SpanKind;
import dev.argus.model.TraceHeader;
import dev.argus.testkit.PerfettoFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Timelines of events that were recorded, not read from files. */
class ExcerptExportTest {
    private static final long BASE = 1_700_000_000_000_000_000L;
    private static final String KERNEL = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL";

    private final NameTable names = new NameTable();
    private final CollectiveCall call = new CollectiveCall(CollectiveOp.ALL_REDUCE, names.id("tp"), 5, 64, -1, 2, -1);

    private GpuEvent kernel(String name, long correlation, @Nullable CollectiveCall of) {
        return new GpuEvent(
                GpuActivity.KERNEL, names.id(name), 0, 7, BASE + 900, 500, correlation, 0, 0, CopyDirection.NONE, of);
    }

    private List<PerfettoFile.Slice> slices(long launchNanos, GpuEvent... kernels) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PerfettoWriter out = new PerfettoWriter(bytes, names, BASE, true)) {
            ExcerptExport export = new ExcerptExport(out, names, BASE, BASE + 10_000, false);
            TraceHeader header = new TraceHeader(
                    0, 2, "host0", "nccl", List.of(new ProcessGroup("tp", "", 2, RankSet.of(0, 1), true)), "", 1, "");
            assertThat(export.rank(0, header, sink -> {
                        for (GpuEvent kernel : kernels) {
                            sink.gpu(kernel);
                        }
                        sink.launch(new LaunchEvent(names.id("cudaLaunchKernelExC"), 7, 0, 1, BASE + launchNanos, 10));
                        sink.span(new CpuSpan(
                                SpanKind.OPERATOR, names.id("nccl:all_reduce"), 1, 1, BASE + 100, 50, 0, call));
                    }))
                    .isTrue();
            export.end();
        }
        PerfettoFile file = PerfettoFile.of(bytes.toByteArray());
        assertThat(file.errors).isEmpty();
        return file.slices;
    }

    private static List<String> withFlow(List<PerfettoFile.Slice> slices) {
        return slices.stream()
                .filter(s -> !s.flows().isEmpty())
                .map(PerfettoFile.Slice::name)
                .toList();
    }

    @Test
    void theKernelOfACollectiveIsFoundByTheCallThatLaunchedIt() throws IOException {
        List<PerfettoFile.Slice> slices = slices(120, kernel(KERNEL, 7, null));
        assertThat(withFlow(slices)).as("the work, not the call").containsExactly(KERNEL);
        assertThat(slices)
                .filteredOn(s -> s.name().equals(KERNEL))
                .singleElement()
                .satisfies(s -> assertThat(s.details()).containsValue("tp"));
    }

    @Test
    void noOtherKernelIs() throws IOException {
        assertThat(withFlow(slices(160, kernel(KERNEL, 7, null))))
                .as("launched after the call")
                .containsExactly("nccl:all_reduce");
        assertThat(withFlow(slices(120, kernel("gemm", 7, null)))).containsExactly("nccl:all_reduce");
        assertThat(withFlow(slices(120, kernel(KERNEL, 8, null))))
                .as("of another launch")
                .containsExactly("nccl:all_reduce");
        assertThat(withFlow(slices(120, kernel(KERNEL, 8, call))))
                .as("that says so itself")
                .containsExactly(KERNEL);
    }
}
