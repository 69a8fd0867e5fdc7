package dev.argus.benchmarks;

import dev.argus.model.SafeText;
import dev.argus.simulator.ScenarioKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The entry of {@code argus bench NAME}. Exit codes: 0 measured, whether or not the bars hold; 1 nothing could be
 * measured; 2 wrong usage.
 */
@Command(
        name = "./argus bench",
        mixinStandardHelpOptions = true,
        version = "argus 0.1.0-SNAPSHOT",
        description = "Measures the figures of the budgets again, each beside its reference.",
        footer = {
            "",
            "Examples:",
            "  ./argus bench reader",
            "  ./argus bench reader --full     minutes instead of seconds",
            "  ./argus bench reader traces/    on your traces",
            "  ./argus bench compression traces/ --window step",
            "  ./argus bench accuracy --only nic,pair --per-kind 20 --misses",
            "  ./argus bench scale --ranks 3240",
            "  ./argus bench soak --ranks 1296   1,440 windows of so many ranks",
            "  ./argus bench accuracy --published --full",
            "  ./argus bench perfetto traces/",
            "  ./argus bench stacks /usr/bin/python3.12",
            "  ./argus bench start --format json"
        })
public final class BenchMain implements Runnable {
    private enum Format {
        text,
        json
    }

    private static final String NAMES = "names";
    private static final Set<String> EVERYBODY = Set.of("--full", "--format");

    /** Ranks of a host times stages: sizes of made jobs are multiples of it. */
    private static final int RANKS_STEP = 72;

    private final List<Bench> benches;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "What to measure; see the names below.")
    private @Nullable String name;

    @Parameters(index = "1..*", paramLabel = "PATH", description = "Data to measure on instead of data made for it.")
    private List<Path> paths = List.of();

    @Option(names = "--full", description = "The long form: minutes instead of at most 100 s.")
    private boolean full;

    @Option(
            names = "--window",
            paramLabel = "WINDOW",
            description = "compression: what is one window, ${COMPLETION-CANDIDATES} (default: trace).")
    private BenchRequest.Window window = BenchRequest.Window.trace;

    @Option(
            names = "--rebuilt",
            paramLabel = "FILE",
            description = "compression: also write what the summaries rebuild, 1000 quantiles a line.")
    private @Nullable Path rebuilt;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "accuracy: first seed of every kind (default: " + AccuracyBench.SEED + ").")
    private @Nullable Long seed;

    @Option(
            names = "--only",
            paramLabel = "KIND",
            split = ",",
            description = "accuracy: only these kinds of scenarios; ./argus simulate --list names them.")
    private List<String> only = List.of();

    @Option(names = "--per-kind", paramLabel = "N", description = "accuracy: scenarios of every kind and severity.")
    private @Nullable Integer perKind;

    @Option(names = "--threads", paramLabel = "N", description = "accuracy: scenarios at a time (default: all CPUs).")
    private @Nullable Integer threads;

    @Option(
            names = "--misses",
            description = "accuracy: list every wrong diagnosis, with the command that makes its folder.")
    private boolean misses;

    @Option(
            names = "--published",
            description = "accuracy: situations reported from production instead; with --full at their size.")
    private boolean published;

    @Option(names = "--page", paramLabel = "FILE", description = "accuracy: also write the results as a page.")
    private @Nullable Path page;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "scale, soak: only a job of so many ranks, a multiple of 72.")
    private @Nullable Integer ranks;

    @Option(names = "--windows", paramLabel = "N", description = "soak: only so many windows, 100 or more.")
    private @Nullable Integer windows;

    @Option(names = "--format", paramLabel = "FORMAT", description = "${COMPLETION-CANDIDATES} (default: text).")
    private Format format = Format.text;

    private int exitCode;

    private BenchMain(List<Bench> benches) {
        this.benches = benches;
    }

    /**
     * Runs one benchmark and ends the JVM with its exit code.
     *
     * @param args the benchmark and its options
     */
    public static void main(String[] args) {
        System.exit(commandLine(Benches.ALL).execute(args));
    }

    static CommandLine commandLine(List<Bench> benches) {
        BenchMain main = new BenchMain(benches);
        CommandLine line = new CommandLine(main);
        listNames(line, benches);
        line.setExecutionStrategy(parsed -> {
            int status = new CommandLine.RunLast().execute(parsed);
            return status == 0 ? main.exitCode : status;
        });
        return line;
    }

    /** Help says which benchmarks there are, below the arguments. */
    private static void listNames(CommandLine line, List<Bench> benches) {
        Map<String, String> names = new LinkedHashMap<>();
        benches.forEach(bench -> names.put(bench.name(), bench.about()));
        line.getHelpSectionMap()
                .put(
                        NAMES,
                        help -> String.format(
                                "%nNames:%n%s%nOptions:%n",
                                help.createTextTable(names).toString()));
        List<String> sections = new ArrayList<>(line.getHelpSectionKeys());
        sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING), NAMES);
        line.setHelpSectionKeys(sections);
    }

    @Override
    public void run() {
        Bench bench = chosen();
        check(bench);
        StringBuilder details = new StringBuilder();
        BenchRequest.Trials trials = new BenchRequest.Trials(
                seed,
                only,
                atLeast("--per-kind", perKind, 1, 0),
                atLeast("--threads", threads, 1, Runtime.getRuntime().availableProcessors()),
                misses,
                page,
                published);
        BenchRequest request = new BenchRequest(
                full,
                paths,
                this::tell,
                window,
                rebuilt,
                trials,
                atLeast("--ranks", ranks, RANKS_STEP, 0),
                atLeast("--windows", windows, SoakBench.LEAST_WINDOWS, 0),
                line -> details.append(line).append(System.lineSeparator()));
        try {
            List<Figure> figures = bench.measure(request);
            if (figures.isEmpty()) {
                throw new CannotMeasure("nothing could be measured");
            }
            BenchReport report = new BenchReport(bench.name(), Machine.here(), figures);
            spec.commandLine().getOut().println(format == Format.json ? report.json() : report.text() + details);
            spec.commandLine().getOut().flush();
        } catch (IllegalArgumentException e) {
            tell(bench.name() + ": " + e.getMessage());
            exitCode = 2;
        } catch (CannotMeasure | IOException e) {
            tell(bench.name() + ": " + why(e));
            exitCode = 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            tell(bench.name() + ": interrupted");
            exitCode = 1;
        }
    }

    /** Refuses what the benchmark would pass over in silence, and files that could not be written when all is measured. */
    private void check(Bench bench) {
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            String called = option.longestName();
            if (!EVERYBODY.contains(called) && !bench.takes().contains(called)) {
                throw wrong(called + " means nothing to " + bench.name() + "; expected "
                        + Stream.concat(EVERYBODY.stream(), bench.takes().stream())
                                .filter(o -> !o.equals(Bench.PATH))
                                .sorted()
                                .collect(Collectors.joining(", ")));
            }
        }
        if (!paths.isEmpty() && !bench.takes().contains(Bench.PATH)) {
            throw wrong(bench.name() + " takes no PATH, found '" + paths.getFirst() + "': it makes its own data");
        }
        for (String word : only) {
            try {
                ScenarioKind.of(word);
            } catch (IllegalArgumentException unknown) {
                throw wrong("--only: " + unknown.getMessage());
            }
        }
        writable("--page", page);
        writable("--rebuilt", rebuilt);
    }

    private ParameterException wrong(String why) {
        return new ParameterException(spec.commandLine(), SafeText.sentence(why));
    }

    private int atLeast(String option, @Nullable Integer given, int least, int otherwise) {
        if (given != null && given < least) {
            throw wrong(option + ": found " + given + ", expected " + least + " or more");
        }
        return given == null ? otherwise : given;
    }

    private void writable(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        boolean there = Files.exists(file);
        if (Files.isDirectory(file)
                || (there ? !Files.isWritable(file) : folder == null || !Files.isWritable(folder))) {
            throw wrong(option + ": '" + file
                    + "' cannot be written; expected the name of a file in a folder that exists and"
                    + " may be written to");
        }
    }

    private Bench chosen() {
        if (name == null) {
            throw new ParameterException(spec.commandLine(), "Missing the name of a benchmark. There are:" + list());
        }
        return benches.stream()
                .filter(bench -> bench.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "No benchmark '" + SafeText.of(name) + "'. There are:" + list()));
    }

    private String list() {
        return benches.stream()
                .map(bench -> System.lineSeparator() + "  " + bench.name() + "  " + bench.about())
                .collect(Collectors.joining());
    }

    /** What went wrong in words; a bare path is what Java says of a file that is not there. */
    private static String why(Exception e) {
        return e instanceof NoSuchFileException missing
                ? missing.getFile() + " does not exist; expected a file or folder of traces"
                : String.valueOf(e.getMessage());
    }

    private void tell(String line) {
        spec.commandLine().getErr().println("argus bench: " + SafeText.sentence(line));
        spec.commandLine().getErr().flush();
    }
}
