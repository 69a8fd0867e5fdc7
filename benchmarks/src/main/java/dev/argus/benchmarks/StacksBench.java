package dev.argus.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.argus.stacks.FoldedStacks;
import dev.argus.stacks.SampledStack;
import dev.argus.stacks.StackSampler;
import dev.argus.testkit.PythonPrograms;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What it costs to read the stacks of Python processes from outside, how right they are, and what the processes notice. */
final class StacksBench implements Bench {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Path PYTHON = Path.of("/usr/bin/python3");
    private static final long TICK = 50_000_000L;
    private static final int RUNS = 5;
    private static final int RANKS = 8;
    private static final double FAST = 1000;

    @Override
    public String name() {
        return "stacks";
    }

    @Override
    public String about() {
        return "CPU of a stack sample, error of proportions, pauses of the target";
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, InterruptedException, CannotMeasure {
        Path python = request.paths().isEmpty() ? PYTHON : request.paths().getFirst();
        if (!Files.isExecutable(python)) {
            throw new CannotMeasure(python + " is no program: expected a Python of 3.11 or newer, here or as PATH");
        }
        List<Figure> figures = new ArrayList<>();
        request.progress().accept("samples of 30 frames, one after the other");
        oneByOne(python, figures, request.full() ? 20_000 : 4_000);
        request.progress().accept(RANKS + " processes at 20 samples a second");
        paced(python, figures, request.full() ? 300 : 20);
        request.progress().accept("proportions against the program's own clock");
        proportions(python, figures, request.full() ? 40_000 : 8_000);
        request.progress().accept("pauses of a process of 64 threads");
        pauses(python, figures, request.full() ? 40 : 8);
        return figures;
    }

    // ---------------------------------------------------------------- cost

    private static void oneByOne(Path python, List<Figure> figures, int count) throws IOException, CannotMeasure {
        List<Double> samples = new ArrayList<>();
        List<Double> words = new ArrayList<>();
        List<Double> stats = new ArrayList<>();
        long[] frames = {0, 0};
        FoldedStacks folded = new FoldedStacks(1000);
        String version;
        try (PythonTarget target = new PythonTarget(python, PythonTarget.THIRTY_FRAMES);
                StackSampler sampler = target.attach()) {
            version = sampler.version();
            Path stat = Path.of("/proc/" + target.pid() + "/stat");
            long tick = 0;
            for (int run = -1; run < RUNS; run++) { // the first warms up
                long begin = cpu();
                for (int i = 0; i < count; i++) {
                    sampler.sampleOnce(tick++ * TICK, stack -> {
                        frames[0] += stack.frames().size();
                        frames[1]++;
                        folded.add(stack);
                    });
                }
                long sampled = cpu();
                for (int i = 0; i < count; i++) {
                    sampler.readable();
                }
                long read = cpu();
                for (int i = 0; i < count; i++) {
                    Files.readAllBytes(stat);
                }
                long end = cpu();
                if (run >= 0) {
                    samples.add((sampled - begin) / 1e3 / count);
                    words.add((read - sampled) / 1e3 / count);
                    stats.add((end - read) / 1e3 / count);
                }
            }
        }
        String what = "CPU of one sample of " + Figure.plain((double) frames[0] / Math.max(1, frames[1]))
                + " frames, folded, of Python " + version + ", one after the other";
        figures.add(Figure.median("sampleMicros", "us", samples, what, Bar.atMost(50)));
        figures.add(Figure.median(
                "smallestReadMicros", "us", words, "reference: one process_vm_readv of 8 bytes, same run", null));
        figures.add(Figure.median(
                "procStatMicros", "us", stats, "reference: /proc/PID/stat opened, read, closed, same run", null));
    }

    /** As the agent does it: one loop, all processes at each turn, sleeping in between. */
    private static void paced(Path python, List<Figure> figures, int seconds) throws IOException, CannotMeasure {
        List<PythonTarget> targets = new ArrayList<>();
        List<StackSampler> samplers = new ArrayList<>();
        FoldedStacks folded = new FoldedStacks(1000);
        List<Double> perSample = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        try {
            for (int i = 0; i < RANKS; i++) {
                targets.add(new PythonTarget(python, PythonTarget.THIRTY_FRAMES));
                samplers.add(targets.getLast().attach());
            }
            for (int second = 0; second < seconds; second++) {
                long wall = System.nanoTime();
                long begin = cpu();
                int taken = 0;
                for (int turn = 0; turn < 20; turn++) {
                    for (StackSampler sampler : samplers) {
                        taken += sampler.sampleOnce(System.nanoTime(), folded::add);
                    }
                    long wait = samplers.getFirst().nextNanos() - System.nanoTime();
                    if (wait > 0) {
                        LockSupport.parkNanos(wait);
                    }
                }
                long used = cpu() - begin;
                perSample.add(used / 1e3 / Math.max(1, taken));
                shares.add((double) used / (System.nanoTime() - wall));
            }
        } finally {
            samplers.forEach(StackSampler::close);
            targets.forEach(PythonTarget::close);
        }
        int half = perSample.size() / 2;
        figures.add(Figure.median(
                "pacedSampleMicros",
                "us",
                perSample.subList(half, perSample.size()),
                "CPU a sample, the waiting loop included, of " + RANKS
                        + " processes at 20 a second, by seconds, the second half of them",
                null));
        figures.add(Figure.median(
                "coreShareOfEight",
                "1",
                shares.subList(half, shares.size()),
                "share of one core for that",
                Bar.atMost(0.01)));
    }

    // ---------------------------------------------------------------- truth

    private static void proportions(Path python, List<Figure> figures, int count) throws IOException, CannotMeasure {
        Map<String, Double> sampled = new HashMap<>();
        Map<String, Double> truth = new HashMap<>();
        double lost;
        try (PythonTarget target = new PythonTarget(python, PythonPrograms.PROPORTIONS);
                StackSampler sampler = target.attach()) {
            sampler.rate(FAST);
            while (sampler.taken() < count && !sampler.ended()) {
                step(sampler, stack -> {
                    int outer = stack.frames().size() - 3;
                    if (stack.main() && outer >= 0) {
                        sampled.merge(stack.frames().get(outer).split(" ", 2)[0], 1.0, Double::sum);
                    }
                });
            }
            target.finish();
            for (String line = target.line(); !line.equals("end") && !line.equals("null"); line = target.line()) {
                String[] words = line.split(" ", -1);
                truth.put(words[0], Double.valueOf(words[1]));
            }
            lost = (double) sampler.losses().total() / Math.max(1, sampler.taken());
        }
        figures.add(Figure.single(
                "worstShareErrorWithSleep",
                "points",
                worst(sampled, truth),
                "of five ways to spend time, sleeping among them, at 1000 a second: where all CPUs are busy, the sampler gets one when its target sleeps",
                null));
        truth.remove("sleeping");
        figures.add(Figure.single(
                "worstShareError",
                "points",
                worst(sampled, truth),
                count + " samples against the program's own clock: loops, calls, generators, C with callbacks",
                Bar.atMost(3)));
        figures.add(Figure.single("lostRatio", "1", lost, "stacks dropped because they did not fit together", null));
    }

    private static double worst(Map<String, Double> sampled, Map<String, Double> truth) {
        double all = truth.values().stream().mapToDouble(v -> v).sum();
        double stacks = truth.keySet().stream()
                .mapToDouble(k -> sampled.getOrDefault(k, 0.0))
                .sum();
        return truth.entrySet().stream()
                .mapToDouble(e -> 100 * Math.abs(sampled.getOrDefault(e.getKey(), 0.0) / stacks - e.getValue() / all))
                .max()
                .orElse(100);
    }

    private static void step(StackSampler sampler, Consumer<SampledStack> to) {
        long wait = sampler.nextNanos() - System.nanoTime();
        if (sampler.taken() > 0 && wait > 0) {
            LockSupport.parkNanos(wait);
        }
        sampler.sampleOnce(System.nanoTime(), to);
    }

    // ---------------------------------------------------------------- pauses

    private static void pauses(Path python, List<Figure> figures, int pairs) throws IOException, CannotMeasure {
        List<Double> speed = new ArrayList<>();
        List<Double> wall = new ArrayList<>();
        List<Double> gaps = new ArrayList<>();
        List<Double> largest = new ArrayList<>();
        List<Double> largestAlone = new ArrayList<>();
        long taken;
        try (PythonTarget target = new PythonTarget(python, PythonTarget.GAPS);
                StackSampler sampler = target.attach()) {
            sampler.rate(FAST);
            for (int i = -1; i < pairs; i++) { // the first warms up
                double[] alone = new double[4];
                double[] watched = new double[4];
                for (int half = 0; half < 2; half++) {
                    boolean sampling = (half == 0) == (i % 2 == 0);
                    double[] result = period(target, sampling ? sampler : null);
                    System.arraycopy(result, 0, sampling ? watched : alone, 0, 4);
                }
                if (i >= 0) {
                    speed.add(watched[0] / watched[3] / (alone[0] / alone[3]));
                    wall.add(watched[0] / alone[0]);
                    gaps.add(watched[2] / alone[2]);
                    largest.add(watched[1] / 1e3);
                    largestAlone.add(alone[1] / 1e3);
                }
            }
            taken = sampler.taken();
        }
        figures.add(Figure.median(
                "targetSpeedRatio",
                "1",
                speed,
                "rounds of a loop a CPU second, in a process of 64 threads with 1000 samples a second of it and without, in turn, a second each; "
                        + taken + " samples",
                Bar.atLeast(0.99)));
        figures.add(Figure.median("targetWallSpeedRatio", "1", wall, "the same a second on the wall", null));
        figures.add(Figure.median(
                "targetGapRatio", "1", gaps, "the same for the 99.9th percentile of the loop's gaps", null));
        figures.add(Figure.median("largestGapMicros", "us", largest, "largest gap of a second, sampled", null));
        figures.add(
                Figure.median("largestGapAloneMicros", "us", largestAlone, "reference: the same, not sampled", null));
    }

    private static double[] period(PythonTarget target, @Nullable StackSampler sampler) throws IOException {
        target.tell("1000000000");
        long end = System.nanoTime() + 1_000_000_000L;
        while (sampler != null && System.nanoTime() < end) {
            step(sampler, stack -> {});
        }
        String[] words = target.line().split(" ", -1);
        return Arrays.stream(words).mapToDouble(Double::parseDouble).toArray();
    }

    private static long cpu() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
