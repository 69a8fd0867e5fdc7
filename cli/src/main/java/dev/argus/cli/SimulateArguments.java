package dev.argus.cli;

import dev.argus.model.SafeText;
import dev.argus.model.SimilarText;
import dev.argus.model.Topology;
import dev.argus.simulator.Damage;
import dev.argus.simulator.HangKind;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Severity;
import dev.argus.simulator.Wish;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * The arguments of {@code simulate}, checked one by one; whether they fit together the simulator says.
 *
 * @param out folder to write
 * @param count folders to write inside it; 1 = itself
 * @param attempts attempts of each job
 * @param wishes what to simulate, one a folder
 * @param stop what stops each job for good, or null
 */
record SimulateArguments(
        Path out,
        int count,
        int attempts,
        List<Wish> wishes,
        @Nullable Stop stop) {
    /**
     * What stops a job for good.
     *
     * @param kind what
     * @param rank on which rank, -1: drawn
     * @param step in which step, -1: behind the recorded ones
     */
    record Stop(HangKind kind, int rank, int step) {}

    private static final int MAX_STEP = 100_000_000;
    private static final int MAX_STEPS = 10_000;

    static SimulateArguments from(ParseResult parsed) {
        @Nullable String out = text(parsed, CommandTree.OUT);
        if (out == null) {
            throw new UsageError(
                    "simulate: found no --out, expected a folder to write; try: ./argus simulate --out job");
        }
        int count = number(parsed, CommandTree.COUNT, 1, 1, 10_000);
        Reader reader = new Reader(parsed);
        List<Wish> wishes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            wishes.add(reader.wish(i));
        }
        return new SimulateArguments(
                Arguments.path(CommandTree.OUT, out),
                count,
                number(parsed, CommandTree.ATTEMPTS, 1, 1, 9),
                wishes,
                reader.stop());
    }

    /** Reads the options of one wish after the other; only the seed differs. */
    private record Reader(ParseResult parsed) {
        Wish wish(int nth) {
            long seed = number(parsed, CommandTree.SEED, 1, 0, 999_999_999);
            Wish wish = Wish.of(seed + nth, kinds());
            String severity = oneOf(parsed, CommandTree.SEVERITY, Severity.STRONG.word(), words(Severity.values()));
            wish.severity(Severity.valueOf(severity.toUpperCase(Locale.ROOT)));
            wish.maxRanks(number(parsed, CommandTree.MAX_RANKS, 64, 8, 16_384));
            layout(wish);
            time(wish);
            strength(wish);
            if (parsed.hasMatchedOption(CommandTree.RANK)) {
                wish.rank(number(parsed, CommandTree.RANK, 0, 0, 16_383));
            }
            look(wish);
            return wish;
        }

        private String[] kindWords() {
            return parsed.matchedOptionValue(CommandTree.KIND, "compute").split(",", -1);
        }

        /** What stops the job: it stops once, and has no strength. */
        @Nullable
        Stop stop() {
            List<HangKind> found = Arrays.stream(kindWords())
                    .map(HangKind::of)
                    .filter(Objects::nonNull)
                    .toList();
            if (found.isEmpty()) {
                return null;
            }
            String word = found.getFirst().word();
            if (kindWords().length > 1) {
                throw new UsageError("--kind: found " + word
                        + " beside another kind, expected it alone: of a job that stands still nothing else is told.");
            }
            for (String option : List.of(
                    CommandTree.FACTOR,
                    CommandTree.PAUSE,
                    CommandTree.DURATION,
                    CommandTree.SEVERITY,
                    CommandTree.ATTEMPTS)) {
                if (parsed.hasMatchedOption(option)) {
                    throw new UsageError(option + " does not go with --kind " + word
                            + ": a job that stands still does so for good; leave it out.");
                }
            }
            int step =
                    parsed.hasMatchedOption(CommandTree.ONSET) ? number(parsed, CommandTree.ONSET, 0, 0, MAX_STEP) : -1;
            int rank = parsed.hasMatchedOption(CommandTree.RANK) ? number(parsed, CommandTree.RANK, 0, 0, 16_383) : -1;
            return new Stop(found.getFirst(), rank, step);
        }

        private ScenarioKind[] kinds() {
            List<ScenarioKind> kinds = new ArrayList<>();
            for (String word : kindWords()) {
                if (HangKind.of(word) != null) {
                    kinds.add(ScenarioKind.HEALTHY);
                    continue;
                }
                kinds.add(Arrays.stream(ScenarioKind.values())
                        .filter(k -> k.word().equals(word))
                        .findFirst()
                        .orElseThrow(() -> unknown(word)));
            }
            return kinds.toArray(new ScenarioKind[0]);
        }

        private static UsageError unknown(String word) {
            List<String> all = new ArrayList<>(HangKind.words());
            Arrays.stream(ScenarioKind.values()).map(ScenarioKind::word).forEach(all::add);
            @Nullable String near = SimilarText.to(word, all);
            return new UsageError("--kind: found '" + SafeText.of(word) + "', expected a kind of scenario; "
                    + (near == null ? "" : "did you mean " + near + "? ") + "see: ./argus simulate --list");
        }

        private void layout(Wish wish) {
            @Nullable String topology = text(parsed, CommandTree.TOPOLOGY);
            int gpus = number(parsed, CommandTree.GPUS_PER_HOST, 8, 1, 1024);
            if (topology != null) {
                wish.layout(LayoutOption.of(TopologyOption.parse(topology), gpus));
            }
            if (parsed.hasMatchedOption(CommandTree.RANKS)) {
                if (topology != null) {
                    throw new UsageError("--ranks and --topology are both given, expected one of them:"
                            + " --ranks 16 is --topology dp=16.");
                }
                int ranks = number(parsed, CommandTree.RANKS, 8, 2, 16_384);
                Topology data = new Topology(List.of(new Topology.Dimension("dp", ranks)), "given");
                wish.layout(LayoutOption.of(data, gpus));
            }
        }

        private void time(Wish wish) {
            if (parsed.hasMatchedOption(CommandTree.FIRST_STEP)) {
                wish.firstStep(number(parsed, CommandTree.FIRST_STEP, 0, 0, MAX_STEP));
            }
            if (parsed.hasMatchedOption(CommandTree.STEPS)) {
                wish.stepCount(number(parsed, CommandTree.STEPS, 1, 1, MAX_STEPS));
            }
            if (parsed.hasMatchedOption(CommandTree.ONSET)) {
                wish.onset(number(parsed, CommandTree.ONSET, 0, 0, MAX_STEP));
            }
            if (parsed.hasMatchedOption(CommandTree.DURATION)) {
                wish.duration(number(parsed, CommandTree.DURATION, 1, 1, MAX_STEPS));
            }
        }

        private void strength(Wish wish) {
            @Nullable String factor = text(parsed, CommandTree.FACTOR);
            if (factor != null) {
                wish.factor(Arguments.factor(CommandTree.FACTOR, factor));
            }
            if (parsed.hasMatchedOption(CommandTree.PAUSE)) {
                wish.pauseNanos(number(parsed, CommandTree.PAUSE, 1, 1, 3_600_000) * 1_000_000L);
            }
        }

        private Damage damage() {
            String[] words =
                    parsed.matchedOptionValue(CommandTree.DAMAGE, "none").split(",", -1);
            for (String word : words) {
                if (!Damage.WORDS.contains(word)) {
                    throw new UsageError("--damage: found '" + SafeText.of(word) + "', expected one or more of "
                            + String.join(", ", Damage.WORDS) + ".");
                }
            }
            return Damage.of(words);
        }

        private void look(Wish wish) {
            @Nullable String noise = text(parsed, CommandTree.NOISE);
            if (noise != null) {
                wish.noise(
                        switch (Arguments.oneOf(CommandTree.NOISE, noise, List.of("quiet", "usual", "noisy"))) {
                            case "quiet" -> NoiseLevel.QUIET;
                            case "noisy" -> NoiseLevel.NOISY;
                            default -> NoiseLevel.USUAL;
                        });
            }
            wish.damage(damage());
            @Nullable String dialect = text(parsed, CommandTree.DIALECT);
            if (dialect != null || parsed.hasMatchedOption(CommandTree.CLOCK_SKEW)) {
                int skew = number(parsed, CommandTree.CLOCK_SKEW, 2, 0, 100_000);
                wish.dialect(DialectOption.of(dialect == null ? "plain" : dialect, skew));
            }
        }
    }

    private static List<String> words(Enum<?>[] values) {
        return Arrays.stream(values).map(v -> v.name().toLowerCase(Locale.ROOT)).toList();
    }

    private static String oneOf(ParseResult parsed, String option, String otherwise, List<String> allowed) {
        return Arguments.oneOf(option, parsed.matchedOptionValue(option, otherwise), allowed);
    }

    private static @Nullable String text(ParseResult parsed, String option) {
        return parsed.matchedOptionValue(option, (String) null);
    }

    private static int number(ParseResult parsed, String option, int otherwise, int least, int most) {
        @Nullable String text = text(parsed, option);
        return text == null ? otherwise : Arguments.integer(option, text, least, most);
    }
}
