package dev.argus.model;

/**
 * What an agent is asked to do, in the reply to what it ships. It concerns one job, and only its ranks on the agent's host.
 *
 * <p>Commands may come twice and are done once: ids ascend over the life of a job, restarts of the server included.
 */
public sealed interface AgentCommand {
    /** Most ranks one command may list. */
    int MOST_RANKS = 4096;

    /** Longest excerpt that may be asked for: an hour. */
    long LONGEST_EXCERPT_NANOS = 3_600_000_000_000L;

    /** Ascending number; &gt;= 1. */
    long id();

    /** The job it concerns. */
    String job();

    /** The ranks it concerns; empty for all of the host. */
    RankSet ranks();

    /**
     * Record other signals, or fewer of them.
     *
     * @param id number
     * @param job job
     * @param ranks ranks
     * @param signals one bit a signal, as in the control word of the ring: 0 to 65,535
     * @param sampling kernels of one step in so many are recorded: 1 to 65,535
     * @param stacksPerSecond stacks sampled a second and thread, 0 for none, at most 1,000
     */
    record Retune(long id, String job, RankSet ranks, int signals, int sampling, int stacksPerSecond)
            implements AgentCommand {
        /** Most stacks a second. */
        public static final int MOST_STACKS_PER_SECOND = 1_000;

        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a value is outside
         */
        public Retune {
            check(id, ranks);
            require(signals >= 0 && signals <= 0xFFFF, "signals " + signals + ", expected 0 to 65535");
            require(sampling >= 1 && sampling <= 0xFFFF, "sampling " + sampling + ", expected 1 to 65535");
            require(
                    stacksPerSecond >= 0 && stacksPerSecond <= MOST_STACKS_PER_SECOND,
                    stacksPerSecond + " stacks a second, expected 0 to " + MOST_STACKS_PER_SECOND);
        }
    }

    /**
     * Send what was recorded in a time.
     *
     * @param id number
     * @param job job
     * @param ranks ranks
     * @param attempt attempt of the job
     * @param fromNanos begin, nanoseconds since the Unix epoch by the clock of the agent's host
     * @param toNanos end; not before the begin and at most {@link #LONGEST_EXCERPT_NANOS} behind it
     */
    record SendExcerpt(long id, String job, RankSet ranks, int attempt, long fromNanos, long toNanos)
            implements AgentCommand {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a value is outside
         */
        public SendExcerpt {
            check(id, ranks);
            require(attempt >= 0, "attempt " + attempt);
            require(
                    fromNanos >= 0 && toNanos >= fromNanos && toNanos - fromNanos <= LONGEST_EXCERPT_NANOS,
                    "excerpt from " + fromNanos + " to " + toNanos + ", expected at most an hour");
        }
    }

    private static void check(long id, RankSet ranks) {
        require(id >= 1, "id " + id + ", expected at least 1");
        require(ranks.size() <= MOST_RANKS, ranks.size() + " ranks, expected at most " + MOST_RANKS);
    }

    private static void require(boolean holds, String found) {
        if (!holds) {
            throw new IllegalArgumentException("command: " + found);
        }
    }
}
