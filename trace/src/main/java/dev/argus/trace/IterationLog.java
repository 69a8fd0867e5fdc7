package dev.argus.trace;

import dev.argus.model.NameTable;
import dev.argus.model.StepMark;
import dev.argus.model.TraceHeader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines Megatron-LM and its descendants print for an iteration: steps of the whole job without any trace.
 *
 * <p>The time of an iteration is what the line prints; where that is off by more than {@value #SAME} of the gap between the time stamps of two
 * consecutive iterations, the gap is (some print a mean there). A line for every k-th iteration prints the mean of k: these k steps
 * are taken as equal, and that is said. A line that is printed again counts once; when numbers go back the job was restarted, and
 * what follows is another part. Times without a zone are read as UTC; without any they are relative.
 */
final class IterationLog {
    private static final double SAME = 0.01;
    private static final int MAX_STEPS = 1 << 20;
    private static final int MAX_LINE = 1 << 16;

    /** Restarts of one log; more are none of a job. */
    static final int MAX_RUNS = 256;

    private final TraceFile file;
    private final SinkFactory sinks;
    private final SideOutcome out;
    private final List<List<IterationLine>> runs = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private long corrected;
    private long averaged;
    private long beyond;
    private int steps;

    private IterationLog(TraceFile file, SinkFactory sinks) {
        this.file = file;
        this.sinks = sinks;
        this.out = new SideOutcome(file, "megatron-log");
    }

    /** Reads a text; null if it has no line of an iteration. */
    static @Nullable ReadOutcome read(TraceFile file, NameTable names, SinkFactory sinks) throws IOException {
        IterationLog log = new IterationLog(file, sinks);
        IOException cut = log.lines();
        return log.runs.isEmpty() ? null : log.outcome(cut);
    }

    private @Nullable IOException lines() throws IOException {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(ByteSource.open(file.path(), n -> {}), StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            try {
                for (int c = in.read(); c >= 0; c = in.read()) {
                    if (c == '\n' || c == '\r') {
                        line(line.toString());
                        line.setLength(0);
                    } else if (line.length() < MAX_LINE) {
                        line.append((char) c);
                    }
                }
            } catch (IOException cut) {
                return cut;
            }
            line(line.toString());
            return null;
        }
    }

    private void line(String text) {
        IterationLine line = IterationLine.parse(text);
        if (line == null || steps >= MAX_STEPS) {
            return;
        }
        IterationLine last = runs.isEmpty() ? null : runs.getLast().getLast();
        if (last != null && last.iteration() == line.iteration() && last.elapsedNanos() == line.elapsedNanos()) {
            return; // printed again
        }
        if (last == null || line.iteration() <= last.iteration()) {
            if (runs.size() >= MAX_RUNS) {
                beyond++;
                return;
            }
            runs.add(new ArrayList<>());
        }
        runs.getLast().add(line);
        steps++;
    }

    // ---------------------------------------------------------------- steps

    private ReadOutcome outcome(@Nullable IOException cut) {
        boolean timed = runs.stream().allMatch(r -> r.stream().allMatch(l -> l.wallNanos() > 0));
        for (List<IterationLine> run : runs) {
            PartSink sink = new PartSink(sinks, parts.size());
            marks(run, timed, sink);
            sink.openIfNot();
            IterationLine first = run.getFirst();
            int rank = first.rank() >= 0 ? first.rank() : FileNames.rank(file.label());
            TraceHeader header =
                    new TraceHeader(rank, first.world(), FileNames.host(file.label()), "", List.of(), "", -1, "");
            String label = runs.size() == 1 ? file.label() : file.label() + "#run" + parts.size();
            parts.add(new Part(parts.size(), header, label));
        }
        remarks(timed, cut);
        return out.parts(cut == null ? Status.COMPLETE : Status.PARTIAL, parts, file.bytes());
    }

    private void remarks(boolean timed, @Nullable IOException cut) {
        if (!timed) {
            out.problem("relative-time", -1, "lines without a time: steps are compared, not moments");
        }
        if (corrected > 0) {
            out.problem(
                    "printed-mean",
                    -1,
                    "the time printed for " + iterations(corrected)
                            + " is not the one between the lines, which is used");
        }
        if (averaged > 0) {
            out.problem(
                    "averaged-steps",
                    -1,
                    iterations(averaged) + " without a line of their own: each has the mean of those printed together,"
                            + " and single slow ones are not seen; log every iteration");
        }
        if (beyond > 0) {
            out.problem(
                    "restarts-beyond",
                    -1,
                    iterations(beyond) + " behind the restart number " + (MAX_RUNS - 1)
                            + " go back once more and were left out: several logs in one file?");
        }
        if (steps >= MAX_STEPS) {
            out.problem("steps-beyond", -1, "iterations beyond " + MAX_STEPS + " were left out");
        }
        if (cut != null) {
            out.problem("cut-file", -1, "readable in part: " + FileRead.reason(cut));
        }
    }

    private static String iterations(long n) {
        return n == 1 ? "1 iteration" : n + " iterations";
    }

    private void marks(List<IterationLine> run, boolean timed, PartSink sink) {
        long clock = 0;
        IterationLine before = null;
        for (IterationLine line : run) {
            long together = before == null ? 1 : Math.min(line.iteration() - before.iteration(), MAX_STEPS);
            long each = each(line, before, together, timed);
            long end = timed ? line.wallNanos() : clock + each * together;
            clock = end;
            averaged += together - 1;
            if (together > 1 && (steps += (int) together - 1) >= MAX_STEPS) {
                return;
            }
            for (long i = together - 1; i >= 0; i--) {
                long start = end - each * (i + 1);
                if (start < 0) {
                    sink.quarantine("impossible-time");
                } else {
                    sink.step(new StepMark(line.iteration() - i, start, each, false));
                }
            }
            before = line;
        }
    }

    private long each(IterationLine line, @Nullable IterationLine before, long together, boolean timed) {
        if (before == null || !timed) {
            return line.elapsedNanos();
        }
        long gap = (line.wallNanos() - before.wallNanos()) / together;
        boolean agrees = Math.abs(gap - line.elapsedNanos()) <= SAME * gap || gap <= 0;
        corrected += agrees ? 0 : 1;
        return agrees ? line.elapsedNanos() : gap;
    }
}
