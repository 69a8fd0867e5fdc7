package dev.argus.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What everything on costs a real PyTorch job: the example job with the producer and {@code ./argus agent}, and the same job without, take strict turns on the same
 * cores ({@code producers/python/examples/overhead_blocks.py}, which says what "off" is).
 */
final class TrainingOverhead {
    private static final String SCRIPT = "producers/python/examples/overhead_blocks.py";

    /** Half a percent, and half a point. */
    private static final double BAR = 0.005;

    /** Steps of a block: the shorter, the less does what the machine does else change from one to the next. */
    private static final int STEPS = 4;

    private final Path launcher;
    private final Scratch scratch;
    private final BenchRequest request;

    TrainingOverhead(Path launcher, Scratch scratch, BenchRequest request) {
        this.launcher = launcher;
        this.scratch = scratch;
        this.request = request;
    }

    /** What one comparison gave. */
    private record Compared(
            List<Double> wall, List<Double> cpu, List<Double> agent, Map<Integer, List<Double>> cpuByLaunch) {}

    /** One pair of blocks that is being read. */
    private static final class Pair {
        private final Map<Boolean, double[]> sides = new HashMap<>();
    }

    /**
     * Measures a job of so many processes.
     *
     * @param bars true where the bars of the budget hold
     * @return no figures where there is no PyTorch
     */
    List<Figure> measure(String prefix, int ranks, int launches, int blocks, boolean bars)
            throws IOException, InterruptedException {
        Compared got = compare(ranks, launches, blocks, false);
        if (got == null) {
            return List.of();
        }
        String what = ranks + " processes of one thread, " + launches + " launches of " + blocks
                + " pairs of blocks, each with everything beside one without";
        MedianInterval wall = MedianInterval.of(got.wall);
        MedianInterval cpu = MedianInterval.of(got.cpu);
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure(
                prefix + "Wall",
                wall.median(),
                "1",
                got.wall,
                "wall time, " + what + interval(wall),
                bars ? Bar.atMost(BAR) : null));
        figures.add(Figure.single(
                prefix + "WallWidth", "1", wall.width(), "width of its 95 % interval", bars ? Bar.atMost(BAR) : null));
        figures.add(new Figure(
                prefix + "Cpu",
                cpu.median(),
                "1",
                got.cpu,
                "CPU time of ranks and agent over that of ranks without, same blocks" + interval(cpu),
                bars ? Bar.atMost(BAR) : null));
        figures.add(Figure.single(
                prefix + "CpuWidth", "1", cpu.width(), "width of its 95 % interval", bars ? Bar.atMost(BAR) : null));
        figures.add(Figure.median(
                prefix + "AgentShare",
                "1",
                got.agent,
                "CPU time of the agent over wall time of these blocks: of one core",
                null));
        List<Double> launchMedians =
                got.cpuByLaunch.values().stream().map(Figure::median).toList();
        figures.add(Figure.median(
                prefix + "CpuByLaunch",
                "1",
                launchMedians,
                "median of each launch: how far two processes differ anyway",
                null));
        return figures;
    }

    /** The same measure of two jobs that are both without. */
    List<Figure> same(int launches, int blocks) throws IOException, InterruptedException {
        Compared got = compare(2, launches, blocks, true);
        if (got == null) {
            return List.of();
        }
        return List.of(
                new Figure(
                        "sameWall",
                        MedianInterval.of(got.wall).median(),
                        "1",
                        got.wall,
                        "both jobs without Argus: what the measure itself shows"
                                + interval(MedianInterval.of(got.wall)),
                        null),
                new Figure(
                        "sameCpu",
                        MedianInterval.of(got.cpu).median(),
                        "1",
                        got.cpu,
                        "the same by CPU time" + interval(MedianInterval.of(got.cpu)),
                        null));
    }

    private static String interval(MedianInterval m) {
        return String.format(
                Locale.ROOT,
                "; 95 %% interval of the median %+.2f to %+.2f %%, %d pairs",
                100 * m.low(),
                100 * m.high(),
                m.count());
    }

    private @Nullable Compared compare(int ranks, int launches, int blocks, boolean same)
            throws IOException, InterruptedException {
        Path script = launcher.resolveSibling(SCRIPT);
        Path errors = scratch.folder("log").resolve("training.txt");
        if (!Files.exists(script)
                || ChildRun.of(List.of(Pythons.interpreter(), "-c", "import torch.distributed"), errors)
                                .exitCode()
                        != 0) {
            request.progress().accept("no training is measured: " + Pythons.interpreter() + " has no PyTorch");
            return null;
        }
        List<String> command = new ArrayList<>(List.of(
                Pythons.interpreter(),
                script.toString(),
                "--agent",
                launcher + " agent",
                "--ranks",
                Integer.toString(ranks),
                "--launches",
                Integer.toString(launches),
                "--blocks",
                Integer.toString(blocks),
                "--steps",
                Integer.toString(STEPS)));
        if (same) {
            command.add("--same");
        }
        request.progress().accept("training with " + ranks + " processes" + (same ? ", both without" : ""));
        Map<List<Integer>, Pair> pairs =
                new TreeMap<>((a, b) -> a.get(0).equals(b.get(0)) ? a.get(1) - b.get(1) : a.get(0) - b.get(0));
        try (ChildProcess run = new ChildProcess(command, Map.of(), errors)) {
            for (String line = run.line(); line != null; line = run.line()) {
                String[] f = line.split(" ", -1);
                double[] side = {Double.parseDouble(f[3]), Double.parseDouble(f[4]), Double.parseDouble(f[5])};
                pairs.computeIfAbsent(List.of(Integer.valueOf(f[0]), Integer.valueOf(f[1])), k -> new Pair())
                        .sides
                        .put(!f[2].equals("off"), side);
            }
            if (pairs.isEmpty()) {
                request.progress().accept("no training was measured: " + run.failure());
                return null;
            }
        }
        Compared got = new Compared(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new TreeMap<>());
        pairs.forEach((key, pair) -> {
            double[] on = pair.sides.getOrDefault(true, new double[0]);
            double[] off = pair.sides.getOrDefault(false, new double[0]);
            if (on.length > 0 && off.length > 0) {
                got.wall.add(on[0] / off[0] - 1);
                double cpu = (on[1] + on[2]) / off[1] - 1;
                got.cpu.add(cpu);
                got.agent.add(on[2] / on[0]);
                got.cpuByLaunch
                        .computeIfAbsent(key.getFirst(), k -> new ArrayList<>())
                        .add(cpu);
            }
        });
        return got.wall.isEmpty() ? null : got;
    }
}
