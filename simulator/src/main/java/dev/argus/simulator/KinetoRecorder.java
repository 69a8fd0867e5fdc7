package dev.argus.simulator;

import dev.argus.model.CollectiveOp;
import dev.argus.model.ProcessGroup;
import dev.argus.model.TraceHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes one rank's record as PyTorch's profiler (Kineto) does: JSON, times in microseconds after a base time. */
final class KinetoRecorder implements Recorder {
    private static final int FLUSH = 1 << 16;
    private static final int PRINTED_RANKS = 30;
    private final Scenario scenario;
    private final Layout layout;
    private final int rank;
    private final int device;
    private final long process;
    private final Writer out;
    private final StringBuilder text = new StringBuilder(FLUSH + 4096);
    private final Map<String, String> quoted = new HashMap<>();
    private boolean first = true;

    KinetoRecorder(Scenario scenario, int rank, Writer out) {
        this.scenario = scenario;
        this.layout = scenario.layout();
        this.rank = rank;
        this.device = layout.gpuOf(rank);
        this.process = 200_000 + Math.floorMod(Noise.bits(scenario.seed(), rank, -4, 0), 700_000L);
        this.out = out;
    }

    /** Writes what stands before the events. */
    void open() {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("backend", "nccl");
        info.put("rank", rank);
        info.put("world_size", layout.world());
        List<Object> groups = new ArrayList<>();
        for (Group group : declared(scenario, rank)) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("pg_name", String.valueOf(group.id()));
            entry.put("pg_desc", group.kind().description());
            entry.put("backend_config", "cuda:nccl");
            entry.put("pg_size", group.size());
            entry.put("ranks", group.ranks());
            groups.add(entry);
        }
        info.put("pg_count", groups.size());
        info.put("pg_config", groups);
        boolean other = scenario.faults().stream().anyMatch(f -> f instanceof Fault.NewVersion);
        info.put("nccl_version", scenario.dialect().oldNames() ? "2.18.5" : other ? "2.27.3" : "2.26.2");
        text.append("{\n\"schemaVersion\": 1,\n\"deviceProperties\": [");
        for (int i = 0; i < layout.gpusPerHost(); i++) {
            text.append(i == 0 ? "" : ", ")
                    .append("{\"id\": ")
                    .append(i)
                    .append(", \"name\": \"")
                    .append(gpuModel(scenario, rank))
                    .append("\", \"totalGlobalMem\": 85028765696, \"numSms\": 132}");
        }
        text.append("],\n\"cupti_version\": 24,\n\"cuda_runtime_version\": ");
        text.append(other ? "12080" : "12060").append(",\n\"distributedInfo\": ");
        text.append(JsonText.of(info));
        text.append(",\n\"host_name\": ").append(quote(layout.hostName(layout.hostOf(rank))));
        text.append(",\n\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": ")
                .append(HostClocks.BASE)
                .append(",\n\"traceEvents\": [\n");
    }

    static String gpuModel(Scenario scenario, int rank) {
        for (Disturbance d : scenario.disturbances()) {
            if (d instanceof Disturbance.OtherHardware other && other.has(rank)) {
                return scenario.model().ampere() ? "NVIDIA A100-PCIE-40GB" : "NVIDIA H800 PCIe";
            }
        }
        return scenario.model().ampere() ? "NVIDIA A100-SXM4-80GB" : "NVIDIA H100 80GB HBM3";
    }

    /** Writes what stands after the events. */
    void close() {
        event("M", "", "process_name", process, 0);
        text.append(", \"args\": {\"name\": \"python3.11\"}}");
        event("M", "", "process_labels", device, 0);
        text.append(", \"args\": {\"labels\": \"GPU ").append(device).append("\"}}");
        text.append("\n],\n\"traceName\": \"/tmp/prof/rank").append(rank).append(".pt.trace.json\"\n}\n");
        flush();
    }

    private String quote(String name) {
        return quoted.computeIfAbsent(name, n -> {
            StringBuilder b = new StringBuilder();
            JsonText.quoted(b, n);
            return b.toString();
        });
    }

    private void event(String phase, String category, String name, long pid, long tid) {
        if (text.length() > FLUSH) {
            flush();
        }
        text.append(first ? "{\"ph\": \"" : ",\n{\"ph\": \"").append(phase);
        first = false;
        if (!category.isEmpty()) {
            text.append("\", \"cat\": \"").append(category);
        }
        text.append("\", \"name\": ").append(quote(name)).append(", \"pid\": ").append(pid);
        text.append(", \"tid\": ").append(tid);
    }

    private void flush() {
        try {
            out.append(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        text.setLength(0);
    }

    private void times(long start, long nanos) {
        text.append(", \"ts\": ");
        micros(start - HostClocks.BASE);
        text.append(", \"dur\": ");
        micros(nanos);
    }

    private void micros(long nanos) {
        text.append(nanos / 1000).append('.');
        long rest = nanos % 1000;
        text.append((char) ('0' + rest / 100))
                .append((char) ('0' + rest / 10 % 10))
                .append((char) ('0' + rest % 10));
    }

    @Override
    public void step(int number, long start, long nanos, long gpuStart, long gpuNanos) {
        String name = ProgramBuilder.STEP + number;
        event("X", "user_annotation", name, process, process);
        times(start, nanos);
        text.append(", \"args\": {}}");
        event("X", "gpu_user_annotation", name, device, Lane.COMPUTE.stream());
        times(gpuStart, gpuNanos);
        text.append(", \"args\": {}}");
    }

    @Override
    public void range(String name, long start, long nanos) {
        event("X", "user_annotation", name, process, process);
        times(start, nanos);
        text.append(", \"args\": {}}");
    }

    @Override
    public void frame(String name, long start, long nanos) {
        event("X", "python_function", name, process, process);
        times(start, nanos);
        text.append(", \"args\": {\"Python id\": 1}}");
    }

    @Override
    public void call(String name, long correlation, long start, long nanos) {
        event("X", name.startsWith("cuL") ? "cuda_driver" : "cuda_runtime", name, process, process);
        times(start, nanos);
        text.append(", \"args\": {\"correlation\": ").append(correlation).append("}}");
    }

    private void gpuArguments(int stream, long correlation) {
        text.append(", \"args\": {\"device\": ")
                .append(device)
                .append(", \"context\": 1, \"stream\": ")
                .append(stream)
                .append(", \"correlation\": ")
                .append(correlation);
    }

    private void grid(long blocks, int threads) {
        text.append(", \"grid\": [").append(blocks).append(", 1, 1], \"block\": [");
        text.append(threads).append(", 1, 1]");
    }

    @Override
    public void kernel(String name, int stream, long correlation, long start, long nanos, long grid, int block) {
        event("X", "kernel", name, device, stream);
        times(start, nanos);
        gpuArguments(stream, correlation);
        grid(grid, block);
        text.append("}}");
    }

    @Override
    public void copy(String name, int stream, long correlation, long start, long nanos, long bytes) {
        event("X", "gpu_memcpy", name, device, stream);
        times(start, nanos);
        gpuArguments(stream, correlation);
        text.append(", \"bytes\": ").append(bytes).append("}}");
    }

    @Override
    public void communication(Message m, int stream, long correlation, long start, long nanos) {
        event("X", "kernel", kernelName(m, scenario.dialect().oldNames()), device, stream);
        times(start, nanos);
        gpuArguments(stream, correlation);
        grid(24, 544);
        if (scenario.dialect().groupArguments()) {
            arguments(m);
        }
        text.append("}}");
    }

    /** What NCCL calls the kernel of a collective. */
    static String kernelName(Message m, boolean old) {
        boolean tiny = m.in() <= 64;
        String type = tiny ? "f32" : "bf16";
        String middle = switch (m.op()) {
            case ALL_REDUCE ->
                old
                        ? "AllReduce_RING_LL_Sum_" + (tiny ? "float" : "__nv_bfloat16")
                        : "AllReduce_Sum_" + type + "_RING_LL";
            case REDUCE_SCATTER -> old ? "ReduceScatter_RING_LL_Sum___nv_bfloat16" : "ReduceScatter_Sum_bf16_RING_LL";
            case ALL_GATHER -> old ? "AllGather_RING_LL_Sum_int8_t" : "AllGather_RING_LL";
            case BROADCAST -> old ? "Broadcast_RING_LL_Sum_int8_t" : "Broadcast_RING_LL";
            default -> old ? "SendRecv_RING_SIMPLE_Sum_int8_t" : "SendRecv";
        };
        return old
                ? "ncclKernel_" + middle + "(ncclDevComm*, unsigned long, ncclWork*)"
                : "ncclDevKernel_" + middle + "(ncclDevKernelArgsStorage<4096ul>)";
    }

    private void arguments(Message m) {
        String name = switch (m.op()) {
            case ALL_REDUCE -> "allreduce";
            case REDUCE_SCATTER -> "_reduce_scatter_base";
            case ALL_GATHER -> "_allgather_base";
            case BROADCAST -> "broadcast";
            case ALL_TO_ALL_V -> "all_to_allv";
            case SEND -> "send";
            default -> "recv";
        };
        boolean tiny = m.in() <= 64;
        boolean words = m.op() == CollectiveOp.BROADCAST;
        int size = tiny ? 4 : words ? 8 : 2;
        text.append(", \"Collective name\": \"").append(name);
        text.append("\", \"In msg nelems\": ").append(Math.max(1, m.in() / size));
        text.append(", \"Out msg nelems\": ").append(Math.max(1, m.out() / size));
        text.append(", \"Group size\": ").append(m.group().size());
        text.append(", \"dtype\": \"").append(tiny ? "Float" : words ? "Long" : "BFloat16");
        Splits uneven = m.uneven();
        text.append("\", \"In split size\": \"").append(uneven == null ? "[]" : printed(uneven.in()));
        text.append("\", \"Out split size\": \"").append(uneven == null ? "[]" : printed(uneven.out()));
        text.append("\", \"Process Group Name\": \"").append(m.group().id());
        text.append("\", \"Process Group Description\": \"")
                .append(m.group().kind().description());
        text.append("\", \"Process Group Ranks\": \"")
                .append(m.group().printed())
                .append('"');
        if (m.sequence() >= 0 && !scenario.dialect().oldNames()) {
            text.append(", \"Seq\": ").append(m.sequence());
        }
        if (m.peer() >= 0 && m.op() != CollectiveOp.BROADCAST) {
            text.append(m.op() == CollectiveOp.SEND ? ", \"Dst Rank\": " : ", \"Src Rank\": ")
                    .append(m.peer());
        }
    }

    private static String printed(long[] parts) {
        return parts.length <= PRINTED_RANKS
                ? Arrays.toString(parts)
                : Arrays.stream(parts, 0, PRINTED_RANKS)
                        .mapToObj(Long::toString)
                        .collect(Collectors.joining(", ", "[", ", ...]"));
    }

    /** The groups of a rank that its trace declares. */
    static List<Group> declared(Scenario scenario, int rank) {
        List<Group> groups = new ArrayList<>();
        for (GroupKind kind : GroupKind.values()) {
            Group group = scenario.layout().group(rank, kind);
            boolean used = kind == GroupKind.DATA || scenario.model().uses(kind);
            if (kind == GroupKind.WORLD || (group.size() > 1 && used)) {
                groups.add(group);
            }
        }
        return groups;
    }

    /** What a reader would learn from what stands before the events. */
    static TraceHeader header(Scenario scenario, int rank) {
        Layout layout = scenario.layout();
        List<ProcessGroup> groups = declared(scenario, rank).stream()
                .map(g -> new ProcessGroup(String.valueOf(g.id()), g.kind().description(), g.size(), g.members(), true))
                .toList();
        return new TraceHeader(
                rank,
                layout.world(),
                layout.hostName(layout.hostOf(rank)),
                "nccl",
                groups,
                gpuModel(scenario, rank),
                layout.gpusPerHost(),
                "");
    }
}
