package dev.argus.ring;

import dev.argus.model.DataProblem;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder in which the producers of one user leave their rings: what lies there, whose processes live, and what is wrong. Its content is
 * hostile; the folder itself must belong to us alone.
 */
public final class RingDirectory {
    private static final Pattern NAME = Pattern.compile("(\\d{1,10})-(\\d{1,20})\\.[A-Za-z0-9_]{1,32}\\.ring");
    private static final Pattern UNFINISHED = Pattern.compile("\\.(\\d{1,10})-\\d{1,20}\\..{1,64}");
    private static final Path PROC = Path.of("/proc");
    private static final int MOST_FILES = 4096;
    private static final int MOST_PROBLEMS = 64;

    private final Path folder;
    private final Path proc;

    private RingDirectory(Path folder, Path proc) {
        this.folder = folder;
        this.proc = proc;
    }

    /** {@code ARGUS_RING_DIR}, else {@code /dev/shm/argus-UID}. */
    public static RingDirectory standard(Map<String, String> environment) throws IOException {
        return of(RingFolder.standard(environment));
    }

    /** Another folder. */
    public static RingDirectory of(Path folder) {
        return new RingDirectory(folder, PROC);
    }

    static RingDirectory of(Path folder, Path proc) {
        return new RingDirectory(folder, proc);
    }

    /**
     * Makes a folder for this user alone (mode 0700) where it is missing, and checks it: the folder of rings, or another one of an agent.
     *
     * @throws RingException if it is a link, belongs to another user or is open to others
     */
    public static void prepare(Path folder) throws IOException {
        RingFolder.prepare(folder);
    }

    /** The folder. */
    public Path folder() {
        return folder;
    }

    /**
     * One ring found.
     *
     * @param path the file
     * @param header its header
     * @param hostProcess process id of the producer as seen here, or -1
     * @param life whether the producer lives
     * @param backlog records that nobody has taken yet
     */
    public record Entry(Path path, RingHeader header, long hostProcess, ProcessLife life, long backlog) {}

    /**
     * What lies in the folder.
     *
     * @param rings by path
     * @param problems what was refused and why; at most 64
     */
    public record Listing(List<Entry> rings, List<DataProblem> problems) {}

    /**
     * Looks. A folder that is not there holds nothing.
     *
     * @param nowMonotonic CLOCK_MONOTONIC, nanoseconds
     * @throws RingException if the folder is a link, belongs to another user or is open to others
     */
    public Listing list(long nowMonotonic) throws IOException {
        List<Entry> rings = new ArrayList<>();
        List<DataProblem> problems = new ArrayList<>();
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return new Listing(rings, problems);
        }
        String wrong = RingFolder.wrongFolder(folder);
        if (wrong != null) {
            throw new RingException(folder + " " + wrong);
        }
        ProcessTable processes = new ProcessTable(proc);
        for (Path path : paths(problems)) {
            String name = String.valueOf(path.getFileName());
            Matcher parts = NAME.matcher(name);
            if (parts.matches()) {
                entry(path, parts, processes, nowMonotonic, rings, problems);
            } else if (!name.startsWith(".")) {
                problem(problems, path, "is not named like a ring; remove it");
            }
        }
        return new Listing(List.copyOf(rings), List.copyOf(problems));
    }

    private List<Path> paths(List<DataProblem> problems) throws IOException {
        List<Path> paths = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path path : all) {
                if (paths.size() == MOST_FILES) {
                    problem(problems, folder, "holds more than " + MOST_FILES + " files; the others are not looked at");
                    break;
                }
                paths.add(path);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        paths.sort(Comparator.naturalOrder());
        return paths;
    }

    private void entry(
            Path path,
            Matcher name,
            ProcessTable processes,
            long nowMonotonic,
            List<Entry> rings,
            List<DataProblem> problems) {
        try {
            String wrong = RingFolder.wrongFile(path);
            if (wrong != null) {
                problem(problems, path, wrong);
                return;
            }
            Entry entry = read(path, processes, nowMonotonic);
            RingHeader header = entry.header();
            if (!name.group(1).equals(Integer.toString(header.process()))
                    || !name.group(2).equals(Long.toUnsignedString(header.startTicks()))) {
                problem(
                        problems,
                        path,
                        "says in its header that process " + header.process()
                                + " made it, which its name does not; remove it");
                return;
            }
            rings.add(entry);
        } catch (NoSuchFileException gone) {
            // removed since the folder was read: nothing to say
        } catch (IOException e) {
            problem(problems, path, "cannot be read: " + e.getMessage());
        }
    }

    private static Entry read(Path path, ProcessTable processes, long nowMonotonic) throws IOException {
        MemorySegment copy = RingHeaders.copy(path);
        RingHeader header = RingHeader.read(copy);
        long write = copy.get(RingLayout.LONG, RingLayout.AT_WRITE_POSITION);
        long taken = copy.get(RingLayout.LONG, RingLayout.AT_READ_POSITION);
        long heartbeat = copy.get(RingLayout.LONG, RingLayout.AT_HEARTBEAT);
        long silent = heartbeat <= 0 ? ageNanos(path) : Math.max(0, nowMonotonic - heartbeat);
        return new Entry(
                path,
                header,
                processes.find(header.process(), header.startTicks(), header.namespace()),
                processes.life(header, silent),
                Math.clamp(write - taken, 0, header.capacity()));
    }

    /**
     * Whether the producer of a ring lives whose file is not in the folder any more: somebody removed it while it was read.
     *
     * @param silentNanos for how long it has given no sign of life
     */
    public ProcessLife life(RingHeader header, long silentNanos) {
        return new ProcessTable(proc).life(header, silentNanos);
    }

    /**
     * Removes a ring whose producer is dead and of which everything was taken; looks again before.
     *
     * @return whether it was removed
     */
    public boolean removeDrained(Entry entry, long nowMonotonic) throws IOException {
        Entry now = again(entry, nowMonotonic);
        if (now == null || now.life() != ProcessLife.DEAD || now.backlog() != 0) {
            return false;
        }
        return Files.deleteIfExists(entry.path());
    }

    /** The same ring as it is now, or null when it is gone or another one. */
    private @Nullable Entry again(Entry entry, long nowMonotonic) throws IOException {
        try {
            if (RingFolder.wrongFile(entry.path()) != null) {
                return null;
            }
            Entry now = read(entry.path(), new ProcessTable(proc), nowMonotonic);
            return now.header().equals(entry.header()) ? now : null;
        } catch (NoSuchFileException | RingException e) {
            return null;
        }
    }

    /**
     * Removes what producers left that died while they made a ring: hidden files of processes that are gone, of this pid namespace.
     *
     * @return how many
     */
    public int removeUnfinished() throws IOException {
        int removed = 0;
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS) || RingFolder.wrongFolder(folder) != null) {
            return removed;
        }
        ProcessTable processes = new ProcessTable(proc);
        for (Path path : paths(new ArrayList<>())) {
            Matcher name = UNFINISHED.matcher(String.valueOf(path.getFileName()));
            if (name.matches() && isOld(path)) {
                long process = Long.parseLong(name.group(1));
                boolean lives = process <= Integer.MAX_VALUE && processes.find((int) process, 0, 0) >= 0;
                removed += !lives && Files.deleteIfExists(path) ? 1 : 0;
            }
        }
        return removed;
    }

    /** Of another pid namespace its process is not seen: but nobody takes an hour to make a file. */
    private static boolean isOld(Path path) throws IOException {
        return ageNanos(path) > ProcessTable.GONE_NANOS;
    }

    private static long ageNanos(Path path) throws IOException {
        long millis = System.currentTimeMillis()
                - Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toMillis();
        return Math.clamp(millis, 0, Long.MAX_VALUE / 2_000_000) * 1_000_000;
    }

    private static void problem(List<DataProblem> problems, Path path, String what) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(new DataProblem(
                    "ring-refused", RankSet.EMPTY, SafeText.of(String.valueOf(path.getFileName())) + " " + what));
        }
    }
}
