package dev.argus.ring;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which processes live, by process id and start, so that a number used again is not taken for its predecessor. A ring of another pid
 * namespace is looked up by the last number of {@code NSpid}; all processes are read once a table for it. A table is of one moment.
 */
final class ProcessTable {
    /** A producer of a namespace we do not see, silent for so long, is taken for dead. */
    static final long GONE_NANOS = 3_600_000_000_000L;

    private static final int START_FIELD = 22;
    private static final int STATE_FIELD = 3;
    private static final int MOST_BYTES = 8192;
    private static final int MOST_PROCESSES = 1 << 17;

    private final Path proc;
    private final long namespace;
    private final Map<Long, List<Long>> inner = new HashMap<>();
    private final Map<Producer, Long> found = new HashMap<>();
    private boolean scanned;

    private record Producer(int process, long startTicks, long namespace) {}

    ProcessTable(Path proc) {
        this.proc = proc;
        this.namespace = namespaceOf("self");
    }

    /** Inode of our own pid namespace, 0 when the system does not tell. */
    long namespace() {
        return namespace;
    }

    /** The process id here of the producer of a ring, or -1 when it is not among the living. Looked at once a table: a process has several rings, each asked for twice. */
    long find(int process, long startTicks, long processNamespace) {
        return found.computeIfAbsent(
                new Producer(process, startTicks, processNamespace),
                p -> look(p.process(), p.startTicks(), p.namespace()));
    }

    private long look(int process, long startTicks, long processNamespace) {
        if (processNamespace == 0 || namespace == 0 || processNamespace == namespace) {
            return started(process, startTicks) ? process : -1;
        }
        scan();
        for (long candidate : inner.getOrDefault((long) process, List.of())) {
            long of = namespaceOf(Long.toString(candidate));
            if ((of == 0 || of == processNamespace) && started(candidate, startTicks)) {
                return candidate;
            }
        }
        return -1;
    }

    /** Life of a producer, from the process table and its silence. */
    ProcessLife life(RingHeader header, long silentNanos) {
        if (find(header.process(), header.startTicks(), header.namespace()) >= 0) {
            return ProcessLife.ALIVE;
        }
        boolean here = header.namespace() == 0 || namespace == 0 || header.namespace() == namespace;
        return here || silentNanos > GONE_NANOS ? ProcessLife.DEAD : ProcessLife.UNSEEN;
    }

    /** True if the process runs and began then; 0 ticks fit any. */
    private boolean started(long process, long startTicks) {
        String stat = read(proc.resolve(Long.toString(process)).resolve("stat"));
        int name = stat.lastIndexOf(')'); // the name may hold blanks and brackets
        if (name < 0) {
            return false;
        }
        String[] fields = stat.substring(name + 1).strip().split(" ", -1);
        if (fields.length <= START_FIELD - STATE_FIELD || fields[0].equals("Z") || fields[0].equals("X")) {
            return false;
        }
        return startTicks == 0 || fields[START_FIELD - STATE_FIELD].equals(Long.toUnsignedString(startTicks));
    }

    private void scan() {
        if (scanned) {
            return;
        }
        scanned = true;
        int seen = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : all) {
                if (++seen > MOST_PROCESSES) {
                    return;
                }
                remember(process);
            }
        } catch (IOException e) {
            // no process table: nobody is seen, and what is not seen is not called dead
        }
    }

    private void remember(Path process) {
        for (String line : read(process.resolve("status")).split("\n", -1)) {
            String[] numbers = line.split("\\s+", -1);
            if (numbers[0].equals("NSpid:") && numbers.length > 2) {
                long own = number(numbers[numbers.length - 1]);
                inner.computeIfAbsent(own, k -> new ArrayList<>()).add(number(String.valueOf(process.getFileName())));
            }
        }
    }

    private long namespaceOf(String process) {
        try {
            String link = Files.readSymbolicLink(proc.resolve(process).resolve("ns/pid"))
                    .toString();
            return link.startsWith("pid:[") && link.endsWith("]") ? number(link.substring(5, link.length() - 1)) : 0;
        } catch (IOException | UnsupportedOperationException e) {
            return 0;
        }
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    private static String read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MOST_BYTES), ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
