package dev.argus.cli;

import dev.argus.cli.text.Look;
import dev.argus.hostlocal.Progress;
import dev.argus.model.Figures;
import dev.argus.model.SafeText;
import dev.argus.simulator.CaseFolder;
import dev.argus.simulator.FaultTruth;
import dev.argus.simulator.HangKind;
import dev.argus.simulator.KinetoOutput;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.SimulatedJob;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.StoppedJob;
import dev.argus.simulator.Truth;
import dev.argus.simulator.Wish;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code simulate}: draws jobs, writes their traces and the truth about them. */
final class SimulateCommand {
    private static final int FEW_RANKS = 8;

    private final Surroundings around;

    SimulateCommand(Surroundings around) {
        this.around = around;
    }

    /** Prints the kinds. */
    int list() throws IOException {
        StringBuilder text = new StringBuilder("Faults:\n");
        list(text, true);
        text.append("\nFaults that stop a job:\n");
        for (HangKind kind : HangKind.values()) {
            text.append(String.format(Locale.ROOT, "  %-18s %s%n", kind.word(), kind.about()));
        }
        text.append("\nNothing to act on:\n");
        list(text, false);
        print(text.toString());
        return ExitCode.DONE;
    }

    private static void list(StringBuilder text, boolean faults) {
        for (ScenarioKind kind : ScenarioKind.values()) {
            if (kind.faulty() == faults) {
                text.append(String.format(Locale.ROOT, "  %-18s %s%n", kind.word(), kind.about()));
            }
        }
    }

    int run(SimulateArguments arguments) throws IOException {
        requireEmpty(arguments.out());
        if (!around.errIsTerminal()) {
            return write(arguments, Progress.NONE);
        }
        int width = Look.of(around.environment(), false).width();
        try (ConsoleProgress progress = ConsoleProgress.start(around.err(), width)) {
            return write(arguments, progress);
        }
    }

    private static void requireEmpty(Path folder) {
        String shown = "--out: '" + SafeText.of(folder.toString()) + "'";
        if (!Files.exists(folder)) {
            return;
        }
        if (!Files.isDirectory(folder)) {
            throw new UsageError(shown + " is a file; give the name of a new or empty folder.");
        }
        try (Stream<Path> inside = Files.list(folder)) {
            if (inside.findAny().isPresent()) {
                throw new UsageError(shown + " is not empty; give another folder, or remove what is in it.");
            }
        } catch (IOException e) {
            throw new UsageError(shown + " cannot be read (" + Failures.reason(e) + "); give another folder.");
        }
    }

    private int write(SimulateArguments arguments, Progress progress) throws IOException {
        for (Wish wish : arguments.wishes()) {
            progress.phase("simulating");
            SimulateArguments.Stop stop = arguments.stop();
            if (stop != null) {
                int code = write(arguments, wish, stop, progress);
                if (code != ExitCode.DONE) {
                    return code;
                }
                continue;
            }
            List<SimulatedJob> attempts = attempts(wish, arguments.attempts());
            Scenario first = attempts.getFirst().scenario();
            String name = first.name().replaceAll("[^a-z0-9-]+", "-") + "-" + wish.seed();
            Path folder =
                    arguments.count() == 1 ? arguments.out() : arguments.out().resolve(name);
            List<Truth> truths;
            try {
                truths = write(attempts, folder, name, progress);
            } catch (IOException e) {
                return cannotWrite(folder, e);
            }
            for (int i = 0; i < attempts.size(); i++) {
                String where = SafeText.of(folder.toString(), 1000) + (attempts.size() > 1 ? " attempt " + i : "");
                print(where + ": " + line(attempts.get(i), truths.get(i)) + "\n");
            }
        }
        return ExitCode.DONE;
    }

    private int cannotWrite(Path folder, IOException why) {
        around.err()
                .println("argus: cannot write to '" + SafeText.of(folder.toString()) + "': " + Failures.reason(why)
                        + "; free some space or choose another place with --out.");
        return ExitCode.NOTHING_ANALYSED;
    }

    /** A job that stands still. */
    private int write(SimulateArguments arguments, Wish wish, SimulateArguments.Stop stop, Progress progress)
            throws IOException {
        StoppedJob job;
        try {
            job = StoppedJob.run(draw(wish, 1).getFirst(), stop.kind(), stop.rank(), stop.step());
        } catch (IllegalArgumentException e) {
            throw new UsageError("simulate: " + e.getMessage() + ".");
        }
        Scenario scenario = job.before().scenario();
        String name = stop.kind().word() + "-" + wish.seed();
        Path folder = arguments.count() == 1 ? arguments.out() : arguments.out().resolve(name);
        try {
            CaseFolder.write(job, folder, name, listener(scenario.layout().world(), progress));
        } catch (IOException e) {
            return cannotWrite(folder, e);
        }
        boolean one = job.suspects().size() == 1;
        print(SafeText.of(folder.toString(), 1000) + ": " + scenario.layout() + ", traces of steps "
                + scenario.firstStep() + " to " + scenario.lastStep() + ", flight recorder dumps of step " + job.step()
                + "; hang: "
                + (stop.kind() == HangKind.HANG
                        ? "rank " + job.suspects() + " stops within it"
                        : "a collective of rank" + (one ? " " : "s ") + job.suspects() + " never ends")
                + "\n");
        return ExitCode.DONE;
    }

    private static KinetoOutput.Listener listener(int world, Progress progress) {
        return (rank, file) -> {
            progress.phase("rank " + rank + " of " + world + " written");
            progress.readBytes(Files.size(file));
        };
    }

    private static List<SimulatedJob> attempts(Wish wish, int count) {
        return draw(wish, count).stream().map(Simulation::run).toList();
    }

    private static List<Truth> write(List<SimulatedJob> attempts, Path folder, String name, Progress progress)
            throws IOException {
        int world = attempts.getFirst().scenario().layout().world();
        KinetoOutput.Listener listener = listener(world, progress);
        return attempts.size() > 1
                ? CaseFolder.write(attempts, folder, name, listener)
                : List.of(CaseFolder.write(attempts.getFirst(), folder, name, listener));
    }

    private static List<Scenario> draw(Wish wish, int count) {
        try {
            return Scenarios.attempts(wish, count);
        } catch (IllegalArgumentException e) {
            throw new UsageError("simulate: " + e.getMessage() + ".");
        } catch (IllegalStateException e) {
            throw new UsageError("simulate: " + e.getMessage()
                    + "; give another --seed, more --max-ranks, or a --factor or --pause instead of the severity.");
        }
    }

    private static String line(SimulatedJob job, Truth truth) {
        Scenario scenario = job.scenario();
        StringBuilder text = new StringBuilder(scenario.layout().toString());
        text.append(String.format(
                Locale.ROOT,
                ", %s, steps %d to %d of %.1f ms",
                scenario.model().sharding(),
                scenario.firstStep(),
                scenario.lastStep(),
                job.stepNanos(0) / 1e6));
        scenario.damage().words().forEach(w -> text.append(", ").append(w));
        scenario.disturbances().forEach(d -> text.append("; ").append(d.kind()).append(", no fault"));
        for (FaultTruth fault : truth.faults()) {
            text.append(String.format(
                    Locale.ROOT,
                    "; %s %s makes steps %d to %d longer by %s",
                    fault.fault().kind(),
                    who(fault),
                    fault.firstStep(),
                    fault.lastStep(),
                    Figures.percent(fault.slowdown() - 1)));
        }
        return text.toString();
    }

    private static String who(FaultTruth fault) {
        if (!fault.scope().equals("ranks")) {
            return "of all ranks";
        }
        String some =
                fault.suspects().stream().limit(FEW_RANKS).map(String::valueOf).collect(Collectors.joining(","));
        int more = fault.suspects().size() - FEW_RANKS;
        return "of rank " + some + (more > 0 ? " and " + more + " more" : "");
    }

    private void print(String text) throws IOException {
        around.out().write(text.getBytes(StandardCharsets.UTF_8));
        around.out().flush();
    }
}
