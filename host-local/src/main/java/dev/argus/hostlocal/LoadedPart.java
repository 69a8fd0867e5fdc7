package dev.argus.hostlocal;

import dev.argus.digest.AssembledTrace;
import dev.argus.model.TraceHeader;
import dev.argus.trace.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rank's trace after reading: what it is, and where its digests and kernels lie.
 *
 * @param label how people call the file
 * @param format format of the file
 * @param status how far it could be read
 * @param header what it says about itself
 * @param trace what it held
 * @param steps its steps in order of time
 * @param side true for what holds no events, but speaks of a rank: it joins the job and is no trace of an attempt
 */
record LoadedPart(
        String label,
        String format,
        Status status,
        TraceHeader header,
        AssembledTrace trace,
        List<LoadedStep> steps,
        boolean side) {

    /**
     * Where one step's records lie.
     *
     * @param step the framework's number
     * @param digest the digest
     * @param kernels its kernels; null when it has none
     */
    record LoadedStep(long step, SpillStore.Ref digest, SpillStore.@Nullable Ref kernels) {}

    /** True for the log of a whole job: it has the same steps as any trace, and says less of them. */
    boolean isLog() {
        return format.equals("megatron-log");
    }

    /** True if there is anything to judge: steps, work of a GPU, or collectives. */
    boolean hasEvents() {
        if (side) {
            return false;
        }
        boolean stepped = trace.stepSource() != AssembledTrace.StepSource.NONE && !steps.isEmpty();
        return stepped || trace.gpu() || !trace.groups().isEmpty();
    }
}
