package dev.argus.agent;

import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which attempt of each job is the newest, and in which process each of its ranks runs. With a file an agent that starts again goes on counting where
 * the one before was: to a server an attempt that is lower than one it has seen is over.
 *
 * <pre>
 * magic "ARGB"  version:byte=1  jobs  jobs x { name:text  attempt  ranks  ranks x { rank  namespace:8 bytes  pid  startTicks:8 bytes } }  CRC-32C
 * </pre>
 *
 * <p>Bounded: {@value #MOST_JOBS} jobs, of more the one begun first is forgotten; {@value #MOST_RANKS} ranks each. A file that is damaged or gone costs
 * what was known. One thread.
 */
final class AttemptBook {
    static final int MOST_JOBS = 64;
    static final int MOST_RANKS = 4096;
    private static final int MAGIC = 'A' | 'R' << 8 | 'G' << 16 | 'B' << 24;
    private static final int VERSION = 1;
    private static final long MOST_FILE_BYTES = 8 << 20;

    private final @Nullable Path file;
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private String problem = "";
    private boolean unsaved;
    private boolean replaced;

    private static final class Job {
        int current;
        final Map<Integer, RankProcess.Key> ranks = new HashMap<>();
    }

    /** @param file where it is kept, or null */
    AttemptBook(@Nullable Path file) {
        this.file = file;
        if (file != null && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            try {
                if (Files.size(file) > MOST_FILE_BYTES) {
                    throw new WireException("it is too large");
                }
                read(WireReader.checked(Files.readAllBytes(file), "the count of attempts"));
            } catch (IOException | WireException damaged) {
                jobs.clear();
                problem = "attempts are counted anew: " + damaged.getMessage();
            }
        }
    }

    /** What went wrong with the file, in a sentence; empty when nothing did. */
    String problem() {
        return problem;
    }

    /**
     * The attempt that a process of a rank belongs to: the stated one; else, where the rank's process before is gone, the next one, unless most of the other
     * ranks known here go on: then the rank was replaced alone, as elastic training does, and the attempt goes on.
     *
     * @param stated attempt that the job states, 0 unless it counts
     * @param lives whether a process is still watched
     * @return the attempt, -1 when another living process has the rank
     */
    int begin(String job, int rank, int stated, RankProcess.Key key, Predicate<RankProcess.Key> lives) {
        Job of = jobs.get(job);
        if (of == null) {
            if (jobs.size() >= MOST_JOBS) {
                jobs.remove(jobs.keySet().iterator().next());
            }
            of = new Job();
            jobs.put(job, of);
        }
        RankProcess.Key before = of.ranks.get(rank);
        boolean other = before != null && !before.equals(key);
        boolean gone = other && !lives.test(before);
        replaced = gone && stated <= of.current && mostGoOn(of, rank, lives);
        if (stated > of.current || (gone && !replaced)) {
            of.current = Math.max(stated, of.current + 1);
            of.ranks.clear();
        } else if (other && !gone) {
            return -1;
        }
        if (!key.equals(before) && (before != null || of.ranks.size() < MOST_RANKS)) {
            of.ranks.put(rank, key);
            unsaved = true;
        }
        return of.current;
    }

    /** True if the process that began last took the place of another one in an attempt that goes on. */
    boolean replaced() {
        return replaced;
    }

    /** True if more than half of the other ranks of the attempt are in the processes they were in. */
    private static boolean mostGoOn(Job job, int rank, Predicate<RankProcess.Key> lives) {
        int others = 0;
        int living = 0;
        for (Map.Entry<Integer, RankProcess.Key> e : job.ranks.entrySet()) {
            if (e.getKey() != rank) {
                others++;
                living += lives.test(e.getValue()) ? 1 : 0;
            }
        }
        return 2 * living > others;
    }

    private void read(WireReader in) {
        if (in.readFixedInt() != MAGIC || in.readByte() != VERSION) {
            throw new WireException("the count of attempts is of another version, expected " + VERSION);
        }
        for (int n = in.readCount(3); n > 0; n--) {
            String name = in.readText();
            Job job = new Job();
            job.current = in.readInt();
            for (int r = in.readCount(18); r > 0; r--) {
                int rank = in.readInt();
                job.ranks.put(rank, new RankProcess.Key(in.readLong(), in.readInt(), in.readLong()));
            }
            jobs.put(name, job);
        }
        in.expectEnd();
    }

    /** Writes what has changed since the last call: once for all the ranks that began together. */
    void save() {
        if (file == null || !unsaved) {
            return;
        }
        unsaved = false;
        WireWriter out = new WireWriter();
        out.writeFixedInt(MAGIC).writeByte(VERSION).writeVarint(jobs.size());
        jobs.forEach((name, job) -> {
            out.writeText(name).writeVarint(job.current).writeVarint(job.ranks.size());
            job.ranks.forEach((rank, key) -> out.writeVarint(rank)
                    .writeLong(key.namespace())
                    .writeVarint(key.pid())
                    .writeLong(key.startTicks()));
        });
        try {
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.write(fresh, out.writeChecksum(0).toByteArray());
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException full) {
            problem = "the count of attempts cannot be written, so an agent that starts again may count anew: "
                    + full.getMessage();
        }
    }
}
