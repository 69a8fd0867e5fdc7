package dev.argus.benchmarks;

import dev.argus.benchmarks.scale.LoadClient;
import dev.argus.benchmarks.scale.ServerLoad;
import dev.argus.testkit.HostileRequests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that no client would make, a million in the long form, while a job reports: each refused, none through, the server never down, its memory flat. */
final class BadRequests {
    private static final int REQUESTS = 20_000;
    private static final int FULL_REQUESTS = 1_000_000;
    private static final int THREADS = 4;
    private static final int RANKS = 144;
    private static final long STEP_MILLIS = 250;
    private static final double MOST_GROWTH = 1.25;
    /** All of it is taken at once, so that memory which grows is not the heap's, and what the heap holds is asked for. */
    private static final String HEAP = "512m";

    private static final String ALLOWED = "closed|100|200|304|400|401|403|404|405|406|411|413|414|415|421|429|501|503";

    private BadRequests() {}

    static List<Figure> measure(Path data, BenchRequest request) throws IOException, InterruptedException {
        int wanted = request.full() ? FULL_REQUESTS : REQUESTS;
        request.progress().accept(wanted + " bad requests");
        ServerLoad load = new ServerLoad("steady", RANKS, STEP_MILLIS / 1e3, true);
        load.declare(now());
        Map<String, Integer> statuses = new ConcurrentHashMap<>();
        try (ServedProcess server = new ServedProcess(
                        data,
                        List.of("--requests-per-second", "1000000"),
                        HEAP,
                        0,
                        "-Xms" + HEAP,
                        "-XX:+AlwaysPreTouch");
                LoadClient client = new LoadClient(server.address("/api/v1/frames"), server.token(), 1)) {
            int port = server.port();
            AtomicInteger next = new AtomicInteger();
            List<Thread> hostile = new ArrayList<>();
            long begin = System.nanoTime();
            for (int t = 0; t < THREADS; t++) {
                HostileRequests requests = new HostileRequests(t);
                hostile.add(Thread.ofPlatform().daemon().start(() -> {
                    while (next.getAndIncrement() < wanted) {
                        statuses.merge(HostileRequests.send(port, requests.next()), 1, Integer::sum);
                    }
                }));
            }
            List<Double> rss = new ArrayList<>();
            int steps = 0;
            long halfHeap = 0;
            while (hostile.stream().anyMatch(Thread::isAlive)) {
                for (int h = 0; h < load.hosts().size(); h++) {
                    load.make(h, now());
                }
                load.next();
                steps++;
                client.round(load.hosts());
                if (halfHeap == 0 && next.get() >= wanted / 2) {
                    halfHeap = server.process().liveHeapBytes();
                }
                rss.add((double) server.process().rssBytes());
                Thread.sleep(STEP_MILLIS);
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            long heap = server.process().liveHeapBytes();
            while (load.hosts().stream().anyMatch(h -> h.durable() < h.last())) {
                client.round(load.hosts());
                Thread.sleep(STEP_MILLIS);
            }
            long stored = CrashBench.number(server, "select count(*) from rank_steps where job = 'steady'");
            long jobs = CrashBench.number(server, "select count(distinct job) from rank_steps");
            int sent = statuses.values().stream().mapToInt(n -> n).sum();
            int wrong = statuses.entrySet().stream()
                    .filter(s -> !s.getKey().matches(ALLOWED))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
            int quarter = Math.max(1, rss.size() / 4);
            double early = rss.subList(quarter, 2 * quarter).stream()
                    .mapToDouble(d -> d)
                    .max()
                    .orElse(0);
            double late = rss.subList(rss.size() - quarter, rss.size()).stream()
                    .mapToDouble(d -> d)
                    .max()
                    .orElse(0);
            return List.of(
                    Figure.count("badRequests", "1", sent, "answers: " + new TreeMap<>(statuses), null),
                    Figure.single(
                            "badRequestsPerSecond", "1/s", sent / seconds, "each on a connection of its own", null),
                    Figure.count(
                            "answeredWrongly",
                            "1",
                            wrong + Math.abs(jobs - 1),
                            "other answers than refusals, closed connections and what anybody may read; jobs beside the one that reports",
                            Bar.exactly(0)),
                    Figure.count(
                            "notStoredMeanwhile",
                            "1",
                            (long) steps * RANKS - stored,
                            "of " + (long) steps * RANKS + " steps of ranks reported at the same time",
                            Bar.exactly(0)),
                    Figure.single(
                            "rssGrowth",
                            "x",
                            late / early,
                            String.format("most of the last quarter, %.0f MB, over that of the second", late / 1e6),
                            Bar.atMost(MOST_GROWTH)),
                    Figure.single(
                            "heapGrowth",
                            "x",
                            heap / (double) halfHeap,
                            String.format(
                                    "what the heap holds behind the last request, %.0f MB, over that after half of them",
                                    heap / 1e6),
                            Bar.atMost(MOST_GROWTH)));
        }
    }

    private static long now() {
        return System.currentTimeMillis() * 1_000_000L;
    }
}
