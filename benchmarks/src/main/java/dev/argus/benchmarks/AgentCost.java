package dev.argus.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the agent itself takes: {@code ./argus agent} as it is shipped, on {@value #RANKS} simulated ranks of 10^5 events a minute each, whose rings belong to
 * Python processes that are sampled; then on the events of an hour (or a part of it) as fast as it follows.
 */
final class AgentCost {
    static final int RANKS = 8;
    private static final double EVENTS_PER_MINUTE = 1e5;
    private static final long STEP_NANOS = (long) (SimulatedHost.EVENTS * 60e9 / EVENTS_PER_MINUTE);
    private static final long FAST_STEP_NANOS = 12_000_000;
    private static final long MIB = 1 << 20;

    /** A rank's process as far as its stacks go: a main thread that works now and then deep in calls, one that does so rarely, and three that wait. */
    private static final String PROCESS = """
            import threading, time, sys
            def work(n):
                if n: return work(n - 1)
                until = time.perf_counter() + 0.0005
                while time.perf_counter() < until: sum(range(50))
            def step(n):
                if n: return step(n - 1)
                for _ in range(3): work(12)
                time.sleep(0.05)
            def rarely():
                while True: work(5); time.sleep(0.3)
            def wait(): threading.Event().wait()
            for target in (rarely, wait, wait, wait): threading.Thread(target=target, daemon=True).start()
            threading.Thread(target=lambda: (sys.stdin.read(), __import__('os')._exit(0)), daemon=True).start()
            while True: step(15)
            """;

    private final Path launcher;
    private final Scratch scratch;
    private final BenchRequest request;

    AgentCost(Path launcher, Scratch scratch, BenchRequest request) {
        this.launcher = launcher;
        this.scratch = scratch;
        this.request = request;
    }

    /** CPU of the agent at the pace of the bar, once warm. */
    List<Figure> steady(int warmUpSeconds, int pieces, int pieceSeconds)
            throws IOException, InterruptedException, CannotMeasure {
        List<Double> shares = new ArrayList<>();
        Map<String, Long> byThread = new TreeMap<>();
        long[] rss = new long[2];
        double first;
        try (Setup setup = new Setup("steady", STEP_NANOS, Long.MAX_VALUE)) {
            ChildProcess agent = setup.agent;
            request.progress().accept("warming the agent up for " + warmUpSeconds + " s");
            Thread.sleep(1000L * warmUpSeconds);
            Map<String, Long> before = agent.cpuNanos();
            first = sum(before) / 1e9;
            rss[0] = agent.rssBytes();
            for (int i = 0; i < pieces; i++) {
                request.progress().accept("measuring the agent, " + (i + 1) + " of " + pieces);
                long wall = System.nanoTime();
                Thread.sleep(1000L * pieceSeconds);
                wall = System.nanoTime() - wall;
                Map<String, Long> now = agent.cpuNanos();
                shares.add((double) since(before, now, byThread) / wall);
                before = now;
            }
            rss[1] = agent.rssBytes();
            setup.check();
        }
        threads(byThread, (double) pieces * pieceSeconds);
        String what = RANKS + " simulated ranks of 1e5 events a minute each in " + 2 * RANKS + " rings, stacks of "
                + RANKS + " Python processes of 6 threads, after " + warmUpSeconds + " s";
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.median(
                "agentCoreShare",
                "1",
                shares,
                what + "; CPU time of all its threads over wall time",
                Bar.atMost(0.01)));
        figures.add(Figure.single(
                "agentWarmUpCpuSeconds",
                "s",
                first,
                "start, compilation and events of those " + warmUpSeconds + " s",
                null));
        figures.add(Figure.single(
                "agentRssBytes",
                "B",
                (double) Math.max(rss[0], rss[1]),
                "resident memory, the rings it has mapped included",
                Bar.atMost(256.0 * MIB)));
        return figures;
    }

    /** Memory over the events of some minutes, as fast as the agent follows. */
    List<Figure> minutes(int minutes) throws IOException, InterruptedException, CannotMeasure {
        long steps = (long) (minutes * EVENTS_PER_MINUTE / SimulatedHost.EVENTS);
        List<Double> rss = new ArrayList<>();
        long wall = System.nanoTime();
        double cpu;
        try (Setup setup = new Setup("fast", FAST_STEP_NANOS, steps)) {
            request.progress().accept("the events of " + minutes + " minutes, as fast as the agent follows");
            Thread writer = Thread.ofPlatform().daemon().start(setup::awaitWritten);
            while (writer.isAlive()) {
                writer.join(500);
                rss.add((double) setup.agent.rssBytes());
            }
            wall = System.nanoTime() - wall;
            cpu = sum(setup.agent.cpuNanos()) / 1e9;
            setup.check();
            request.details().accept(setup.written);
        }
        double events = steps * (double) SimulatedHost.EVENTS * RANKS;
        String what = minutes + " minutes of events of " + RANKS + " ranks (" + Figure.plain(events) + ") in "
                + wall / 1_000_000_000L + " s";
        int half = rss.size() / 2;
        List<Double> late = rss.subList(half, rss.size());
        double growth = Figure.median(late.subList(late.size() / 2, late.size()))
                - Figure.median(late.subList(0, Math.max(1, late.size() / 2)));
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure(
                "agentRssMostBytes",
                rss.stream().mapToDouble(d -> d).max().orElseThrow(),
                "B",
                rss,
                "most resident memory over " + what + ", seen every 0.5 s",
                Bar.atMost(256.0 * MIB)));
        figures.add(Figure.single(
                "agentRssGrowthBytes",
                "B",
                growth,
                "median of the last quarter over that of the third",
                Bar.atMost(8.0 * MIB)));
        figures.add(Figure.single(
                "agentCpuNanosPerEvent",
                "ns",
                cpu * 1e9 / events,
                "CPU time of all its threads, its start included",
                null));
        return figures;
    }

    private void threads(Map<String, Long> byThread, double seconds) {
        byThread.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(8)
                .forEach(e -> request.details()
                        .accept(String.format(
                                Locale.ROOT,
                                "agent, thread %s: %.3f %% of a core",
                                e.getKey(),
                                e.getValue() / seconds / 1e7)));
    }

    private static long sum(Map<String, Long> threads) {
        return threads.values().stream().mapToLong(n -> n).sum();
    }

    /** What was added, also by name of thread. */
    private static long since(Map<String, Long> before, Map<String, Long> now, Map<String, Long> byName) {
        long sum = 0;
        for (Map.Entry<String, Long> e : now.entrySet()) {
            long more = e.getValue() - before.getOrDefault(e.getKey(), 0L);
            sum += more;
            byName.merge(e.getKey().substring(e.getKey().indexOf(' ') + 1), more, Long::sum);
        }
        return sum;
    }

    /** Python processes, writers of their rings, and the agent. */
    private final class Setup implements AutoCloseable {
        private final List<ChildProcess> all = new ArrayList<>();
        final ChildProcess agent;
        private final ChildProcess writer;
        private final Path log;
        volatile String written = "";

        Setup(String name, long stepNanos, long steps) throws IOException, CannotMeasure {
            log = scratch.folder("log-" + name);
            Path rings = scratch.path("rings-" + name);
            try {
                List<String> arguments =
                        new ArrayList<>(List.of(rings.toString(), Long.toString(stepNanos), Long.toString(steps)));
                for (int i = 0; i < RANKS; i++) {
                    ChildProcess python = start("python" + i, List.of(Pythons.interpreter(), "-c", PROCESS));
                    arguments.add(python.pid() + ":" + python.startTicks());
                }
                writer = start("writer", ChildProcess.java(SimulatedHost.class, arguments));
                if (!"open".equals(writer.line())) {
                    throw new CannotMeasure("the simulated ranks did not start: " + writer.failure());
                }
                agent = start(
                        "agent",
                        List.of(launcher.toString(), "agent", "--rings", rings.toString(), "--format", "json"));
                Thread.ofPlatform().daemon().start(() -> drain(agent));
            } catch (IOException | CannotMeasure | RuntimeException e) {
                close();
                throw e;
            }
        }

        private ChildProcess start(String name, List<String> command) throws IOException {
            ChildProcess child = new ChildProcess(command, new HashMap<>(), log.resolve(name + ".txt"));
            all.add(child);
            return child;
        }

        private void drain(ChildProcess of) {
            try {
                for (String line = of.line(); line != null; line = of.line()) {
                    request.details().accept("agent said: " + line.substring(0, Math.min(300, line.length())));
                }
            } catch (IOException ended) {
                // it was closed
            }
        }

        void awaitWritten() {
            try {
                written = "writers: " + writer.line();
            } catch (IOException e) {
                written = "writers: gone";
            }
        }

        /** The agent must be there and have seen all ranks. */
        void check() throws IOException, CannotMeasure {
            String said = agent.failure();
            if (!agent.lives() || !said.contains("watching ranks 0-7 of 8")) {
                throw new CannotMeasure("the agent did not watch " + RANKS + " ranks: " + said);
            }
            for (String line : said.split("\n", -1)) {
                request.details().accept(line);
            }
        }

        @Override
        public void close() {
            all.reversed().forEach(ChildProcess::close);
        }
    }
}
