package dev.argus.cli;

import dev.argus.agent.AgentOptions;
import dev.argus.agent.LocalJobs;
import dev.argus.agent.history.RawHistory;
import dev.argus.agent.host.HostAgent;
import dev.argus.agent.host.HostAgentSettings;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.NameTable;
import dev.argus.simulator.LiveJobs;
import dev.argus.simulator.LivePace;
import dev.argus.simulator.LiveSimulation;
import dev.argus.simulator.RingOutput;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Lets an agent watch a simulated job in simulated time, so that the start script can keep the classes it loads in an AOT cache, and, for an agent that is run with both compilers, the profiles of its
 * methods. Results do not matter. Takes some seconds of CPU time.
 */
public final class AgentTraining {
    private static final long SECOND = 1_000_000_000L;
    private static final int RANKS = 32;
    private static final int SECONDS = 240;

    private AgentTraining() {}

    /**
     * Watches.
     *
     * @param args an empty folder
     */
    public static void main(String[] args) throws IOException {
        watch(Path.of(args[0]), SECONDS);
    }

    /** Watches a job of so many seconds, with rings and history in a folder; gives the records taken. */
    static long watch(Path folder, int seconds) throws IOException {
        long begin = 1000 * SECOND;
        long epoch = 1_700_000_000L * SECOND;
        Path rings = folder.resolve("rings");
        NameTable names = new NameTable();
        LiveSimulation job =
                new LiveSimulation(LiveJobs.few(RANKS, 1, 1), new LivePace(20, 20, 20), LiveSimulation.kinds());
        AgentOptions options = AgentOptions.of(rings);
        try (RingOutput out = RingOutput.open(job, rings, "training", begin, epoch);
                HostAgent agent = new HostAgent(
                        new HostAgentSettings(options, folder.resolve("state"), RawHistory.LEAST_BYTES, null, false),
                        names,
                        new LocalJobs(names, Thresholds.DEFAULT, LiveOptions.DEFAULT, (of, change) -> {}),
                        epoch,
                        begin - SECOND)) {
            for (long now = begin - SECOND; now < begin + seconds * SECOND; now += options.lookNanos()) {
                out.until(now, epoch + now - begin);
                agent.look(now);
            }
            return agent.collector().records();
        }
    }
}
