package dev.argus.hostflink;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one task: live objects in memory, written into keyed state right before the barrier of each checkpoint, in entries of at most {@value #PART_BYTES} bytes. State belongs to its key, so a
 * job may go on in another task, of however many.
 *
 * <p>First input: records of jobs, keyed by job. Second input, to all tasks: gaps of partitions, which concern every job. Time is the watermark: all that came up to it was seen.
 */
@SuppressWarnings("NullAway.Init") // Flink calls initializeState and open before anything else
final class JobsOperator extends AbstractStreamOperator<Said> implements TwoInputStreamOperator<Arrival, Gap, Said> {
    private static final long serialVersionUID = 1;
    private static final long NANOS = 1_000_000L;

    /** Most bytes of an entry of the state. */
    static final int PART_BYTES = 1 << 18;

    /** Where numbers of jobs go. */
    static final OutputTag<JobSeries> SERIES = new OutputTag<>("series", Types.POJO(JobSeries.class));

    /** Where whole steps go. */
    static final OutputTag<KeptStep> STEPS = new OutputTag<>("steps", Types.POJO(KeptStep.class));

    private final HostOptions options;
    private final Beside beside;
    private transient HostedJob.Out out;
    private transient Map<String, HostedJob> jobs;
    /** Those that jobs may still have to hear of that are met later. */
    private transient Gaps gaps;

    private transient ListState<Tuple2<Long, Long>> keptGaps;
    private transient ValueState<Integer> count;
    private transient MapState<Integer, byte[]> parts;
    private transient Counter unreadable;
    private transient Counter refused;
    private transient Counter forgotten;
    private transient long stateBytes;

    JobsOperator(HostOptions options, Beside beside) {
        this.options = options;
        this.beside = beside;
    }

    // ---------------------------------------------------------------- state

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        count = context.getKeyedStateStore().getState(new ValueStateDescriptor<>("job-parts", Types.INT));
        parts = context.getKeyedStateStore()
                .getMapState(new MapStateDescriptor<>(
                        "job-state", Types.INT, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        keptGaps = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>("gaps", Types.TUPLE(Types.LONG, Types.LONG)));
        gaps = new Gaps();
        for (Tuple2<Long, Long> gap : keptGaps.get()) {
            gaps.add(new Gap(gap.f0, gap.f1));
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        keptGaps.update(gaps.all().stream()
                .map(g -> Tuple2.of(g.fromMillis(), g.untilMillis()))
                .toList());
    }

    @Override
    public void open() throws Exception {
        super.open();
        jobs = new TreeMap<>();
        out = new Told();
        unreadable = getMetricGroup().counter("jobsUnreadable");
        refused = getMetricGroup().counter("framesWithoutRoom");
        forgotten = getMetricGroup().counter("jobsForgotten");
        getMetricGroup().gauge("jobs", () -> jobs.size());
        getMetricGroup().gauge("jobStateBytes", () -> stateBytes);
        List<String> keys;
        try (Stream<String> all = this.<String>getKeyedStateBackend().getKeys("job-parts", VoidNamespace.INSTANCE)) {
            keys = all.toList();
        }
        for (String job : keys) {
            setCurrentKey(job);
            jobs.put(job, restore(job));
        }
    }

    private HostedJob restore(String job) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Integer n = count.value();
        for (int i = 0; n != null && i < n; i++) {
            byte[] part = parts.get(i);
            if (part != null) {
                all.write(part);
            }
        }
        return HostedJobCodec.restoredOrAnew(job, options, all.toByteArray(), problem -> {
            LOG.warn("what was learnt of job {} is lost: {}", job, problem);
            unreadable.inc();
        });
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        stateBytes = 0;
        for (HostedJob job : jobs.values()) {
            setCurrentKey(job.job());
            write(job.snapshot());
        }
    }

    private void write(byte[] state) throws Exception {
        Integer before = count.value();
        int n = 0;
        for (int at = 0; at < state.length; at += PART_BYTES) {
            parts.put(n++, Arrays.copyOfRange(state, at, Math.min(state.length, at + PART_BYTES)));
        }
        for (int i = n; before != null && i < before; i++) {
            parts.remove(i);
        }
        count.update(n);
        stateBytes += state.length;
    }

    // ---------------------------------------------------------------- input

    @Override
    public void processElement1(StreamRecord<Arrival> element) {
        Arrival arrival = element.getValue();
        HostedJob job = host(arrival.job());
        if (job == null) {
            refused.inc();
        } else {
            job.add(arrival);
        }
    }

    private @Nullable HostedJob host(String name) {
        HostedJob known = jobs.get(name);
        if (known == null && jobs.size() < options.mostJobs()) {
            known = new HostedJob(name, options);
            gaps.all().forEach(known::gap);
            jobs.put(name, known);
        }
        return known;
    }

    @Override
    public void processElement2(StreamRecord<Gap> element) {
        gaps.add(element.getValue());
        jobs.values().forEach(j -> j.gap(element.getValue()));
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        long wall = getProcessingTimeService().getCurrentProcessingTime();
        List<String> over = new ArrayList<>();
        for (HostedJob job : jobs.values()) {
            job.advance(mark.getTimestamp(), wall, out);
            if (job.isOver()) {
                over.add(job.job());
            }
        }
        for (String job : over) {
            jobs.remove(job);
            setCurrentKey(job);
            parts.clear();
            count.clear();
            forgotten.inc();
        }
        gaps.pass(mark.getTimestamp() > Long.MAX_VALUE / NANOS ? Long.MAX_VALUE : mark.getTimestamp() * NANOS);
        super.processWatermark(mark);
    }

    /** Hands on what jobs say. */
    private final class Told implements HostedJob.Out {
        @Override
        public void say(Said said) {
            output.collect(new StreamRecord<>(said));
        }

        @Override
        public boolean wantsSeries() {
            return beside.series();
        }

        @Override
        public void series(JobSeries series) {
            output.collect(SERIES, new StreamRecord<>(series));
        }

        @Override
        public boolean wantsSteps() {
            return beside.steps();
        }

        @Override
        public void step(KeptStep step) {
            output.collect(STEPS, new StreamRecord<>(step));
        }
    }
}
