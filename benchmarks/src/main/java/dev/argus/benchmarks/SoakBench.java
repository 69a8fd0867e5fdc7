package dev.argus.benchmarks;

import dev.argus.benchmarks.scale.PlantedFault;
import dev.argus.benchmarks.scale.SoakRun;
import dev.argus.engine.Concluded;
import dev.argus.model.Incident;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A day of one-minute windows of a healthy job: silence, flat memory, and three faults at the end that must be named all the same. */
final class SoakBench implements Bench {
    private static final int WINDOWS = 1440;
    static final int LEAST_WINDOWS = 100;
    private static final int SMALL_RANKS = 288;
    private static final int SMALL_KERNELS = 8;
    private static final int FULL_RANKS = 12_960;
    private static final int FULL_KERNELS = 12;
    private static final int LANES = 2;

    /**
     * Windows to a conclusion of the short form until the faults begin, for the search of links takes most of the time: all
     * steps that detectors hold are new then, so each is judged once, and once when half of them were.
     */
    private static final int EVERY = 16;

    private static final int MOST_INCIDENTS = 1;
    private static final double MOST_GROWTH = 0.1;
    private static final int MOST_WINDOWS = 3;
    private static final int PARTS = 10;
    private static final int LINES = 40;

    private final int ofWindows;
    private final int smallRanks;

    SoakBench() {
        this(WINDOWS, SMALL_RANKS);
    }

    SoakBench(int windows, int ranks) {
        this.ofWindows = windows;
        this.smallRanks = ranks;
    }

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String about() {
        return "a day of windows of a healthy job: silence, flat memory, faults at its end named";
    }

    @Override
    public Set<String> takes() {
        return Set.of("--ranks", "--windows");
    }

    @Override
    public List<Figure> measure(BenchRequest request) {
        int ranks = request.ranks() > 0 ? request.ranks() : request.full() ? FULL_RANKS : smallRanks;
        int windows = request.windows() > 0 ? Math.max(LEAST_WINDOWS, request.windows()) : ofWindows;
        int kernels = request.full() ? FULL_KERNELS : SMALL_KERNELS;
        try (ExecutorService others = Executors.newFixedThreadPool(LANES)) {
            SoakRun run = new SoakRun(ranks, windows, kernels, others, LANES);
            Watch watch = new Watch(run.faults());
            double start = System.nanoTime();
            double concluding = 0;
            int conclusions = 0;
            int every = request.full() ? 1 : EVERY;
            for (int w = 0; w < windows; w++) {
                run.take(w);
                if (w % every == every - 1 || w >= run.faults().getFirst().firstWindow()) {
                    double before = System.nanoTime();
                    Concluded concluded = run.conclude();
                    concluding += System.nanoTime() - before;
                    conclusions++;
                    watch.see(w, concluded, request);
                }
                if (reaches(w, PARTS, windows)) {
                    watch.measure(run.stateBytes());
                }
                if (reaches(w, LINES, windows)) {
                    request.progress()
                            .accept(String.format(
                                    "%d of %d windows, %.0f s, concluding %.0f s of it, heap %.1f MB, incidents %d, observations %d, left out %s",
                                    w + 1,
                                    windows,
                                    (System.nanoTime() - start) / 1e9,
                                    concluding / 1e9,
                                    watch.heap.isEmpty() ? 0 : watch.heap.getLast() / 1e6,
                                    watch.alarms().size(),
                                    watch.observed.size(),
                                    run.losses()));
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return figures(watch, windows, ranks, kernels, seconds, conclusions, concluding / 1e9);
        }
    }

    private static boolean reaches(int window, int parts, int windows) {
        return (window + 1) * parts / windows > window * parts / windows;
    }

    private static List<Figure> figures(
            Watch watch, int windows, int ranks, int kernels, double seconds, int conclusions, double concluding) {
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.count(
                "incidents",
                "1",
                watch.alarms().size(),
                "distinct ids ever said in " + windows + " windows of " + ranks + " ranks, " + SoakRun.STEPS
                        + " steps and " + kernels
                        + " kernels a window, but for those that name a planted fault exactly",
                Bar.atMost(MOST_INCIDENTS)));
        figures.add(Figure.count(
                "observations", "1", watch.observed.size(), "distinct ids of observations ever made", null));
        for (PlantedFault fault : watch.faults) {
            int named = watch.named.getOrDefault(fault, windows);
            figures.add(Figure.count(
                    fault.name() + "Windows",
                    "windows",
                    Math.max(1, named - fault.firstWindow() + 1),
                    "from the first window of the fault of rank " + fault.rank()
                            + " to the conclusion that names exactly it",
                    Bar.atMost(MOST_WINDOWS)));
            figures.add(Figure.count(
                    fault.name() + "Ids",
                    "1",
                    watch.exact.getOrDefault(fault, Set.of()).size(),
                    "ids under which it was named",
                    Bar.exactly(1)));
        }
        double half = watch.heap.get(watch.heap.size() / 2 - 1);
        double end = watch.heap.getLast();
        figures.add(new Figure(
                "heapBytes", end, "B", watch.heap, "in use after a collection, at each tenth of the run", null));
        figures.add(Figure.single(
                "heapGrowth", "1", end / half - 1, "from the half of the run to its end", Bar.atMost(MOST_GROWTH)));
        watch.states.forEach((name, bytes) -> figures.add(new Figure(
                "stateBytes" + Character.toUpperCase(name.charAt(0)) + name.substring(1),
                bytes.getLast(),
                "B",
                bytes,
                "state of " + name + " written down, at each tenth of the run",
                null)));
        figures.add(Figure.single(
                "secondsPerWindow",
                "s",
                seconds / windows,
                "making the records included, " + LANES + " threads",
                null));
        figures.add(Figure.single(
                "secondsPerConclusion",
                "s",
                concluding / conclusions,
                "judging and concluding, " + conclusions + " times",
                null));
        return figures;
    }

    /** What was said over time. */
    private static final class Watch {
        final List<PlantedFault> faults;
        final Map<PlantedFault, Integer> named = new HashMap<>();
        final Map<PlantedFault, Set<String>> exact = new HashMap<>();
        final Map<String, String> incidents = new LinkedHashMap<>();
        final Set<String> observed = new HashSet<>();
        final List<Double> heap = new ArrayList<>();
        final Map<String, List<Double>> states = new TreeMap<>();

        Watch(List<PlantedFault> faults) {
            this.faults = faults;
        }

        void see(int window, Concluded concluded, BenchRequest request) {
            for (Incident i : concluded.incidents()) {
                if (incidents.put(i.id(), i.summary()) == null) {
                    request.progress()
                            .accept("window " + window + ": " + i.kind().text() + ", " + i.summary());
                }
                for (PlantedFault f : faults) {
                    if (f.isNamedBy(i)) {
                        named.putIfAbsent(f, window);
                        exact.computeIfAbsent(f, k -> new HashSet<>()).add(i.id());
                    }
                }
            }
            concluded.observations().forEach(o -> observed.add(o.id()));
        }

        /** Ids that name no planted fault. */
        Set<String> alarms() {
            Set<String> alarms = new HashSet<>(incidents.keySet());
            exact.values().forEach(alarms::removeAll);
            return alarms;
        }

        void measure(Map<String, Long> bytes) {
            System.gc();
            Runtime vm = Runtime.getRuntime();
            heap.add((double) (vm.totalMemory() - vm.freeMemory()));
            bytes.forEach((name, n) ->
                    states.computeIfAbsent(name, k -> new ArrayList<>()).add((double) n));
        }
    }
}
