package dev.argus.trace;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CpuSpan;
import dev.argus.model.DataProblem;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Operations of all workers of a job in one list, as ByteDance's StragglerAnalysis publishes them: category = name
 * ({@code forward-compute}, {@code backward-recv}, {@code grads-reduce-scatter} ...), {@code args} with step, model chunk,
 * micro-batch and number within the step; processes are data-parallel replicas, threads tell stages.
 *
 * <p>Every operation becomes an annotation of its worker; transfers carry a {@link CollectiveCall} whose group and sequence
 * agree between the members (and between the two ends of a send). {@code optimizer-clip-main-grad} runs on the
 * communication thread but has no common end in the published data, so it is no collective. The mark of a step reaches from
 * the first start to the last end of its operations on that worker. Names of threads stand behind the events: two passes.
 *
 * <p>The same layout without micro-batch numbers is the authors' simulation of an ideal run: ignored.
 */
final class TimelineRead {
    private static final int MAX_STEP_MARKS = 1 << 20;
    private static final long MAX_STEP = 1L << 34;
    private static final int FORWARD = 1;
    private static final int BACKWARD = 2;

    private final TraceFile file;
    private final NameTable jobNames;
    private final NameCache names;
    private final SinkFactory sinks;
    private final TimelineWorkers workers = new TimelineWorkers();
    private final TraceClock clock;
    private final List<DataProblem> problems = new ArrayList<>();
    private final Map<Integer, PartSink> parts = new TreeMap<>();
    private final Map<Integer, Map<Long, long[]>> steps = new TreeMap<>();
    private final Map<String, Integer> ordinals = new TreeMap<>();
    private boolean real;
    private int stepMarks;
    private long unplaced;
    private long goodUntil;

    TimelineRead(TraceFile file, NameTable jobNames, SinkFactory sinks) {
        this.file = file;
        this.jobNames = jobNames;
        this.sinks = sinks;
        names = new NameCache(jobNames);
        clock = new TraceClock(() -> TimeBase.find(file.path()));
    }

    /** True if the event is an operation of such a timeline. */
    static boolean recognises(EventFields e) {
        return e.sameCategoryAsName
                && e.category == Category.OTHER
                && e.number(EventArgs.STEP) != Decimals.MISSING
                && e.number(EventArgs.STEP_SEQUENCE) != Decimals.MISSING;
    }

    ReadOutcome run() {
        try {
            JsonError cut = pass(this::look);
            if (!real) {
                problem("ignored-file", "a timeline without micro-batches: simulated, not measured");
                return new ReadOutcome(Status.IGNORED, "none", List.of(), problems, 0);
            }
            if (workers.count() == 0 || (cut != null && !workers.hasStages())) {
                return failed(
                        cut != null
                                ? "cut before the names of its threads, which tell the stages: " + cut.text()
                                : "more workers than a job can have");
            }
            return outcome(pass(this::deliver));
        } catch (IOException broken) {
            return failed(FileRead.reason(broken));
        }
    }

    private ReadOutcome failed(String why) {
        problem("unreadable-file", why);
        return new ReadOutcome(Status.FAILED, "op-timeline", List.of(), problems, goodUntil);
    }

    private void problem(String kind, String detail) {
        problems.add(new DataProblem(kind, RankSet.EMPTY, file.label() + ": " + detail));
    }

    // ---------------------------------------------------------------- passes

    private interface Visitor {
        void visit(EventFields e);
    }

    private @Nullable JsonError pass(Visitor visitor) throws IOException {
        try (InputStream stream = ByteSource.open(file.path(), n -> {})) {
            TrailScanner in = new TrailScanner(stream, FileRead.WINDOW);
            in.skipByteOrderMark();
            try {
                events(in, visitor);
                return null;
            } catch (JsonError broken) {
                return broken;
            }
        }
    }

    private void events(TrailScanner in, Visitor visitor) {
        if (in.peek() == '{') {
            in.take();
            while (!atEvents(in)) {
                in.skipValue();
            }
        }
        in.take();
        EventFields fields = new EventFields(true, true);
        while (in.nextElement()) {
            if (in.peek() != '{') {
                in.mark();
                in.skipValue();
            } else if (fields.read(in)) {
                visitor.visit(fields);
            }
            goodUntil = in.offset();
        }
    }

    private static boolean atEvents(TrailScanner in) {
        in.peek();
        in.mark();
        int key = in.nextKey(TraceMembers.ALL);
        if (key < 0) {
            throw in.error("no traceEvents");
        }
        return key == TraceMembers.EVENTS && in.peek() == '[';
    }

    private void look(EventFields e) {
        if (e.isMetadata()) {
            workers.metadata(e.nameText(), e.pid, e.tid, e.text(EventArgs.LABEL));
        } else {
            workers.process(e.pid);
            real |= e.number(EventArgs.MICROBATCH) != Decimals.MISSING;
        }
    }

    private void deliver(EventFields e) {
        if (e.isMetadata() || !recognises(e)) {
            return;
        }
        int worker = workers.worker(e.pid, e.tid);
        if (worker < 0) {
            unplaced++;
            return;
        }
        PartSink sink = parts.computeIfAbsent(worker, n -> new PartSink(sinks, n));
        long step = e.number(EventArgs.STEP);
        if (e.ts == Decimals.MISSING || e.dur == Decimals.MISSING || Math.abs(e.ts) == Decimals.HUGE) {
            sink.quarantine("missing-time");
        } else if (e.dur < 0) {
            sink.quarantine("negative-duration");
        } else if (e.dur == Decimals.HUGE || step < 0 || step > MAX_STEP) {
            sink.quarantine("impossible-duration");
        } else if (clock.epochNanos(e.ts) > Long.MAX_VALUE - e.dur) {
            sink.quarantine("impossible-time");
        } else {
            operation(e, worker, sink);
        }
    }

    private void operation(EventFields e, int worker, PartSink sink) {
        NameInfo name = e.name(names);
        long start = clock.epochNanos(e.ts);
        long step = e.number(EventArgs.STEP);
        CollectiveCall call = call(e, name, workers.place(worker));
        sink.span(new CpuSpan(SpanKind.ANNOTATION, name.id(), e.pid, e.tid, start, e.dur, 0, call));
        Map<Long, long[]> marks = steps.computeIfAbsent(worker, n -> new TreeMap<>());
        long[] mark = marks.get(step);
        if (mark != null) {
            mark[0] = Math.min(mark[0], start);
            mark[1] = Math.max(mark[1], start + e.dur);
        } else if (stepMarks++ < MAX_STEP_MARKS) {
            marks.put(step, new long[] {start, start + e.dur});
        }
    }

    // ---------------------------------------------------------------- collectives

    private @Nullable CollectiveCall call(EventFields e, NameInfo name, TimelineWorkers.Place at) {
        String text = name.text;
        boolean send = text.endsWith("-send");
        if (send || text.endsWith("-recv")) {
            return pointToPoint(e, text.startsWith("backward"), send, at);
        }
        CollectiveOp op = name.op;
        if (op == null || !op.isBarrier()) {
            return null;
        }
        String kind = text.startsWith("embedding") ? "embd" : text.startsWith("layernorm") ? "tp" : "dp";
        int ordinal = ordinals.computeIfAbsent(text, t -> ordinals.size() + BACKWARD + 1);
        long chunk = e.number(EventArgs.CHUNK, -1) + 1;
        return call(op, kind, at, sequence(e, ordinal, chunk), -1);
    }

    /** A send goes to the next stage forwards and to the previous one backwards; the first follows the last. */
    private CollectiveCall pointToPoint(EventFields e, boolean backward, boolean send, TimelineWorkers.Place at) {
        int stages = workers.stages();
        int direction = backward == send ? -1 : 1;
        int stage = Math.floorMod(at.stage() + direction, stages);
        int peer = workers.number(stage, at.replica(), at.tensor());
        long sequence = sequence(e, backward ? BACKWARD : FORWARD, 0);
        return call(send ? CollectiveOp.SEND : CollectiveOp.RECV, "pp", at, sequence, peer);
    }

    private CollectiveCall call(CollectiveOp op, String kind, TimelineWorkers.Place at, long sequence, int peer) {
        RankSet members = workers.members(kind, at);
        return new CollectiveCall(
                op,
                jobNames.id(workers.groupName(kind, at)),
                sequence,
                -1,
                peer,
                members.size(),
                TimelineWorkers.printed(members, jobNames));
    }

    /** From the highest: step, kind of operation, model chunk, number within the step. */
    private static long sequence(EventFields e, int ordinal, long chunk) {
        long head = (e.number(EventArgs.STEP) << 5) | (ordinal & 31);
        return (head << 24) | ((chunk & 0xFF) << 16) | (e.number(EventArgs.STEP_SEQUENCE) & 0xFFFF);
    }

    // ---------------------------------------------------------------- outcome

    private ReadOutcome outcome(@Nullable JsonError broken) {
        List<Part> out = new ArrayList<>();
        parts.forEach((worker, sink) -> {
            steps.getOrDefault(worker, Map.of())
                    .forEach((step, mark) -> sink.step(new StepMark(step, mark[0], mark[1] - mark[0], false)));
            out.add(new Part(worker, workers.header(worker), file.label() + "#" + workers.label(worker)));
        });
        if (unplaced > 0) {
            problem("unknown-worker", unplaced + " operations on threads without a name were left out");
        }
        if (clock.withoutBase()) {
            problem("relative-time", "times count from an unknown moment; steps are compared, not moments");
        }
        if (out.isEmpty()) {
            return failed("no operation could be used");
        }
        if (broken != null) {
            problem("cut-file", "readable until byte " + goodUntil + " (uncompressed): " + broken.text());
        }
        Status status = broken == null ? Status.COMPLETE : Status.PARTIAL;
        return new ReadOutcome(status, "op-timeline", out, problems, goodUntil);
    }
}
