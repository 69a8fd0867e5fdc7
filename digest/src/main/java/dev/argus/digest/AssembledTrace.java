package dev.argus.digest;

import dev.argus.model.CommunicatorTrail;
import dev.argus.model.GroupUse;
import dev.argus.model.RankDeclaration;
import dev.argus.model.TraceFacts;
import dev.argus.model.TraceHeader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one part of a trace file held, beside the digests it gave.
 *
 * @param devices facts per GPU, the GPU with most work first; one entry without kernels when there was no GPU
 * @param steps the CPU's marks of steps, ascending by number
 * @param stepSource where the steps are from
 * @param gpu true when there was work of a GPU
 * @param groups use of process groups by its collectives
 * @param trails ends of the calls of communicators that do not name their group
 * @param workSignature hash of the distinct names of its compute kernels: equal for ranks that do the same work; 0 without
 *     kernels
 * @param lostLaunches launches whose kernel is missing, in steps that are not compared because of it
 * @param firstNanos start of the first event, nanoseconds since the epoch, 0 when there is none
 * @param lastNanos end of the last event, 0 when there is none
 * @param quarantined events set aside, by reason
 */
public record AssembledTrace(
        List<DeviceFacts> devices,
        List<TraceFacts.StepDuration> steps,
        StepSource stepSource,
        boolean gpu,
        List<GroupUse> groups,
        List<CommunicatorTrail> trails,
        long workSignature,
        long lostLaunches,
        long firstNanos,
        long lastNanos,
        Map<String, Long> quarantined) {

    /** This one and what was recorded of the same rank after it: groups used in either, the newest trails, kernels and losses of both. */
    public AssembledTrace then(AssembledTrace later) {
        Map<Integer, GroupUse> uses = new LinkedHashMap<>();
        groups.forEach(g -> uses.put(g.group(), g));
        later.groups.forEach(g -> uses.merge(g.group(), g, GroupUses::both));
        Map<String, Long> aside = new TreeMap<>(quarantined);
        later.quarantined.forEach((reason, n) -> aside.merge(reason, n, Long::sum));
        return new AssembledTrace(
                later.gpu || !gpu ? later.devices : devices,
                later.steps,
                later.stepSource,
                gpu || later.gpu,
                List.copyOf(uses.values()),
                later.trails.isEmpty() ? trails : later.trails,
                later.workSignature == 0 ? workSignature : later.workSignature,
                lostLaunches + later.lostLaunches,
                firstNanos == 0 ? later.firstNanos : firstNanos,
                Math.max(lastNanos, later.lastNanos),
                aside);
    }

    /**
     * What the rank declares: what {@link JobBuilder} builds the shape of the job from.
     *
     * @param attempt attempt of the job
     * @param rank global rank
     * @param header what its record says about itself
     * @param gpuUuid uuid of its GPU, or empty
     */
    public RankDeclaration declaration(int attempt, int rank, TraceHeader header, String gpuUuid) {
        int index = devices.isEmpty() ? -1 : devices.getFirst().device();
        return new RankDeclaration(attempt, rank, header, index, gpuUuid, gpu, groups, trails, workSignature);
    }

    /**
     * Kernels of one GPU.
     *
     * @param device GPU index as in the trace, -1 when there is none
     * @param kernels kernel events
     * @param kernelNanos plain sum of durations
     * @param commNanos plain sum over communication kernels
     * @param busyNanos union of their intervals
     */
    public record DeviceFacts(int device, long kernels, long kernelNanos, long commNanos, long busyNanos) {}

    /** Where the steps of a rank are from, best first. */
    public enum StepSource {
        /** The profiler's marks on the CPU. */
        MARKS,
        /** The shadow of the marks on the GPU. */
        GPU_MARKS,
        /** The end of the optimizer's range. */
        OPTIMIZER,
        /** A named range that repeats. */
        ANNOTATION,
        /** The kernels of the optimizer, which run once a step. */
        OPTIMIZER_KERNELS,
        /** None: the whole record is taken as one. */
        NONE
    }
}
