package dev.argus.hostlocal.live;

import dev.argus.model.KernelWindow;
import dev.argus.model.StepDigest;
import org.jspecify.annotations.Nullable;

/**
 * One step of one rank.
 *
 * @param digest how it was spent
 * @param kernels its compute kernels, or null when none were recorded
 */
public record RankStep(StepDigest digest, @Nullable KernelWindow kernels) {
    /** The same of another attempt. */
    RankStep of(int newAttempt) {
        return new RankStep(
                digest.of(newAttempt, digest.rank()), kernels == null ? null : kernels.of(newAttempt, kernels.rank()));
    }
}
