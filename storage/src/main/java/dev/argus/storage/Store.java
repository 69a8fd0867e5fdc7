package dev.argus.storage;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows and state of a server. What {@link #commit} has returned from survives the death of the process; a batch is there as a whole or not at all.
 *
 * <p>Thread-safe; commits and maintenance are one at a time, reads go on meanwhile.
 */
public interface Store extends AutoCloseable {
    /** Number of the last batch committed, 0 for none. */
    long committed();

    /** State that was committed with it, by name; empty before the first. */
    Map<String, byte[]> state() throws IOException;

    /**
     * Keeps a batch.
     *
     * @throws StoreFullException if there is no room, after what retention may remove was removed; nothing of the batch was kept, and the same may be tried again
     * @throws IOException if the disk fails
     */
    void commit(StoreBatch batch) throws IOException;

    /**
     * Removes and moves what retention says, within the disk budget.
     *
     * @param nowNanos now, nanoseconds since the Unix epoch
     */
    void maintain(long nowNanos) throws IOException;

    /** How it is. */
    StoreStatus status();

    /**
     * Answers a question of a user: one statement that only reads, with bounds on memory, time and rows and no way to files, network or settings.
     *
     * @throws QueryException if it is no such statement, fails, or takes more than it may
     */
    QueryResult query(String sql, QueryLimits limits) throws QueryException;

    /** Attempts of jobs, newest first. */
    List<Rows.Job> jobs(int most) throws IOException;

    /** Ranks of an attempt. */
    List<Rows.Rank> ranks(String job, int attempt) throws IOException;

    /** Steps of an attempt from one to another, inclusive, in order; when there are more, every so many so that at most so many come. */
    List<Rows.Step> steps(String job, int attempt, long from, long to, int most) throws IOException;

    /** Phases of these steps, in order. */
    List<Rows.Phase> phases(String job, int attempt, long from, long to, int most) throws IOException;

    /** Steps of one rank, in order. */
    List<Rows.RankStep> rankSteps(String job, int attempt, int rank, long from, long to, int most) throws IOException;

    /**
     * A value of all ranks in the newest steps of a range that there is room for. Cost: reading what is kept of these steps.
     *
     * @param most steps at most
     * @param mostCells ranks times steps at most
     */
    RankMap rankMap(String job, int attempt, RankValue value, long from, long to, int most, int mostCells)
            throws IOException;

    /** Kernels of the windows from one to another, most time first. */
    List<Rows.Kernel> kernels(String job, int attempt, long from, long to, int most) throws IOException;

    /**
     * The newest change of each incident, those that last first, then most costly first; without their documents, which are many KiB each and of thousands would fill the memory ({@link #changes} has them).
     *
     * @param job job, or null for all
     * @param state {@code open}, {@code ongoing} or {@code resolved}, or null for all
     */
    List<Rows.Incident> incidents(@Nullable String job, @Nullable String state, int most) throws IOException;

    /** All changes of an incident, oldest first; empty when it is not known. */
    List<Rows.Incident> changes(String id) throws IOException;

    /** The newest picture of a kind of an incident; empty where none was kept. */
    Optional<Rows.Picture> picture(String incident, String kind) throws IOException;

    /** Objects of a job or incident, newest first; null for any. */
    List<Rows.StoredObject> objects(@Nullable String job, @Nullable String incident, int most) throws IOException;

    @Override
    void close() throws IOException;
}
