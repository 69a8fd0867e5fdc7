package dev.argus.simulator;

import dev.argus.digest.AssembledTrace;
import dev.argus.digest.JobBuilder;
import dev.argus.digest.RankAssembler;
import dev.argus.model.NameTable;
import dev.argus.model.TraceHeader;
import dev.argus.sketch.StepWindows;
import java.util.Set;

/**
 * Hands simulated jobs to detectors as step digests and kernel windows, without files: what reading the traces would
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
            StepWindows kernels = new StepWindows(0, rank, sink::kernels);
            AssembledTrace trace = assembler.finish(rank, false, sink::digest, kernels::add);
            kernels.flush();
            TraceHeader header = KinetoRecorder.header(scenario, rank);
            sink.rank(rank, header, trace);
            builder.add(rank, header, trace);
        }
        sink.shape(builder.build(null));
    }
}
