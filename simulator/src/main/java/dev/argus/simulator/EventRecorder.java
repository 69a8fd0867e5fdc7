package dev.argus.simulator;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import org.jspecify.annotations.Nullable;

/** Hands one rank's record on as events, as a reader of its trace would. */
final class EventRecorder implements Recorder {
    private static final long PROCESS = 1000;
    private final Scenario scenario;
    private final int device;
    private final NameTable names;
    private final TraceEventSink sink;

    EventRecorder(Scenario scenario, int rank, NameTable names, TraceEventSink sink) {
        this.scenario = scenario;
        this.device = scenario.layout().gpuOf(rank);
        this.names = names;
        this.sink = sink;
    }

    @Override
    public void step(int number, long start, long nanos, long gpuStart, long gpuNanos) {
        sink.step(new StepMark(number, start, nanos, false));
        sink.step(new StepMark(number, gpuStart, gpuNanos, true));
    }

    @Override
    public void range(String name, long start, long nanos) {
        sink.span(new CpuSpan(SpanKind.ANNOTATION, names.id(name), PROCESS, PROCESS, start, nanos, 0, null));
    }

    @Override
    public void frame(String name, long start, long nanos) {
        sink.span(new CpuSpan(SpanKind.PYTHON, names.id(name), PROCESS, PROCESS, start, nanos, 0, null));
    }

    @Override
    public void call(String name, long correlation, long start, long nanos) {
        sink.launch(new LaunchEvent(names.id(name), correlation, 0, PROCESS, start, nanos));
    }

    @Override
    public void kernel(String name, int stream, long correlation, long start, long nanos, long grid, int block) {
        gpu(GpuActivity.KERNEL, name, stream, correlation, start, nanos, grid * block, 0, CopyDirection.NONE, null);
    }

    @Override
    public void copy(String name, int stream, long correlation, long start, long nanos, long bytes) {
        CopyDirection direction = name.contains("HtoD") ? CopyDirection.HOST_TO_DEVICE : CopyDirection.DEVICE_TO_HOST;
        gpu(GpuActivity.MEMCPY, name, stream, correlation, start, nanos, 0, bytes, direction, null);
    }

    @Override
    public void communication(Message m, int stream, long correlation, long start, long nanos) {
        String name = KinetoRecorder.kernelName(m, scenario.dialect().oldNames());
        CollectiveCall call = null;
        if (scenario.dialect().groupArguments()) {
            call = new CollectiveCall(
                    m.op(),
                    names.id(String.valueOf(m.group().id())),
                    scenario.dialect().oldNames() ? -1 : m.sequence(),
                    Math.max(m.in(), m.out()),
                    m.op() == CollectiveOp.BROADCAST ? -1 : m.peer(),
                    m.group().size(),
                    names.id(m.group().printed()));
        }
        gpu(GpuActivity.KERNEL, name, stream, correlation, start, nanos, 24 * 544, 0, CopyDirection.NONE, call);
    }

    private void gpu(
            GpuActivity activity,
            String name,
            int stream,
            long correlation,
            long start,
            long nanos,
            long workItems,
            long bytes,
            CopyDirection direction,
            @Nullable CollectiveCall call) {
        sink.gpu(new GpuEvent(
                activity,
                names.id(name),
                device,
                stream,
                start,
                nanos,
                correlation,
                workItems,
                bytes,
                direction,
                call));
    }
}
