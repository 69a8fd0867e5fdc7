package dev.argus.simulator;

import dev.argus.digest.AssembledTrace;
import dev.argus.digest.JobBuilder;
import dev.argus.digest.KernelListener;
import dev.argus.digest.RankAssembler;
import dev.argus.model.KernelClass;
import dev.argus.model.KernelSummary;
import dev.argus.model.NameTable;
import dev.argus.sketch.DurationHistogram;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Hands simulated jobs to detectors as step digests and kernel summaries, without files: what reading the traces would
 * give, for thousands of ranks.
 */
public final class RecordOutput {
    private RecordOutput() {}

    /**
     * Delivers all records of a job.
     *
     * <p>Cost: about 1 us per operation, rank and step; one rank's events in memory at a time.
     *
     * @param job job
     * @param names table that the records' name ids belong to
     * @param sink takes the records
     */
    public static void deliver(SimulatedJob job, NameTable names, RecordSink sink) {
        Scenario scenario = job.scenario();
        Set<Integer> missing = scenario.damage().missingRanks(scenario);
        JobBuilder builder = new JobBuilder(0, names);
        for (int rank = 0; rank < scenario.layout().world(); rank++) {
            if (missing.contains(rank)) {
                continue;
            }
            RankAssembler assembler = new RankAssembler(names);
            EventRecorder recorder = new EventRecorder(scenario, rank, names, assembler);
            scenario.damage().tell(job, rank, recorder);
            Summaries kernels = new Summaries(rank, sink);
            AssembledTrace trace = assembler.finish(rank, false, sink::digest, kernels);
            kernels.flush();
            builder.add(rank, KinetoRecorder.header(scenario, rank), trace);
        }
        sink.shape(builder.build(null));
    }

    /** One summary per kernel and step, its streams together. */
    private static final class Summaries implements KernelListener {
        private final int rank;
        private final RecordSink sink;
        private final Map<Integer, Open> open = new TreeMap<>();
        private long step = Long.MIN_VALUE;

        Summaries(int rank, RecordSink sink) {
            this.rank = rank;
            this.sink = sink;
        }

        @Override
        public void kernel(
                long own, int name, int stream, KernelClass kernelClass, long durationNanos, long workItems) {
            if (own != step) {
                flush();
                step = own;
            }
            Open o = open.computeIfAbsent(name, n -> new Open(kernelClass));
            o.durations.add(durationNanos);
            o.workItems += workItems;
        }

        void flush() {
            open.forEach((name, o) -> {
                double[] quantiles = new double[KernelSummary.KNOTS];
                o.durations.quantiles(quantiles);
                sink.kernel(new KernelSummary(
                        0,
                        rank,
                        step,
                        name,
                        o.kernelClass,
                        o.durations.count(),
                        o.durations.sumNanos(),
                        o.workItems,
                        quantiles));
            });
            open.clear();
        }
    }

    private static final class Open {
        private final DurationHistogram durations = new DurationHistogram();
        private final KernelClass kernelClass;
        private long workItems;

        Open(KernelClass kernelClass) {
            this.kernelClass = kernelClass;
        }
    }
}
