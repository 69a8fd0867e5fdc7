package dev.argus.cli;

import dev.argus.cli.DiagnoseArguments.Format;
import dev.argus.cli.html.HtmlReport;
import dev.argus.cli.json.VerdictJson;
import dev.argus.cli.text.Look;
import dev.argus.cli.text.TextReport;
import dev.argus.cli.text.VerdictStatus;
import dev.argus.hostlocal.Diagnosis;
import dev.argus.hostlocal.Progress;
import dev.argus.model.SafeText;
import dev.argus.model.Topology;
import dev.argus.model.Verdict;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code diagnose}: runs the analysis, writes the report, chooses the exit code. */
final class DiagnoseCommand {
    private final Surroundings around;
    private final Diagnoser diagnoser;
    private final DiagnoseArguments arguments;

    DiagnoseCommand(Surroundings around, Diagnoser diagnoser, DiagnoseArguments arguments) {
        this.around = around;
        this.diagnoser = diagnoser;
        this.arguments = arguments;
    }

    int run() {
        Diagnosis diagnosis = guarded();
        // The reason is said once: by the report, where that is text for people.
        boolean told = arguments.format() == Format.TEXT && arguments.out() == null;
        if (!diagnosis.analysed() && !(told && around.outIsTerminal())) {
            around.err()
                    .println("argus: nothing analysed: "
                            + (told ? "the report says why" : SafeText.sentence(failure(diagnosis))));
        }
        if (!write(diagnosis) || !diagnosis.analysed()) {
            return ExitCode.NOTHING_ANALYSED;
        }
        if (!arguments.exitCode()) {
            return ExitCode.DONE;
        }
        return switch (VerdictStatus.of(diagnosis.verdict(), null)) {
            case FAULTS -> ExitCode.INCIDENTS;
            case CANNOT_BE_JUDGED -> ExitCode.NOT_JUDGED;
            case OK, SLOW_WITHOUT_FAULT -> ExitCode.DONE;
        };
    }

    /** The analysis; whatever goes wrong in it becomes a diagnosis that says so. */
    private Diagnosis guarded() {
        @Nullable String unreadable = unreadable();
        if (unreadable != null) {
            return nothing(unreadable);
        }
        try {
            return analyse();
        } catch (RuntimeException | OutOfMemoryError | StackOverflowError | LinkageError e) {
            if (around.debug()) {
                e.printStackTrace(around.err());
            }
            return nothing(Failures.unexpected(e));
        }
    }

    private Diagnosis analyse() {
        if (!around.errIsTerminal()) {
            return diagnoser.diagnose(arguments.paths(), arguments.options(), arguments.threads(), Progress.NONE);
        }
        int width = Look.of(around.environment(), false).width();
        try (ConsoleProgress progress = ConsoleProgress.start(around.err(), width)) {
            return diagnoser.diagnose(arguments.paths(), arguments.options(), arguments.threads(), progress);
        }
    }

    private @Nullable String unreadable() {
        for (Path path : arguments.paths()) {
            String shown = "'" + SafeText.of(path.toString()) + "'";
            if (!Files.exists(path)) {
                return "path " + shown + " does not exist; give a folder or file of " + HelpTexts.EXPECTED_TRACES + ".";
            }
            if (!Files.isReadable(path)) {
                return "path " + shown + " cannot be read (permission denied); make it readable or run as its owner.";
            }
        }
        return null;
    }

    private boolean write(Diagnosis diagnosis) {
        @Nullable Path file = arguments.out();
        try {
            if (file == null) {
                report(diagnosis, around.out(), around.colour(arguments.noColour()));
            } else {
                OutputFile.write(file, stream -> report(diagnosis, stream, false));
                around.err().println("argus: report written to " + SafeText.of(file.toString(), 1000));
            }
            return true;
        } catch (IOException e) {
            if (file == null && Failures.isBrokenPipe(e)) {
                return true;
            }
            String where = file == null ? "standard output" : "'" + SafeText.of(file.toString()) + "'";
            around.err()
                    .println("argus: cannot write to " + where + ": " + Failures.reason(e)
                            + "; free some space or choose another place with --out.");
            return false;
        }
    }

    private void report(Diagnosis diagnosis, OutputStream stream, boolean colour) throws IOException {
        @Nullable String failure = diagnosis.analysed() ? null : failure(diagnosis);
        @Nullable List<String> explain = arguments.options().explain() ? diagnosis.explain() : null;
        Writer writer = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), 1 << 16);
        switch (arguments.format()) {
            case JSON -> VerdictJson.write(writer, diagnosis.verdict(), failure, explain);
            case HTML -> HtmlReport.write(writer, diagnosis.verdict(), failure, explain, diagnosis.report());
            case TEXT -> {
                Look look = Look.of(around.environment(), colour);
                writer.write(TextReport.render(diagnosis.verdict(), failure, explain, look));
            }
        }
        writer.flush();
    }

    private static String failure(Diagnosis diagnosis) {
        return diagnosis.failure().isBlank() ? "the reason is not known" : diagnosis.failure();
    }

    private static Diagnosis nothing(String failure) {
        Verdict.Job job = new Verdict.Job(0, 0, -1, -1, Topology.UNKNOWN, 0);
        Verdict.Quality quality = new Verdict.Quality(0, 0, List.of());
        Verdict verdict = new Verdict(job, List.of(), quality, List.of(), List.of(), List.of(), 0);
        return new Diagnosis(verdict, false, failure, List.of());
    }
}
