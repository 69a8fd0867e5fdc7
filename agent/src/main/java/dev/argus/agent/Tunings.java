package dev.argus.agent;

import dev.argus.model.RankSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for, by job and rank, so that ranks that start later get it, too: first what holds for all jobs, then for the job, then for the rank.
 * Bounded: {@value #MOST} entries, of more the oldest goes. One thread.
 */
final class Tunings {
    static final int MOST = 4096;
    private static final int ALL_RANKS = -1;

    private record Of(@Nullable String job, int rank) {}

    private final Map<Of, Tuning> asked = new LinkedHashMap<>();

    /**
     * Notes something that was asked for.
     *
     * @param job the job, null for all
     * @param ranks ranks, empty for all
     */
    void add(@Nullable String job, RankSet ranks, Tuning tuning) {
        if (ranks.isEmpty()) {
            // what is asked of all of them holds for those, too, that were asked for something else before
            asked.keySet().removeIf(of -> of.rank != ALL_RANKS && (job == null || job.equals(of.job)));
            put(new Of(job, ALL_RANKS), tuning);
        } else {
            ranks.stream().forEach(rank -> put(new Of(job, rank), tuning));
        }
    }

    private void put(Of of, Tuning tuning) {
        asked.merge(of, tuning, Tuning::then);
        if (asked.size() > MOST) {
            asked.remove(asked.keySet().iterator().next());
        }
    }

    /** All that was asked of a rank of a job. */
    Tuning of(String job, int rank) {
        Tuning all = Tuning.NOTHING;
        for (Of of :
                new Of[] {new Of(null, ALL_RANKS), new Of(job, ALL_RANKS), new Of(null, rank), new Of(job, rank)}) {
            all = all.then(asked.getOrDefault(of, Tuning.NOTHING));
        }
        return all;
    }
}
