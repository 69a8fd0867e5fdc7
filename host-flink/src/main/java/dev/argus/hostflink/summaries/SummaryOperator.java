package dev.argus.hostflink.summaries;

import dev.argus.hostflink.KeptStep;
import dev.argus.hostflink.OwnJobs;
import dev.argus.storage.object.S3Objects;
import dev.argus.wire.WireException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Whole steps of the jobs of one task to Parquet files, behind them in the same task. A store that is away holds up nothing: what waits is bounded, and of the state.
 *
 * <p>Time is the watermark: everything of a job up to it was told.
 */
@SuppressWarnings("NullAway.Init") // Flink calls initializeState and open before anything else
public final class SummaryOperator extends AbstractStreamOperator<Void>
        implements OneInputStreamOperator<KeptStep, Void> {
    private static final long serialVersionUID = 1;

    /** Most bytes of rows that a task holds. */
    static final long MOST_BYTES = 64 << 20;

    private final Summaries to;
    private transient StepFiles files;
    private transient @Nullable SummaryUploader uploader;
    private transient ListState<byte[]> kept;
    private transient Counter dropped;
    private transient long watermarkMillis;

    private SummaryOperator(Summaries to) {
        this.to = to;
    }

    /** Puts it behind the steps of jobs. */
    public static void behind(DataStream<KeptStep> steps, Summaries to) {
        steps.transform("summaries", Types.VOID, new SummaryOperator(to)).uid("argus-summaries");
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        watermarkMillis = Long.MIN_VALUE;
        dropped = getMetricGroup().counter("summaryStepsDropped");
        Counter unreadable = getMetricGroup().counter("summaryFilesUnreadable");
        files = new StepFiles(to.everyMillis(), MOST_BYTES);
        kept = context.getOperatorStateStore()
                .getUnionListState(
                        new ListStateDescriptor<>("step-files", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        for (byte[] state : kept.get()) {
            try {
                StepFile file = StepFile.decode(state);
                if (OwnJobs.isMine(file.job(), getRuntimeContext().getTaskInfo())) {
                    files.restore(file);
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
        metrics.gauge("summaryBytesHeld", files::bytes);
        metrics.gauge("summaryFilesWaiting", files::waiting);
        String[] folders =
                getContainingTask().getEnvironment().getTaskManagerInfo().getTmpDirectories();
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of(folders[0])), "argus-summaries");
        uploader = new SummaryUploader(
                files,
                new S3Objects(to.address()),
                folder.toRealPath(),
                new SummaryUploader.Counts(
                        metrics.counter("summaryFilesStored"),
                        metrics.counter("summaryFailures"),
                        metrics.counter("summaryStepsLost")));
    }

    @Override
    public void processElement(StreamRecord<KeptStep> element) {
        dropped.inc(files.add(element.getValue()));
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        watermarkMillis = mark.getTimestamp();
        super.processWatermark(mark);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        files.finish(watermarkMillis, context.getCheckpointId());
        kept.update(files.snapshot());
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        files.complete(checkpointId);
    }

    @Override
    public void close() throws Exception {
        if (uploader != null) {
            uploader.close();
        }
        super.close();
    }
}
