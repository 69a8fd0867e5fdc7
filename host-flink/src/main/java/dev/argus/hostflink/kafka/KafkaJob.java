package dev.argus.hostflink.kafka;

import dev.argus.hostflink.ArgusOnFlink;
import dev.argus.hostflink.Arrival;
import dev.argus.hostflink.Beside;
import dev.argus.hostflink.Said;
import dev.argus.hostflink.series.RemoteWrite;
import dev.argus.hostflink.series.SeriesOperator;
import dev.argus.hostflink.summaries.Summaries;
import dev.argus.hostflink.summaries.SummaryOperator;
import java.time.Duration;
import java.util.Properties;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Puts the job between its topics. */
public final class KafkaJob {
    /** What a broker allows unless told otherwise; longer than any failure that transactions are to outlive. */
    private static final String TRANSACTION_MILLIS = "900000";

    /** Groups of keys, which savepoints are made of: a job can never use more slots. */
    private static final int MOST_SLOTS = 128;

    private static final Duration ALIGNED = Duration.ofSeconds(10);

    private KafkaJob() {}

    /**
     * What the job asks of Flink whatever the cluster says: exactly once, state in RocksDB, checkpoints that are kept, restarts without end. The rest is the cluster's.
     *
     * @param parallelism tasks of each kind
     */
    public static Configuration configuration(JobSettings settings, int parallelism) {
        Configuration conf = new Configuration();
        conf.set(PipelineOptions.NAME, "argus");
        conf.set(PipelineOptions.GENERIC_TYPES, false);
        conf.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ofMillis(100));
        conf.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
        conf.set(PipelineOptions.MAX_PARALLELISM, MOST_SLOTS);
        conf.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        conf.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
        conf.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(settings.checkpointMillis()));
        conf.set(
                CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, Duration.ofMillis(settings.checkpointMillis() / 2));
        conf.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.ofMinutes(5));
        conf.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 1000);
        conf.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        conf.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        conf.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, settings.checkpoints());
        conf.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 3);
        conf.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        conf.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF, Duration.ofMillis(500));
        conf.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF, Duration.ofSeconds(30));
        return conf;
    }

    /** Source, jobs, and what takes what they say. */
    public static void build(StreamExecutionEnvironment env, JobSettings settings) {
        Properties client = new Properties();
        client.putAll(settings.client());
        KafkaSource<Arrival> source = KafkaSource.<Arrival>builder()
                .setBootstrapServers(settings.brokers())
                .setTopics(settings.frames())
                .setGroupId(settings.group())
                .setProperties(client)
                .setProperty("partition.discovery.interval.ms", "10000")
                .setProperty("commit.offsets.on.checkpoint", "true")
                .setStartingOffsets(new FirstStart(settings.earliest()))
                .setDeserializer(new FrameRecords())
                .build();
        KafkaSink<Said> sink = KafkaSink.<Said>builder()
                .setBootstrapServers(settings.brokers())
                .setKafkaProducerConfig(client)
                .setProperty("compression.type", "zstd")
                .setProperty("transaction.timeout.ms", TRANSACTION_MILLIS)
                .setProperty("max.request.size", Integer.toString(JobSettings.MOST_SAID_BYTES))
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                .setTransactionalIdPrefix(settings.transactions())
                .setRecordSerializer(new SaidRecords(settings))
                .build();
        DataStream<Said> said = ArgusOnFlink.diagnose(
                env,
                source,
                ArgusOnFlink.brokerTimes().withWatermarkAlignment("argus-frames", ALIGNED, Duration.ofMillis(500)),
                settings.options(),
                settings.gapMillis(),
                metrics -> new TickWriter(settings, metrics.counter("ticksWritten"), metrics.counter("ticksFailed")),
                new Beside(settings.remoteWrite() != null, settings.summaries() != null));
        said.sinkTo(sink).name("said").uid("argus-said");
        store(said, settings);
    }

    /** What goes elsewhere than to the topics. */
    private static void store(DataStream<Said> said, JobSettings settings) {
        RemoteWrite remoteWrite = settings.remoteWrite();
        if (remoteWrite != null) {
            SeriesOperator.behind(ArgusOnFlink.series(said), remoteWrite);
        }
        Summaries summaries = settings.summaries();
        if (summaries != null) {
            SummaryOperator.behind(ArgusOnFlink.steps(said), summaries);
        }
    }
}
