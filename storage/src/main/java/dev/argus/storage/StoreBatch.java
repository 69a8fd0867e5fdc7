package dev.argus.storage;

import java.util.List;
import java.util.Map;

/**
 * Rows and the state they belong to: what {@link Store#commit} keeps at once.
 *
 * @param number ascending; a batch that is not above the last one committed is refused
 * @param atNanos when it was closed, nanoseconds since the Unix epoch
 * @param jobs attempts of jobs
 * @param ranks where ranks run
 * @param steps steps of jobs
 * @param phases phases of those
 * @param rankSteps steps of ranks
 * @param kernels kernels of windows
 * @param incidents changes of incidents
 * @param losses losses
 * @param objects objects
 * @param pictures what pictures of incidents are drawn from
 * @param state state of the server by name, all of it; replaces what was committed before. Arrays are not copied
 */
public record StoreBatch(
        long number,
        long atNanos,
        List<Rows.Job> jobs,
        List<Rows.Rank> ranks,
        List<Rows.Step> steps,
        List<Rows.Phase> phases,
        List<Rows.RankStep> rankSteps,
        List<Rows.Kernel> kernels,
        List<Rows.Incident> incidents,
        List<Rows.Loss> losses,
        List<Rows.StoredObject> objects,
        List<Rows.Picture> pictures,
        Map<String, byte[]> state) {
    /** Copies the map; the lists are not copied and must not change any more. */
    public StoreBatch {
        state = Map.copyOf(state);
    }

    /** Without pictures. */
    public StoreBatch(
            long number,
            long atNanos,
            List<Rows.Job> jobs,
            List<Rows.Rank> ranks,
            List<Rows.Step> steps,
            List<Rows.Phase> phases,
            List<Rows.RankStep> rankSteps,
            List<Rows.Kernel> kernels,
            List<Rows.Incident> incidents,
            List<Rows.Loss> losses,
            List<Rows.StoredObject> objects,
            Map<String, byte[]> state) {
        this(
                number, atNanos, jobs, ranks, steps, phases, rankSteps, kernels, incidents, losses, objects, List.of(),
                state);
    }
}
