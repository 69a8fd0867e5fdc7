package dev.argus.simulator;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes drawn cases: {@code OUT/case-0001/traces/...} and {@code truth.json}.
 *
 * <pre>{@code
 * SimulateMain OUT [--seed N] [--count K] [--kind KIND[,KIND]] [--healthy] [--weak] [--max-world N]
 *     [--missing culprit|one|half]
 * }</pre>
 */
public final class SimulateMain {
    private SimulateMain() {}

    /**
     * Runs, and lists what was written in {@code OUT/cases.txt}.
     *
     * @throws IllegalArgumentException for wrong usage; the message says what is right
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0 || arguments[0].startsWith("-")) {
            throw new IllegalArgumentException("usage: SimulateMain OUT [--seed N] [--count K] [--kind KIND[,KIND]]"
                    + " [--healthy] [--weak] [--max-world N] [--missing culprit|one|half]; kinds: "
                    + String.join(
                            " ",
                            Arrays.stream(ScenarioKind.values())
                                    .map(ScenarioKind::word)
                                    .toList()));
        }
        Path out = Path.of(arguments[0]);
        Files.createDirectories(out);
        try (Writer list = Files.newBufferedWriter(
                out.resolve("cases.txt"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            write(out, Options.of(arguments), list);
        }
    }

    private record Options(
            long seed, int count, List<ScenarioKind> kinds, Severity severity, int maxWorld, String missing) {
        static Options of(String[] arguments) {
            long seed = 1;
            int count = 1;
            int world = Scenarios.MAX_WORLD;
            boolean healthy = false;
            String missing = "none";
            Severity severity = Severity.STRONG;
            List<ScenarioKind> kinds = new ArrayList<>();
            for (int i = 1; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--seed" -> seed = Long.parseLong(arguments[++i]);
                    case "--count" -> count = Integer.parseInt(arguments[++i]);
                    case "--max-world" -> world = Integer.parseInt(arguments[++i]);
                    case "--kind" ->
                        Arrays.stream(arguments[++i].split(",", -1))
                                .map(ScenarioKind::of)
                                .forEach(kinds::add);
                    case "--missing" -> missing = arguments[++i];
                    case "--healthy" -> healthy = true;
                    case "--weak" -> severity = Severity.WEAK;
                    default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
                }
            }
            if (kinds.isEmpty()) {
                boolean faulty = !healthy;
                Arrays.stream(ScenarioKind.values())
                        .filter(k -> k.faulty() == faulty)
                        .forEach(kinds::add);
            }
            return new Options(seed, count, kinds, severity, world, missing);
        }
    }

    private static void write(Path out, Options options, Writer list) throws IOException {
        for (int i = 0; i < options.count(); i++) {
            ScenarioKind kind = options.kinds().get(i % options.kinds().size());
            long seed = options.seed() + i;
            String name = String.format(Locale.ROOT, "case-%04d", seed);
            Scenario scenario;
            try {
                scenario = Scenarios.random(seed, kind, options.severity(), options.maxWorld());
            } catch (IllegalStateException e) {
                list.write(name + " left out: " + e.getMessage() + "\n");
                list.flush();
                continue;
            }
            SimulatedJob job = Simulation.run(scenario);
            Set<Integer> missing = missing(scenario, options.missing());
            Truth truth = Truth.of(job, name, missing);
            Path folder = out.resolve(name);
            KinetoOutput.write(job, folder.resolve("traces"), missing);
            truth.write(folder);
            list.write(line(name, scenario, job, truth) + "\n");
            list.flush();
        }
    }

    private static Set<Integer> missing(Scenario scenario, String which) {
        int world = scenario.layout().world();
        int one = (int) Math.floorMod(scenario.seed(), (long) world);
        return switch (which) {
            case "none" -> Set.of();
            case "one" -> Set.of(one);
            case "half" ->
                IntStream.range(0, world)
                        .filter(r -> Noise.unit(Noise.bits(scenario.seed(), r, 91, 0)) < 0.5)
                        .boxed()
                        .collect(Collectors.toSet());
            case "culprit" ->
                scenario.faults().stream()
                        .map(f -> f.ranks(scenario.layout()))
                        .filter(r -> r.length <= world / 4)
                        .flatMapToInt(IntStream::of)
                        .boxed()
                        .collect(Collectors.toSet());
            default -> throw new IllegalArgumentException("--missing is " + which + ", must be culprit, one or half");
        };
    }

    private static String line(String name, Scenario scenario, SimulatedJob job, Truth truth) {
        StringBuilder text = new StringBuilder(name);
        Layout layout = scenario.layout();
        text.append(' ')
                .append(scenario.name())
                .append(", ")
                .append(layout.world())
                .append(" ranks");
        for (Layout.Dimension d : layout.order()) {
            if (layout.size(d) > 1) {
                text.append(' ').append(d.name().toLowerCase(Locale.ROOT)).append(layout.size(d));
            }
        }
        text.append(' ').append(scenario.model().sharding());
        text.append(String.format(Locale.ROOT, ", step %.1f ms", job.stepNanos(1) / 1e6));
        for (FaultTruth cost : truth.faults()) {
            text.append(String.format(
                    Locale.ROOT, ", %s costs %.1f %%", cost.fault().kind(), 100 * cost.costRatio()));
        }
        return text.toString();
    }
}
