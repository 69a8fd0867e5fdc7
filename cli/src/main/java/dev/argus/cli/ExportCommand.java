package dev.argus.cli;

import dev.argus.cli.export.ChromeTimeline;
import dev.argus.cli.export.SpeedscopeFile;
import dev.argus.cli.text.Look;
import dev.argus.hostlocal.DiagnoseOptions;
import dev.argus.hostlocal.Diagnosis;
import dev.argus.hostlocal.Progress;
import dev.argus.model.NameTable;
import dev.argus.model.SafeText;
import dev.argus.model.Verdict;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceInputs;
import dev.argus.trace.export.CollapsedFile;
import dev.argus.trace.export.HostTimes;
import dev.argus.trace.export.PerfettoWriter;
import dev.argus.trace.export.StackExport;
import dev.argus.trace.export.TimelineExport;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** {@code export}: diagnoses, cuts out what is worth looking at, and writes it. */
final class ExportCommand {
    private final Surroundings around;
    private final Diagnoser diagnoser;
    private final ExportArguments arguments;
    private String done = "";

    /** There is nothing to write: the file that may lie there stays. */
    private static final class Nothing extends IOException {
        private static final long serialVersionUID = 1;

        Nothing(String why) {
            super(why);
        }
    }

    ExportCommand(Surroundings around, Diagnoser diagnoser, ExportArguments arguments) {
        this.around = around;
        this.diagnoser = diagnoser;
        this.arguments = arguments;
    }

    int run() {
        if (!around.errIsTerminal()) {
            return run(Progress.NONE);
        }
        int width = Look.of(around.environment(), false).width();
        try (ConsoleProgress progress = ConsoleProgress.start(around.err(), width)) {
            return run(progress);
        }
    }

    private int run(Progress progress) {
        String shown = SafeText.of(arguments.out().toString(), 1000);
        try {
            TraceInputs inputs = TraceInputs.find(arguments.paths());
            if (inputs.files().isEmpty()) {
                throw new Nothing(
                        inputs.problems().isEmpty()
                                ? "no file was found"
                                : inputs.problems().getFirst().detail());
            }
            Diagnosis diagnosis = diagnose(progress);
            if (arguments.format().isStacks()) {
                OutputFile.write(arguments.out(), stream -> stacks(diagnosis, inputs.files(), stream, progress));
            } else {
                OutputFile.write(arguments.out(), stream -> timeline(diagnosis, inputs.files(), stream, progress));
            }
        } catch (Nothing nothing) {
            around.err().println("argus: nothing to write: " + SafeText.sentence(nothing.getMessage()));
            return ExitCode.NOTHING_ANALYSED;
        } catch (IOException e) {
            around.err()
                    .println("argus: cannot write to '" + shown + "': " + Failures.reason(e)
                            + "; free some space or choose another place with --out.");
            return ExitCode.NOTHING_ANALYSED;
        }
        around.err().println("argus: wrote " + shown + ": " + SafeText.sentence(done));
        return ExitCode.DONE;
    }

    private Diagnosis diagnose(Progress progress) {
        DiagnoseOptions options = new DiagnoseOptions(null, DiagnoseOptions.DEFAULT_INCIDENT_FLOOR_RATIO, false);
        return diagnoser.diagnose(arguments.paths(), options, arguments.threads(), progress);
    }

    private void timeline(Diagnosis diagnosis, List<TraceFile> files, OutputStream stream, Progress progress)
            throws IOException {
        ExportPlan plan = plan(diagnosis);
        progress.phase("writing the timeline");
        NameTable names = new NameTable();
        HostTimes times = new HostTimes(diagnosis.clocks());
        long base = diagnosis.verdict().traces().stream()
                .filter(f -> f.firstEpochNanos() > 0)
                .mapToLong(f -> f.firstEpochNanos() + Math.min(0, times.shift(f)))
                .min()
                .orElse(1);
        long slices;
        TimelineExport.Written written;
        if (arguments.format() == ExportArguments.Format.PERFETTO) {
            try (PerfettoWriter out = new PerfettoWriter(stream, names, base, !arguments.plain())) {
                written = new TimelineExport(out, names, diagnosis.verdict(), plan.cut(), times).write(files, n -> {});
                slices = out.slices();
            }
        } else {
            Writer text = buffered(stream);
            try (ChromeTimeline out = new ChromeTimeline(text, names, base)) {
                written = new TimelineExport(out, names, diagnosis.verdict(), plan.cut(), times).write(files, n -> {});
                slices = out.slices();
            }
        }
        if (slices == 0) {
            throw new Nothing(nothing(diagnosis, plan));
        }
        done = counted(slices, "slice") + "; " + plan.words() + lost(written.lost());
    }

    private ExportPlan plan(Diagnosis diagnosis) {
        return diagnosis.analysed()
                ? ExportPlan.of(diagnosis.verdict(), arguments)
                : ExportPlan.undiagnosed(arguments, diagnosis.failure());
    }

    /** Why there is nothing to show: no timeline at all, or none of what was chosen. */
    private String nothing(Diagnosis diagnosis, ExportPlan plan) {
        Verdict verdict = diagnosis.verdict();
        boolean timeline = verdict.traces().stream()
                .anyMatch(trace -> trace.kernels() > 0 || !trace.steps().isEmpty());
        if (!timeline || arguments.all()) {
            return "no file has a timeline, which only traces have; CPU stacks go to collapsed or speedscope";
        }
        return "no event of " + plan.words() + "; the traces have " + ExportPlan.available(verdict)
                + "; choose among them, or try --all";
    }

    private static String counted(long n, String noun) {
        return n + " " + noun + (n == 1 ? "" : "s");
    }

    private void stacks(Diagnosis diagnosis, List<TraceFile> files, OutputStream stream, Progress progress)
            throws IOException {
        ExportPlan plan = plan(diagnosis);
        progress.phase("reading stacks");
        progress.totalBytes(files.stream().mapToLong(TraceFile::bytes).sum());
        StackExport export = new StackExport(plan.cut());
        Writer text = buffered(stream);
        int profiles;
        if (arguments.format() == ExportArguments.Format.SPEEDSCOPE) {
            SpeedscopeFile out = new SpeedscopeFile(text);
            profiles = export.write(files, out, progress::readBytes);
            out.end();
        } else {
            profiles = export.write(files, new CollapsedFile(text), progress::readBytes);
            text.flush();
        }
        if (profiles == 0) {
            throw new Nothing("no CPU stack of " + plan.words() + "; expected files of py-spy, collapsed stacks or"
                    + " speedscope, or traces with ranges on the CPU; try --all");
        }
        done = counted(profiles, "thread") + "; " + plan.words() + lost(export.lost());
    }

    private static String lost(Map<String, Long> lost) {
        StringBuilder text = new StringBuilder();
        lost.forEach(
                (reason, n) -> text.append("; left out ").append(n).append(' ').append(reason));
        return text.toString();
    }

    private static Writer buffered(OutputStream stream) {
        return new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), 1 << 16);
    }
}
