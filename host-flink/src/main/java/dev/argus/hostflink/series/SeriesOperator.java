package dev.argus.hostflink.series;

import dev.argus.hostflink.JobSeries;
import dev.argus.hostflink.OwnJobs;
import dev.argus.wire.WireException;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Series of the jobs of one task, behind them in the same task. A receiver that is away holds up nothing: what waits is bounded, and of the state. So each sample is sent at least once over any failure, but for those that had no room
 * ({@code samplesDropped}); one that comes again is the same, and what a receiver does not take twice it refuses ({@code samplesRefused}).
 */
@SuppressWarnings("NullAway.Init") // Flink calls initializeState and open before anything else
public final class SeriesOperator extends AbstractStreamOperator<Void>
        implements OneInputStreamOperator<JobSeries, Void> {
    private static final long serialVersionUID = 1;

    /** Most bytes that wait in a task: some 4,000 moments of 60 series. */
    static final long MOST_BYTES = 32 << 20;

    private final RemoteWrite to;
    private transient SeriesQueue queue;
    private transient @Nullable SeriesSender sender;
    private transient ListState<byte[]> kept;
    private transient Counter dropped;
    private transient Counter leftOut;

    private SeriesOperator(RemoteWrite to) {
        this.to = to;
    }

    /** Puts it behind the series of jobs. */
    public static void behind(DataStream<JobSeries> series, RemoteWrite to) {
        series.transform("series", Types.VOID, new SeriesOperator(to)).uid("argus-series");
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        MetricGroup metrics = getMetricGroup();
        dropped = metrics.counter("samplesDropped");
        leftOut = metrics.counter("seriesLeftOut");
        Counter unreadable = metrics.counter("seriesUnreadable");
        queue = new SeriesQueue(MOST_BYTES);
        kept = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>(
                        "series-waiting", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        for (byte[] state : kept.get()) {
            try {
                SeriesQueue.Moment moment = SeriesQueue.read(state);
                if (OwnJobs.isMine(moment.job(), getRuntimeContext().getTaskInfo())) {
                    dropped.inc(queue.restore(moment));
                }
            } catch (WireException damaged) {
                unreadable.inc();
            }
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        MetricGroup metrics = getMetricGroup();
        metrics.gauge("samplesWaiting", queue::samples);
        metrics.gauge("samplesBehindMillis", queue::behindMillis);
        sender = new SeriesSender(
                to,
                queue,
                new SeriesSender.Counts(
                        metrics.counter("samplesSent"),
                        metrics.counter("samplesRefused"),
                        metrics.counter("remoteWriteFailures")));
    }

    @Override
    public void processElement(StreamRecord<JobSeries> element) {
        leftOut.inc(element.getValue().leftOut());
        dropped.inc(queue.add(element.getValue()));
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        kept.update(queue.snapshot());
    }

    @Override
    public void close() throws Exception {
        if (sender != null) {
            sender.close();
        }
        super.close();
    }
}
