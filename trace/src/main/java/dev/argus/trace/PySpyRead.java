package dev.argus.trace;

import dev.argus.model.NameTable;
import dev.argus.model.StackFrames;
import dev.argus.model.StackRecord;
import dev.argus.model.TraceHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code py-spy dump} prints, as text or with {@code --json}: the stacks of the threads of one process or of several.
 *
 * <p>In text a process begins with its line, or with its main thread where the lines of processes were cut away. The rank is
 * that of the file's name, where the file holds one process. Arguments and locals are not read.
 */
final class PySpyRead {
    private static final Pattern PROCESS = Pattern.compile("Process (\\d{1,10}): .*");
    private static final Pattern THREAD =
            Pattern.compile("Thread (0[xX][0-9a-fA-F]{1,16}|\\d{1,20}) \\(([^)]{1,40})\\)(?:: \"(.*)\")?\\s*");
    private static final Pattern FRAME = Pattern.compile(" {4}(\\S.*) \\((.*)\\)\\s*");
    private static final int MAX_PROCESSES = 1 << 16;

    private final TraceFile file;
    private final NameTable names;
    private final SideOutcome out;
    private final Map<String, StackCollector> processes = new LinkedHashMap<>();

    PySpyRead(TraceFile file, NameTable names, String format) {
        this.file = file;
        this.names = names;
        this.out = new SideOutcome(file, format);
    }

    /** True if text looks like such a dump. */
    static boolean recognises(String text) {
        return text.lines().limit(200).anyMatch(l -> THREAD.matcher(l).matches());
    }

    // ---------------------------------------------------------------- text

    ReadOutcome text(List<String> lines) {
        String process = "";
        String thread = "";
        boolean active = true;
        List<String> frames = new ArrayList<>();
        boolean open = false;
        for (String line : lines) {
            Matcher named = PROCESS.matcher(line);
            Matcher begun = THREAD.matcher(line);
            if (named.matches() || begun.matches()) {
                if (open) {
                    add(process, thread, active, frames);
                }
                open = begun.matches();
                frames = new ArrayList<>();
            }
            if (named.matches()) {
                process = named.group(1);
            } else if (begun.matches()) {
                String name = begun.group(3);
                thread = name == null ? "" : name;
                active = begun.group(2).startsWith("active");
                boolean first = processes.isEmpty() && process.isEmpty();
                if (first || (thread.equals(StackFrames.MAIN_THREAD) && hasMain(process))) {
                    process = begun.group(1);
                }
            } else if (open) {
                Matcher frame = FRAME.matcher(line);
                if (frame.matches()) {
                    frames.add(frame.group(1) + " (" + frame.group(2) + ")");
                }
            }
        }
        if (open) {
            add(process, thread, active, frames);
        }
        return outcome();
    }

    private boolean hasMain(String process) {
        StackCollector known = processes.get(process);
        return known != null && !known.isEmpty();
    }

    private void add(String process, String thread, boolean active, List<String> frames) {
        if (processes.size() < MAX_PROCESSES || processes.containsKey(process)) {
            processes.computeIfAbsent(process, p -> new StackCollector(false)).add(thread, active, 1, frames);
        }
    }

    // ---------------------------------------------------------------- JSON

    /** True if a list begins like one of threads. */
    static boolean recognisesJson(String head) {
        return head.contains("\"frames\"")
                && (head.contains("\"thread_name\"") || head.contains("\"os_thread_id\""))
                && !head.contains("\"ph\"");
    }

    ReadOutcome json() {
        try {
            byte[] bytes = SideBytes.of(file);
            if (!(JsonTree.parse(bytes, 0, bytes.length) instanceof List<?> threads)) {
                return out.ignored("JSON, but no list of threads");
            }
            for (Object thread : threads) {
                if (thread instanceof Map<?, ?> map && map.get("frames") instanceof List<?> list) {
                    add(
                            word(map.get("pid")),
                            word(map.get("thread_name")),
                            !Boolean.FALSE.equals(map.get("active")),
                            frames(list));
                }
            }
            return outcome();
        } catch (JsonError broken) {
            return out.failed(
                    "a dump of stacks that is cut or broken at byte " + broken.offset() + ": " + broken.text());
        } catch (IOException broken) {
            return out.failed("a dump of stacks, unreadable: " + FileRead.reason(broken));
        }
    }

    private static List<String> frames(List<?> list) {
        List<String> frames = new ArrayList<>();
        for (Object frame : list) {
            if (frame instanceof Map<?, ?> map) {
                String where = word(map.get("short_filename"));
                where = where.isEmpty() ? word(map.get("filename")) : where;
                frames.add(StackFrames.named(word(map.get("name")), where, word(map.get("line"))));
            }
        }
        return frames;
    }

    private static String word(@Nullable Object value) {
        return value instanceof String || value instanceof Long ? value.toString() : "";
    }

    // ---------------------------------------------------------------- outcome

    private ReadOutcome outcome() {
        if (processes.isEmpty()) {
            return out.failed("a dump of stacks without any thread; the process may have ended");
        }
        int rank = processes.size() == 1 ? FileNames.rank(file.label()) : -1;
        List<StackRecord> records = new ArrayList<>();
        processes.forEach((process, stacks) -> {
            String label = processes.size() == 1 ? file.label() : file.label() + "#" + process;
            records.add(stacks.record(rank, label, names));
        });
        return out.read(Status.COMPLETE, header(file, rank), records, file.bytes());
    }

    static TraceHeader header(TraceFile file, int rank) {
        return new TraceHeader(rank, -1, FileNames.host(file.label()), "", List.of(), "", -1, "");
    }
}
