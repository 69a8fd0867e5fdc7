package dev.argus.hostflink.replay;

import dev.argus.hostflink.ArgusOnFlink;
import dev.argus.hostflink.Beside;
import dev.argus.hostflink.HostOptions;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.runtime.minicluster.RpcServiceSharing;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A Flink cluster in this process that runs a script, or another job, once. Flink's own local environment ends its cluster some time after the job, and nobody can wait for it: it still writes and deletes checkpoints then. This
 * one has ended when it is closed, and leaves its folder alone from there on.
 */
public final class SmallFlink implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 600;

    private final MiniCluster cluster;
    private final JobClient client;

    private SmallFlink(MiniCluster cluster, JobClient client) {
        this.cluster = cluster;
        this.client = client;
    }

    /** State in RocksDB, three restarts, checkpoints and savepoints in a folder. */
    public static Configuration configuration(Path folder) {
        Configuration conf = new Configuration();
        conf.setString("state.backend.type", "rocksdb");
        conf.setString("execution.checkpointing.incremental", "true");
        conf.setString("execution.checkpointing.interval", "100 ms");
        conf.setString(
                "execution.checkpointing.dir",
                folder.resolve("checkpoints").toUri().toString());
        conf.setString("restart-strategy.type", "fixed-delay");
        conf.setString("restart-strategy.fixed-delay.attempts", "3");
        conf.setString("restart-strategy.fixed-delay.delay", "10 ms");
        conf.setString("pipeline.max-parallelism", "128");
        conf.setString("pipeline.auto-watermark-interval", "20 ms");
        conf.setString("pipeline.generic-types", "false");
        return conf;
    }

    /**
     * Starts a cluster and a script on it.
     *
     * @param parallelism tasks of each kind
     * @throws Exception what Flink throws where it cannot start
     */
    public static SmallFlink start(ReplayScript script, int parallelism, Configuration conf, HostOptions options)
            throws Exception {
        return start(graph(script, parallelism, conf, options), parallelism, conf);
    }

    /**
     * Starts a cluster and a job on it.
     *
     * @param slots slots it has
     * @throws Exception what Flink throws where it cannot start
     */
    public static SmallFlink start(JobGraph graph, int slots, Configuration conf) throws Exception {
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(conf)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .setRpcServiceSharing(RpcServiceSharing.SHARED)
                .withRandomPorts()
                .build());
        try {
            cluster.start();
            var job = cluster.submitJob(graph)
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .getJobID();
            return new SmallFlink(
                    cluster,
                    new MiniClusterJobClient(
                            job, cluster, SmallFlink.class.getClassLoader(), JobFinalizationBehavior.NOTHING));
        } catch (Exception failed) {
            cluster.close();
            throw failed;
        }
    }

    private static JobGraph graph(ReplayScript script, int parallelism, Configuration conf, HostOptions options) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(parallelism, conf);
        String name = script.name();
        ArgusOnFlink.diagnose(
                        env, new ReplaySource(script), ArgusOnFlink.brokerTimes(), options, 5000, null, Beside.NOTHING)
                .map(said -> {
                    ReplayScript.hear(name, said);
                    return said;
                })
                .returns(ArgusOnFlink.SAID)
                .sinkTo(new DiscardingSink<>());
        return env.getStreamGraph().getJobGraph();
    }

    /** The job; it must not be used after the cluster was closed. */
    public JobClient client() {
        return client;
    }

    /** Ends the job if it still runs, then the cluster, and waits for both; where the thread is interrupted, they end without it. */
    @Override
    public void close() {
        try {
            if (!client.getJobStatus().get(PATIENCE_SECONDS, TimeUnit.SECONDS).isGloballyTerminalState()) {
                client.cancel().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException gone) {
            // The cluster is ended either way.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        var ended = cluster.closeAsync();
        try {
            ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException("Flink did not end: " + failed.getMessage(), failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
