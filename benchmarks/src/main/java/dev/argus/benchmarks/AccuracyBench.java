package dev.argus.benchmarks;

import dev.argus.benchmarks.accuracy.AccuracyPage;
import dev.argus.benchmarks.accuracy.AccuracyTable;
import dev.argus.benchmarks.accuracy.Calibration;
import dev.argus.benchmarks.accuracy.Cell;
import dev.argus.benchmarks.accuracy.JobSet;
import dev.argus.benchmarks.accuracy.Matrix;
import dev.argus.benchmarks.accuracy.Outcome;
import dev.argus.benchmarks.accuracy.PublishedPage;
import dev.argus.benchmarks.accuracy.Results;
import dev.argus.benchmarks.accuracy.Rival;
import dev.argus.benchmarks.accuracy.Trial;
import dev.argus.model.Level;
import dev.argus.simulator.ScenarioKind;
import dev.argus.stats.Robust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** How right the diagnosis is, on scenarios of a simulated fleet held against the truth about them. */
final class AccuracyBench implements Bench {
    /** First seed, when nobody gives one; the tests use others. */
    static final long SEED = 52_000;

    private static final int QUICK_PER_KIND = 3;
    private static final int FULL_PER_KIND = 20;
    private static final int QUICK_RANKS = 32;
    private static final int FULL_RANKS = 64;
    private static final int EVERY_FILE = 10;

    @Override
    public String name() {
        return "accuracy";
    }

    @Override
    public String about() {
        return "simulated faults and healthy jobs: who is named, why, when, and false alarms";
    }

    @Override
    public Set<String> takes() {
        return Set.of("--seed", "--only", "--per-kind", "--threads", "--misses", "--published", "--page");
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, InterruptedException, CannotMeasure {
        BenchRequest.Trials trials = request.trials();
        if (trials.published()) {
            return PublishedFigures.measure(request);
        }
        Long seed = trials.seed();
        int perKind = trials.perKind() > 0 ? trials.perKind() : request.full() ? FULL_PER_KIND : QUICK_PER_KIND;
        Matrix matrix = new Matrix(
                seed == null ? SEED : seed,
                perKind,
                kinds(trials.only()),
                request.full() ? FULL_RANKS : QUICK_RANKS,
                EVERY_FILE);
        List<Cell> cells = matrix.cells();
        request.progress().accept(cells.size() + " scenarios, seeds from " + matrix.firstSeed());
        List<Outcome> outcomes = run(cells, trials.threads(), request);
        if (outcomes.isEmpty()) {
            throw new CannotMeasure("no scenario could be drawn from these seeds; give another --seed");
        }
        Results results = new Results(outcomes);
        request.details().accept(AccuracyTable.text(results));
        if (trials.misses()) {
            request.details().accept(AccuracyTable.misses(results));
        }
        List<Figure> figures = figures(results, cells.size());
        Path page = trials.page();
        if (page != null) {
            Machine here = Machine.here();
            AccuracyPage.Making making = new AccuracyPage.Making(
                    command(request),
                    here.cpu() + ", " + here.cores() + " cores, JDK " + here.jdk(),
                    LocalDate.now(ZoneOffset.UTC).toString(),
                    matrix,
                    cells.size());
            String kept = Files.exists(page) ? PublishedPage.of(Files.readString(page)) : "";
            Files.writeString(page, PublishedPage.with(AccuracyPage.of(results, making, bars(figures)), kept));
            request.progress().accept("page written to " + page);
        }
        return figures;
    }

    private static String command(BenchRequest request) {
        BenchRequest.Trials trials = request.trials();
        StringBuilder text = new StringBuilder("./argus bench accuracy");
        text.append(request.full() ? " --full" : "");
        text.append(trials.seed() == null ? "" : " --seed " + trials.seed());
        text.append(trials.only().isEmpty() ? "" : " --only " + String.join(",", trials.only()));
        text.append(trials.perKind() == 0 ? "" : " --per-kind " + trials.perKind());
        return text.append(" --page docs/accuracy.md").toString();
    }

    private static List<AccuracyPage.Line> bars(List<Figure> figures) {
        return figures.stream()
                .filter(f -> f.bar() != null)
                .map(f -> {
                    Bar bar = Objects.requireNonNull(f.bar());
                    String holds = Boolean.TRUE.equals(f.holds()) ? "yes" : "**no**";
                    return new AccuracyPage.Line(f.name(), Figure.plain(f.value()), bar.text(), holds);
                })
                .toList();
    }

    private static Set<ScenarioKind> kinds(List<String> words) {
        Set<ScenarioKind> kinds = EnumSet.noneOf(ScenarioKind.class);
        words.forEach(word -> kinds.add(ScenarioKind.of(word)));
        return kinds;
    }

    private static List<Outcome> run(List<Cell> cells, int threads, BenchRequest request)
            throws IOException, InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        try (Scratch scratch = new Scratch();
                ExecutorService executor = Executors.newFixedThreadPool(Math.max(1, threads))) {
            List<Future<Optional<Outcome>>> futures = new ArrayList<>();
            for (int i = 0; i < cells.size(); i++) {
                Cell cell = cells.get(i);
                String folder = "job" + i;
                futures.add(executor.submit(() -> Trial.run(cell, scratch.folder(folder))));
            }
            int done = 0;
            for (Future<Optional<Outcome>> future : futures) {
                get(future).ifPresent(outcomes::add);
                if (++done % 50 == 0) {
                    request.progress().accept(done + " of " + cells.size());
                }
            }
        }
        return outcomes;
    }

    private static Optional<Outcome> get(Future<Optional<Outcome>> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a scenario failed: " + e.getCause(), e.getCause());
        }
    }

    private static List<Figure> figures(Results all, int wanted) {
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.count(
                "scenarios",
                "1",
                all.jobs(),
                "scenarios tried; for " + (wanted - all.jobs()) + " more no job that fits could be drawn",
                null));
        set(figures, "strong", all.of(JobSet.STRONG), 0.98, 0.95);
        set(figures, "weak", all.of(JobSet.WEAK), 0.85, null);
        set(figures, "links", all.of(JobSet.LINKS), 0.90, null);
        set(figures, "poor", all.of(JobSet.POOR), null, null);
        Results healthy = all.of(JobSet.HEALTHY);
        if (healthy.jobs() > 0) {
            figures.add(Figure.count(
                    "healthyAlarms",
                    "1",
                    healthy.falseAlarms(),
                    "alarms in " + healthy.jobs() + " jobs with nothing to act on",
                    Bar.exactly(0)));
        }
        Results poor =
                all.where(o -> o.cell().set() == JobSet.POOR && !o.cell().kind().faulty());
        if (poor.jobs() > 0) {
            figures.add(Figure.count(
                    "poorHealthyAlarms",
                    "1",
                    poor.falseAlarms(),
                    "alarms in " + poor.jobs() + " healthy jobs with a damaged record",
                    Bar.exactly(0)));
        }
        Results faulty = all.where(o -> o.cell().kind().faulty());
        if (faulty.jobs() > 0) {
            figures.add(Figure.count(
                    "falseAlarmsBesideFaults",
                    "1",
                    faulty.falseAlarms(),
                    "alarms that name no fault, in " + faulty.jobs() + " jobs with faults",
                    null));
        }
        Results costly =
                all.where(o -> o.cell().set() == JobSet.STRONG || o.cell().set() == JobSet.LINKS);
        if (costly.jobs() > 0) {
            share(
                    figures,
                    "costliestFirst",
                    costly.costliestFirst(),
                    "jobs whose first alarm names the costliest fault, of " + costly.jobs()
                            + " with strong faults or links",
                    null);
        }
        calibration(figures, all.calibration());
        Rival.of(all).forEach(rival -> rival(figures, rival));
        return figures;
    }

    private static void rival(List<Figure> figures, Rival rival) {
        if (!Double.isNaN(rival.strongExact())) {
            share(figures, rival.name() + "StrongExact", rival.strongExact(), rival.rule(), null);
        }
        figures.add(Figure.count(
                rival.name() + "HealthyAlarms",
                "1",
                rival.healthyAlarms(),
                "healthy jobs in which it names somebody",
                null));
    }

    private static void set(
            List<Figure> figures, String name, Results set, @Nullable Double exact, @Nullable Double others) {
        int n = set.faults().size();
        if (n == 0) {
            return;
        }
        String of = " of " + n + " faults of the set " + name;
        share(figures, name + "Exact", set.exact(), "localised exactly," + of, exact);
        share(figures, name + "Kind", set.kind(), "named with an accepted kind," + of, others);
        share(figures, name + "Steps", set.steps(), "named with the right steps," + of, others);
        double[] prices = set.prices();
        if (prices.length > 0) {
            figures.add(Figure.single(
                    name + "Price",
                    "x",
                    Robust.sortedQuantile(prices, 0.5),
                    String.format(
                            Locale.ROOT,
                            "median of what a fault is said to cost over what it costs, of %d named exactly and not priced by a bound; 5 %% below %.2f, a quarter below %.2f, a quarter above %.2f, 5 %% above %.2f",
                            prices.length,
                            Robust.sortedQuantile(prices, 0.05),
                            Robust.sortedQuantile(prices, 0.25),
                            Robust.sortedQuantile(prices, 0.75),
                            Robust.sortedQuantile(prices, 0.95)),
                    null));
        }
        boolean strong = name.equals("strong");
        figures.add(Figure.single(
                name + "Delay", "steps", set.medianDelay(), "median steps until any level names the fault", null));
        delay(figures, name, set, Level.L1, strong ? Bar.atMost(2) : null);
        delay(figures, name, set, Level.L2, strong ? Bar.atMost(3) : null);
        delay(figures, name, set, Level.L3, null);
    }

    private static void delay(List<Figure> figures, String name, Results set, Level level, @Nullable Bar bar) {
        double median = set.medianDelay(level);
        if (Double.isNaN(median)) {
            return; // no fault before which steps were recorded
        }
        figures.add(Figure.single(
                name + "Delay" + level,
                "steps",
                median,
                "median steps from the first affected one, itself counted, to an alarm that names the fault exactly and in"
                        + " which " + level + " takes part; 99 = half of them never"
                        + (level == Level.L1 ? "; faults before which two steps or more were recorded" : ""),
                bar));
    }

    private static void share(List<Figure> figures, String name, double value, String reference, @Nullable Double bar) {
        figures.add(Figure.single(name, "1", value, reference, bar == null ? null : Bar.atLeast(bar)));
    }

    private static void calibration(List<Figure> figures, Calibration calibration) {
        if (Double.isNaN(calibration.error())) {
            return;
        }
        String over = " over bins of " + Calibration.ENOUGH + " findings or more";
        figures.add(Figure.single(
                "calibrationError", "1", calibration.error(), "expected calibration error" + over, Bar.atMost(0.05)));
        figures.add(Figure.single(
                "worstOverconfidence",
                "1",
                calibration.worstExcess(),
                "most that a bin claims too much," + over,
                Bar.atMost(0.05)));
    }
}
