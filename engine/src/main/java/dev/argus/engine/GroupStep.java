package dev.argus.engine;

import dev.argus.model.CollectiveStat;
import dev.argus.model.PackedCollectives;
import java.util.List;

/**
 * The collectives of one rank, group and step, in order: what {@link GroupWaits} takes.
 *
 * @param attempt attempt of the job
 * @param group position of the group in the shape of the job
 * @param rank global rank
 * @param step step
 * @param mover what moves their bytes
 * @param collectives collectives of that group by start
 */
public record GroupStep(int attempt, int group, int rank, long step, Mover mover, PackedCollectives collectives) {
    /** Of a GPU, and of collectives in any list; they are packed. */
    public GroupStep(int attempt, int group, int rank, long step, List<CollectiveStat> collectives) {
        this(attempt, group, rank, step, Mover.GPU, PackedCollectives.of(collectives));
    }
}
