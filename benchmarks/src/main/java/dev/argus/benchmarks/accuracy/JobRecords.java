package dev.argus.benchmarks.accuracy;

import dev.argus.engine.Concluded;
import dev.argus.engine.DetectorGraph;
import dev.argus.engine.Thresholds;
import dev.argus.engine.WhatIf;
import dev.argus.hostlocal.GraphRunner;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StepDigest;
import dev.argus.simulator.RecordOutput;
import dev.argus.simulator.RecordSink;
import dev.argus.simulator.SimulatedJob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The records of one simulated job, kept by step, so that they can be judged as often as wanted. */
public final class JobRecords implements RecordSink {
    private final NameTable names = new NameTable();
    private final NavigableMap<Long, List<StepDigest>> digests = new TreeMap<>();
    private final Map<Long, List<KernelWindow>> kernels = new TreeMap<>();
    private final Set<Long> cut = new HashSet<>();
    private @Nullable JobShape shape;

    private JobRecords() {}

    /** The records of a job. */
    public static JobRecords of(SimulatedJob job) {
        JobRecords records = new JobRecords();
        RecordOutput.deliver(job, records.names, records);
        return records;
    }

    @Override
    public void digest(StepDigest digest) {
        digests.computeIfAbsent(digest.step(), s -> new ArrayList<>()).add(digest);
        if (digest.partial()) {
            cut.add(key(digest.rank(), digest.step()));
        }
    }

    @Override
    public void kernels(KernelWindow window) {
        kernels.computeIfAbsent(window.window(), s -> new ArrayList<>()).add(window);
    }

    @Override
    public void shape(JobShape found) {
        this.shape = found;
    }

    private static long key(int rank, long step) {
        return (long) rank << 40 | step;
    }

    /** The shape of the job. */
    public JobShape shape() {
        return Objects.requireNonNull(shape);
    }

    /** The digests of a step, rank by rank. */
    public List<StepDigest> digests(long step) {
        return digests.getOrDefault(step, List.of());
    }

    /** The kernels of a step, rank by rank. */
    public List<KernelWindow> kernels(long step) {
        return kernels.getOrDefault(step, List.of());
    }

    /** All steps, ascending. */
    public List<Long> steps() {
        return List.copyOf(digests.keySet());
    }

    /** What the detectors conclude from all steps, suspects priced as in a diagnosis. */
    public Concluded diagnose() {
        TreeSet<Long> steps = new TreeSet<>(digests.keySet());
        return new WhatIf(shape(), Thresholds.DEFAULT).price(conclude(steps.last()), steps, this::digests);
    }

    /** What the detectors conclude from the steps up to one of them. */
    public Concluded conclude(long lastStep) {
        SortedSet<Long> seen = new TreeSet<>(digests.headMap(lastStep, true).keySet());
        return new WhatIf(shape(), Thresholds.DEFAULT).price(unpriced(lastStep), seen, this::digests);
    }

    /** The same before prices are held against a replay. */
    Concluded unpriced(long lastStep) {
        GraphRunner runner = new GraphRunner(new DetectorGraph(shape(), names, Thresholds.DEFAULT));
        for (long step : digests.keySet()) {
            if (step > lastStep) {
                break;
            }
            digests(step).forEach(runner::take);
            for (KernelWindow window : kernels(step)) {
                if (!cut.contains(key(window.rank(), step))) {
                    runner.take(window);
                }
            }
        }
        return runner.finish().getFirst();
    }
}
