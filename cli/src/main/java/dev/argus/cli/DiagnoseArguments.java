package dev.argus.cli;

import dev.argus.hostlocal.DiagnoseOptions;
import dev.argus.model.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * The arguments of {@code diagnose}, checked.
 *
 * @param paths what to read, at least one
 * @param format form of the report
 * @param out the file for the report, or null for standard output
 * @param exitCode true to tell incidents by the exit code
 * @param threads threads that read
 * @param noColour true if colours are refused
 * @param options what the analysis must know
 */
record DiagnoseArguments(
        List<Path> paths,
        Format format,
        @Nullable Path out,
        boolean exitCode,
        int threads,
        boolean noColour,
        DiagnoseOptions options) {
    private static final int MAX_THREADS = 1024;

    /** Forms of a report. */
    enum Format {
        TEXT,
        JSON,
        HTML
    }

    static DiagnoseArguments from(ParseResult parsed) {
        Format format = Format.valueOf(Arguments.oneOf(
                        CommandTree.FORMAT,
                        parsed.matchedOptionValue(CommandTree.FORMAT, "text"),
                        List.of("text", "json", "html"))
                .toUpperCase(Locale.ROOT));
        @Nullable String topologyText = parsed.matchedOptionValue(CommandTree.TOPOLOGY, (String) null);
        @Nullable Topology topology = topologyText == null ? null : TopologyOption.parse(topologyText);
        @Nullable String floorText = parsed.matchedOptionValue(CommandTree.FLOOR, (String) null);
        double floor = floorText == null
                ? DiagnoseOptions.DEFAULT_INCIDENT_FLOOR_RATIO
                : Arguments.ratio(CommandTree.FLOOR, floorText, "0.005");
        List<Path> paths = paths(parsed);
        return new DiagnoseArguments(
                paths,
                format,
                out(parsed, paths),
                parsed.hasMatchedOption(CommandTree.EXIT_CODE),
                threads(parsed),
                parsed.hasMatchedOption(CommandTree.NO_COLOR),
                new DiagnoseOptions(
                        topology, floor, parsed.hasMatchedOption(CommandTree.EXPLAIN), format == Format.HTML));
    }

    private static List<Path> paths(ParseResult parsed) {
        List<String> texts = parsed.matchedPositionalValue(0, List.<String>of());
        if (texts.isEmpty()) {
            throw new UsageError("diagnose: found no PATH, expected a folder or file of traces; try: ./argus diagnose"
                    + " example/traces");
        }
        return texts.stream().map(text -> Arguments.path("PATH", text)).toList();
    }

    private static @Nullable Path out(ParseResult parsed, List<Path> inputs) {
        @Nullable String text = parsed.matchedOptionValue(CommandTree.OUT, (String) null);
        if (text == null) {
            return null;
        }
        Path file = Arguments.path(CommandTree.OUT, text);
        OutputFile.check(file);
        OutputFile.checkIsNoInput(file, inputs);
        return file;
    }

    private static int threads(ParseResult parsed) {
        @Nullable String text = parsed.matchedOptionValue(CommandTree.THREADS, (String) null);
        return text == null
                ? Runtime.getRuntime().availableProcessors()
                : Arguments.integer(CommandTree.THREADS, text, 1, MAX_THREADS);
    }
}
