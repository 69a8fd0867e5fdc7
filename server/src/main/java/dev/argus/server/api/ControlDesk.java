package dev.argus.server.api;

import dev.argus.model.RankSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who has agents do something: commands go out with the replies to their frames. Called by many threads. */
public interface ControlDesk {
    /**
     * Record otherwise; null leaves a value as it is.
     *
     * @param ranks ranks, empty for all
     * @param signals bits of {@link dev.argus.model.Signal}, 0 to 65,535
     * @param sampling kernels of one step in so many are recorded, 1 to 65,535
     * @param stacksPerSecond stacks sampled a second, 0 for none, at most 1,000
     */
    record Tuning(
            RankSet ranks,
            @Nullable Integer signals,
            @Nullable Integer sampling,
            @Nullable Integer stacksPerSecond) {}

    /**
     * Send what was recorded in a time, at most an hour.
     *
     * @param ranks ranks, empty for all
     * @param fromNanos begin, nanoseconds since the Unix epoch
     * @param toNanos end, not before the begin
     */
    record Excerpt(RankSet ranks, long fromNanos, long toNanos) {}

    /**
     * What was ordered.
     *
     * @param commands numbers of the commands
     * @param hosts agents that will get one with their next frame
     */
    record Ordered(List<Long> commands, int hosts) {
        /** Copies the list. */
        public Ordered {
            commands = List.copyOf(commands);
        }
    }

    /**
     * Orders a retune.
     *
     * @param job a job that is watched
     * @throws NotOrderedException if none of its agents can do it
     */
    Ordered retune(String job, Tuning tuning) throws NotOrderedException;

    /**
     * Orders an excerpt.
     *
     * @param job a job that is watched
     * @throws NotOrderedException if none of its agents can do it
     */
    Ordered excerpt(String job, Excerpt excerpt) throws NotOrderedException;
}
