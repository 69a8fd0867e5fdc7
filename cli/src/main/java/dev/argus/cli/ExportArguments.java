package dev.argus.cli;

import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * The arguments of {@code export}, checked.
 *
 * @param format what to write
 * @param paths what to read, at least one
 * @param out the file to write
 * @param all true for all ranks and steps
 * @param ranks ranks asked for, or null
 * @param steps first and last step asked for, or null
 * @param plain true for packets that are not deflated
 * @param threads threads that read for the diagnosis
 */
record ExportArguments(
        Format format,
        List<Path> paths,
        Path out,
        boolean all,
        @Nullable RankSet ranks,
        @Nullable Steps steps,
        boolean plain,
        int threads) {
    private static final int MAX_RANK = 9_999_999;

    /** What to write. */
    enum Format {
        PERFETTO,
        CHROME,
        SPEEDSCOPE,
        COLLAPSED;

        /** True for stacks, false for a timeline. */
        boolean isStacks() {
            return this == SPEEDSCOPE || this == COLLAPSED;
        }
    }

    /** Steps, inclusive. */
    record Steps(long first, long last) {}

    static ExportArguments from(ParseResult parsed) {
        List<String> texts = parsed.matchedPositionalValue(0, List.<String>of());
        if (texts.isEmpty()) {
            throw new UsageError("export: found no FORMAT, expected perfetto, chrome, speedscope or collapsed; try:"
                    + " ./argus export perfetto traces/ --out job.pftrace");
        }
        Format format = switch (texts.getFirst()) {
            case "perfetto" -> Format.PERFETTO;
            case "chrome" -> Format.CHROME;
            case "speedscope" -> Format.SPEEDSCOPE;
            case "collapsed" -> Format.COLLAPSED;
            default ->
                throw new UsageError("export: found '" + SafeText.of(texts.getFirst())
                        + "', expected perfetto, chrome, speedscope or collapsed.");
        };
        List<Path> paths =
                texts.stream().skip(1).map(text -> Arguments.path("PATH", text)).toList();
        if (paths.isEmpty()) {
            throw new UsageError("export: found no PATH, expected a folder or file of traces; try: ./argus export "
                    + texts.getFirst() + " traces/ --out FILE");
        }
        boolean all = parsed.hasMatchedOption(CommandTree.ALL);
        @Nullable String ranks = parsed.matchedOptionValue(CommandTree.RANKS, (String) null);
        @Nullable String steps = parsed.matchedOptionValue(CommandTree.STEPS, (String) null);
        if (all && (ranks != null || steps != null)) {
            throw new UsageError("--all and " + (ranks != null ? CommandTree.RANKS : CommandTree.STEPS)
                    + " are both given, expected one of them.");
        }
        @Nullable String threads = parsed.matchedOptionValue(CommandTree.THREADS, (String) null);
        return new ExportArguments(
                format,
                paths,
                out(parsed, paths),
                all,
                ranks == null ? null : ranks(ranks),
                steps == null ? null : steps(steps),
                parsed.hasMatchedOption(CommandTree.PLAIN),
                threads == null
                        ? Runtime.getRuntime().availableProcessors()
                        : Arguments.integer(CommandTree.THREADS, threads, 1, 1024));
    }

    private static Path out(ParseResult parsed, List<Path> paths) {
        @Nullable String text = parsed.matchedOptionValue(CommandTree.OUT, (String) null);
        if (text == null) {
            throw new UsageError("export: found no --out, expected the name of a file to write.");
        }
        Path file = Arguments.path(CommandTree.OUT, text);
        OutputFile.check(file);
        OutputFile.checkIsNoInput(file, paths);
        return file;
    }

    private static RankSet ranks(String text) {
        RankSet set = RankSet.EMPTY;
        for (String part : text.split(",", -1)) {
            long[] range = range(part);
            if (range.length == 0 || range[1] > MAX_RANK || range[1] - range[0] > 1 << 20) {
                throw new UsageError("--ranks: found '" + SafeText.of(text) + "', expected ranks such as 0,3,8-15.");
            }
            set = set.union(RankSet.of(
                    IntStream.rangeClosed((int) range[0], (int) range[1]).toArray()));
        }
        return set;
    }

    private static Steps steps(String text) {
        long[] range = range(text);
        if (range.length == 0) {
            throw new UsageError("--steps: found '" + SafeText.of(text) + "', expected steps such as 20-24.");
        }
        return new Steps(range[0], range[1]);
    }

    /** First and last, or nothing if the text is neither a number nor two in order. */
    private static long[] range(String text) {
        if (!text.matches("[0-9]{1,12}(-[0-9]{1,12})?")) {
            return new long[0];
        }
        int dash = text.indexOf('-');
        long first = Long.parseLong(dash < 0 ? text : text.substring(0, dash));
        long last = dash < 0 ? first : Long.parseLong(text.substring(dash + 1));
        return first <= last ? new long[] {first, last} : new long[0];
    }
}
