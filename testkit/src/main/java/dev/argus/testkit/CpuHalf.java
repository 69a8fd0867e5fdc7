package dev.argus.testkit;

import java.util.ArrayList;
import java.util.List;

/** Writes what happened on the CPU without the launches, as Kineto does: first, numbered by {@code Ev Idx}. */
final class CpuHalf implements TimelineVisitor {
    private final KinetoEvents events;
    private final CollectiveWords bucket;
    private final CollectiveWords gather;
    private final PythonFrames frames;
    private final int framesPerStep;
    private final List<WrittenJob.StepNanos> steps = new ArrayList<>();
    private long index;

    CpuHalf(KinetoEvents events, int framesPerStep) {
        this.events = events;
        this.bucket = CollectiveWords.bucket(events.job);
        this.gather = CollectiveWords.gather(events.job);
        this.frames = new PythonFrames(events);
        this.framesPerStep = framesPerStep;
    }

    @Override
    public void operator(String name, int thread, long start, long nanos, long external) {
        span("cpu_op", name, thread, start, nanos, external);
    }

    @Override
    public void annotation(String name, int thread, long start, long nanos, long external) {
        span("user_annotation", name, thread, start, nanos, external);
    }

    private void span(String category, String name, int thread, long start, long nanos, long external) {
        events.openCpu(category, name, events.thread(thread), start, nanos);
        events.out.put("\"External id\": ").number(external);
        events.out.put(", \"Record function id\": 0, \"Ev Idx\": ").number(index++);
        events.close();
    }

    @Override
    public void collectiveCall(boolean isGather, int thread, long start, long nanos, long external, long sequence) {
        if (!events.job.dialect().groupArgs()) {
            return;
        }
        events.openCpu("cpu_op", "record_param_comms", events.thread(thread), start, nanos);
        events.out.put("\"External id\": ").number(external).put(", \"Record function id\": 0");
        events.out.put(isGather ? gather.arguments : bucket.arguments).number(sequence);
        events.out.put(", \"Rank\": ").number(events.rank).put(", \"Ev Idx\": ").number(index++);
        events.close();
    }

    @Override
    public void stepDone(int step, long start, long end) {
        index = frames.write(framesPerStep, start, end, index);
        if (events.job.dialect().stepMarks()) {
            steps.add(new WrittenJob.StepNanos(step, events.cut(end - start)));
        }
    }

    List<WrittenJob.StepNanos> steps() {
        return steps;
    }
}
