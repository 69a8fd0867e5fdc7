package dev.argus.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.argus.hostflink.Arrival;
import dev.argus.hostflink.HostOptions;
import dev.argus.hostflink.PlainRun;
import dev.argus.hostflink.Said;
import dev.argus.hostflink.replay.ReplayRun;
import dev.argus.hostflink.replay.ReplayScript;
import dev.argus.simulator.LiveJobs;
import dev.argus.simulator.ShippedJob;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The diagnosis on a small Flink in this process, with checkpoints into RocksDB, beside the same jobs in plain objects on one thread: the same records in the same run, and the same said of them.
 */
final class FlinkBench implements Bench {
    private static final int JOBS = 4;
    private static final int RANKS = 256;
    private static final int FULL_RANKS = 12_960;
    private static final int STEPS = 40;
    private static final int FULL_STEPS = 24;
    private static final int PARTITIONS = 4;
    private static final int ROUNDS = 3;
    private static final int FULL_ROUNDS = 5;
    private static final long BEGIN_MILLIS = 1_700_000_000_000L;
    private static final long TICK_MILLIS = 250;
    private static final long STEP_MILLIS = 1000;
    private static final double LEAST_OF_PLAIN = 0.5;
    private static final double LEAST_SCALING = 1.4;

    /** Jobs as a topic. */
    private static final class Load {
        final List<String> names = new ArrayList<>();
        final List<Arrival> records = new ArrayList<>();
        final List<List<Arrival>> byJob = new ArrayList<>();
        long rankSteps;
        long bytes;
        long endMillis;

        Load(int jobs, int ranks, int steps) {
            endMillis = BEGIN_MILLIS + (steps * STEP_MILLIS) / 10_000 * 10_000 + 30_000;
            List<Arrival> ticks = new ArrayList<>();
            for (long at = BEGIN_MILLIS; at <= endMillis + 2 * TICK_MILLIS; at += TICK_MILLIS) {
                for (int p = 0; p < PARTITIONS; p++) {
                    ticks.add(new Arrival("", p, 0, at, new byte[0]));
                }
            }
            records.addAll(ticks);
            for (int j = 0; j < jobs; j++) {
                String name = "job" + j;
                ShippedJob job = ShippedJob.of(
                        name,
                        LiveJobs.recorded(ranks, j + 1, 1, steps),
                        BEGIN_MILLIS * 1_000_000,
                        STEP_MILLIS * 1_000_000,
                        ShippedJob.Way.PLAIN);
                names.add(name);
                rankSteps += job.rankSteps();
                List<Arrival> of = new ArrayList<>();
                for (ShippedJob.Shipped s : job.shipments()) {
                    int partition = Math.floorMod((name + s.host()).hashCode(), PARTITIONS);
                    of.add(new Arrival(name, partition, of.size(), s.atNanos() / 1_000_000, s.bytes()));
                    bytes += s.bytes().length;
                }
                records.addAll(of);
                List<Arrival> withTicks = new ArrayList<>(of);
                withTicks.addAll(ticks);
                withTicks.sort(Comparator.comparingLong(Arrival::atMillis));
                byJob.add(withTicks);
            }
            records.sort(Comparator.comparingLong(Arrival::atMillis));
        }

        ReplayScript script() {
            ReplayScript script = new ReplayScript(PARTITIONS);
            records.forEach(a -> script.add(a.partition(), a.atMillis(), a.bytes()));
            return script;
        }
    }

    /**
     * One run.
     *
     * @param seconds by the clock
     * @param cpuSeconds of all cores
     * @param said changes of incidents
     */
    private record Ran(double seconds, double cpuSeconds, List<String> said) {}

    @Override
    public String name() {
        return "flink";
    }

    @Override
    public String about() {
        return "steps of ranks on Flink, with checkpoints, beside the same jobs without Flink";
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, InterruptedException {
        List<Figure> figures = new ArrayList<>(several(request));
        if (request.full()) {
            figures.addAll(large(request));
        }
        return figures;
    }

    private static List<Figure> several(BenchRequest request) throws IOException, InterruptedException {
        request.progress().accept("making " + JOBS + " jobs of " + RANKS + " ranks");
        Load load = new Load(JOBS, RANKS, STEPS);
        List<Double> plain = new ArrayList<>();
        List<Double> one = new ArrayList<>();
        List<Double> two = new ArrayList<>();
        List<Double> scaling = new ArrayList<>();
        long different = 0;
        int rounds = request.full() ? FULL_ROUNDS : ROUNDS;
        for (int round = -1; round < rounds; round++) {
            Ran reference = plain(load);
            Ran slot = flink(load, 1);
            Ran slots = flink(load, 2);
            if (round >= 0) { // the first one warms up
                plain.add(load.rankSteps / reference.cpuSeconds());
                one.add(load.rankSteps / slot.cpuSeconds());
                two.add(load.rankSteps / slots.cpuSeconds());
                scaling.add(slot.seconds() / slots.seconds());
            }
            different += different(reference, slot) + different(reference, slots);
        }
        String what = JOBS + " jobs of " + RANKS + " ranks, " + STEPS + " steps, " + load.bytes / load.rankSteps
                + " bytes a rank-step";
        return List.of(
                Figure.median(
                        "plainPerCoreSecond",
                        "1/s",
                        plain,
                        "reference: steps of ranks, one thread without Flink; " + what,
                        null),
                Figure.median(
                        "flinkPerCoreSecond",
                        "1/s",
                        one,
                        "the same on Flink, one slot, checkpoints every 2 s, per second of all cores used",
                        null),
                Figure.median(
                        "flinkOverPlain",
                        "x",
                        Figure.ratios(one, plain),
                        "per second of a core, round by round",
                        Bar.atLeast(LEAST_OF_PLAIN)),
                Figure.median("flinkTwoSlotsPerCoreSecond", "1/s", two, "two slots", null),
                Figure.median(
                        "twoSlotsOverOne",
                        "x",
                        scaling,
                        "speed by the clock of two slots over one, on "
                                + Runtime.getRuntime().availableProcessors() + " cores",
                        Bar.atLeast(LEAST_SCALING)),
                Figure.count(
                        "changesThatDiffer",
                        "changes",
                        different,
                        "what was said on Flink against what was said without, all rounds",
                        Bar.exactly(0)));
    }

    private static List<Figure> large(BenchRequest request) throws IOException, InterruptedException {
        request.progress().accept("making a job of " + FULL_RANKS + " ranks");
        Load load = new Load(1, FULL_RANKS, FULL_STEPS);
        Ran run = flink(load, 1);
        PlainRun plain = new PlainRun(load.names.getFirst(), HostOptions.DEFAULT);
        plain.play(load.byJob.getFirst(), 5000, said -> {});
        return List.of(
                Figure.single(
                        "largeJobSpeed",
                        "x",
                        FULL_STEPS * STEP_MILLIS / 1e3 / run.seconds(),
                        String.format(
                                Locale.ROOT,
                                "time that %d steps of 1 s of %d ranks take in life over that on Flink, one slot; %.1f s of cores",
                                FULL_STEPS,
                                FULL_RANKS,
                                run.cpuSeconds()),
                        Bar.atLeast(1)),
                Figure.single(
                        "stateBytesPerRank",
                        "B",
                        (double) plain.stateBytes() / FULL_RANKS,
                        "state of that job, written down, over its ranks",
                        null));
    }

    private static Ran plain(Load load) {
        long begin = System.nanoTime();
        long cpu = cpuNanos();
        List<String> said = new ArrayList<>();
        for (int j = 0; j < load.names.size(); j++) {
            new PlainRun(load.names.get(j), HostOptions.DEFAULT).play(load.byJob.get(j), 5000, s -> keep(s, said));
        }
        return new Ran((System.nanoTime() - begin) / 1e9, (cpuNanos() - cpu) / 1e9, said);
    }

    private static Ran flink(Load load, int slots) throws IOException, InterruptedException {
        ReplayScript script = load.script();
        try (Scratch scratch = new Scratch();
                ReplayRun run = ReplayRun.prepared(script, scratch.folder("flink"), slots, HostOptions.DEFAULT)) {
            long begin = System.nanoTime();
            long cpu = cpuNanos();
            run.play(load.names, load.endMillis);
            Ran ran = new Ran((System.nanoTime() - begin) / 1e9, (cpuNanos() - cpu) / 1e9, new ArrayList<>());
            script.said().forEach(s -> keep(s, ran.said()));
            return ran;
        } finally {
            script.close();
        }
    }

    private static void keep(Said said, List<String> to) {
        if (said.topic() == Said.INCIDENTS) {
            to.add(said.json());
        }
    }

    private static long different(Ran a, Ran b) {
        List<String> left = a.said().stream().sorted().toList();
        List<String> right = b.said().stream().sorted().toList();
        long same = left.stream().filter(right::contains).count();
        return left.size() + right.size() - 2 * same;
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
