package dev.argus.trace;

import dev.argus.model.NameTable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Collapsed stacks, as {@code py-spy record --format raw}, {@code perf} and flame graph tools write them: {@code outer;inner 12} on a line.
 * Comments ({@code #}, {@code //}) and empty lines are passed over, other lines are counted.
 */
final class CollapsedRead {
    private static final int MAX_LINE = 1 << 16;
    private static final Pattern WHOLE = Pattern.compile("\\d{1,15}");

    private final TraceFile file;
    private final NameTable names;
    private final StackCollector stacks = new StackCollector(true);
    private long invalid;

    CollapsedRead(TraceFile file, NameTable names) {
        this.file = file;
        this.names = names;
    }

    /** True if most lines of a text are such stacks, and one has an inner frame. */
    static boolean recognises(String head, boolean whole) {
        List<String> lines = head.lines().toList();
        int valid = 0;
        int others = 0;
        boolean nested = false;
        int n = whole ? lines.size() : lines.size() - 1; // the last may be cut
        for (String line : lines.subList(0, Math.max(0, n))) {
            if (isComment(line)) {
                continue;
            }
            int at = countAt(line);
            valid += at > 0 ? 1 : 0;
            others += at > 0 ? 0 : 1;
            nested |= at > 0 && line.substring(0, at).contains(";");
        }
        return nested && valid > others;
    }

    private static boolean isComment(String line) {
        String text = line.strip();
        return text.isEmpty() || text.startsWith("#") || text.startsWith("//");
    }

    /** Where the space before the count stands; -1 if the line is no stack. No writer puts a space behind its semicolons. */
    private static int countAt(String line) {
        if (line.length() > MAX_LINE || line.contains("; ")) {
            return -1;
        }
        int end = line.stripTrailing().length();
        int at = line.lastIndexOf(' ', end - 1);
        return at > 0 && WHOLE.matcher(line).region(at + 1, end).matches() ? at : -1;
    }

    ReadOutcome run(List<String> lines) {
        SideOutcome out = new SideOutcome(file, "collapsed");
        for (String line : lines) {
            if (isComment(line)) {
                continue;
            }
            int at = countAt(line);
            if (at < 0) {
                invalid++;
                continue;
            }
            List<String> frames = Arrays.asList(line.substring(0, at).strip().split(";"));
            Collections.reverse(frames);
            stacks.add("", true, Long.parseLong(line.stripTrailing().substring(at + 1)), frames);
        }
        if (stacks.isEmpty()) {
            return out.failed("collapsed stacks without any valid line");
        }
        int rank = FileNames.rank(file.label());
        if (invalid > 0) {
            out.problem("invalid-lines", rank, invalid + " lines are no stacks and were left out");
        }
        if (stacks.beyond() > 0) {
            out.problem("stacks-beyond", rank, stacks.beyond() + " samples of rare stacks were counted, not kept");
        }
        return out.read(
                Status.COMPLETE,
                PySpyRead.header(file, rank),
                List.of(stacks.record(rank, file.label(), names)),
                file.bytes());
    }
}
