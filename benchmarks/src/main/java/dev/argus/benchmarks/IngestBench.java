package dev.argus.benchmarks;

import com.github.luben.zstd.Zstd;
import dev.argus.benchmarks.scale.LoadClient;
import dev.argus.benchmarks.scale.LoadHost;
import dev.argus.benchmarks.scale.ServerLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How fast a server takes what agents ship: frames alone beside a bare echo over the same connections, steps of ranks through decoding, detectors and store, and, in the long form, a job of 12,960 ranks in
 * its own time.
 */
final class IngestBench implements Bench {
    private static final int ECHO_RANKS = 576;
    private static final int ECHO_STEPS = 24;
    private static final int ROUNDS = 5;
    private static final int ZSTD_LEVEL = 3;
    private static final int BURST_RANKS = 1296;
    private static final int BURST_STEPS = 1200;
    private static final int WARM_STEPS = 120;
    private static final int LEAST_MOMENTS = 4;
    private static final int STEPS_AT_ONCE = 15;
    private static final int THREADS = 4;
    private static final int FULL_RANKS = 12_960;
    private static final double FULL_STEP_SECONDS = 4;
    private static final int FULL_STEPS = 150;
    private static final double MOST_LAG = 5;
    private static final long MOST_RSS = 3L << 30;
    private static final double LEAST_DIGESTS = 20_000;
    private static final double LEAST_OF_ECHO = 0.5;
    private static final long LOOK_MILLIS = 20;
    private static final Pattern LAG = Pattern.compile("\"lagNanos\"\\s*:\\s*([0-9]+)");
    private static final Pattern STORED = Pattern.compile("argus_store_rows\\{table=\"rank_steps\"} ([0-9.eE+]+)");
    private static final Pattern NEWEST = Pattern.compile("\"newestStep\"\\s*:\\s*(-?[0-9]+)");

    @Override
    public String name() {
        return "ingest";
    }

    @Override
    public String about() {
        return "frames taken beside a bare echo; steps of ranks through decoding, detectors and store";
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, InterruptedException {
        List<Figure> figures = new ArrayList<>(echo(request));
        figures.addAll(burst(request));
        if (request.full()) {
            figures.addAll(real(request));
        }
        return figures;
    }

    // ---------------------------------------------------------------- frames alone

    private static List<Figure> echo(BenchRequest request) throws IOException, InterruptedException {
        request.progress().accept("frames alone, beside an echo");
        List<Double> taken = new ArrayList<>();
        List<Double> echoed = new ArrayList<>();
        long bytes = 0;
        for (int round = -1; round < ROUNDS; round++) {
            List<List<byte[]>> requests = requests();
            long sum = requests.stream()
                    .flatMap(List::stream)
                    .mapToLong(b -> b.length)
                    .sum();
            double seconds;
            try (FrameEcho receiving = FrameEcho.receiving()) {
                seconds = receiving.send(requests);
            }
            double bare;
            try (FrameEcho echo = FrameEcho.bare()) {
                bare = echo.send(requests);
            }
            int count = requests.stream().mapToInt(List::size).sum();
            if (round >= 0) { // the first one warms up
                taken.add(count / seconds);
                echoed.add(count / bare);
                bytes = sum / count;
            }
        }
        return List.of(
                Figure.median(
                        "framesPerSecond",
                        "1/s",
                        taken,
                        "shipments of one frame of 8 ranks taken: checked, decoded, counted once; " + bytes
                                + " compressed bytes each, " + FrameEcho.clients() + " connections",
                        null),
                Figure.median(
                        "echoPerSecond",
                        "1/s",
                        echoed,
                        "reference: the same requests to a server that only reads them and answers, same run",
                        null),
                Figure.median(
                        "framesOverEcho",
                        "x",
                        Figure.ratios(taken, echoed),
                        "frames taken over the echo, round by round",
                        Bar.atLeast(LEAST_OF_ECHO)));
    }

    /** Shipments of fresh sessions, each host's in their order at one client. */
    private static List<List<byte[]>> requests() {
        ServerLoad load = new ServerLoad("echo", ECHO_RANKS, 1, true);
        List<List<byte[]>> byClient = new ArrayList<>();
        for (int c = 0; c < FrameEcho.clients(); c++) {
            byClient.add(new ArrayList<>());
        }
        for (int s = 0; s < ECHO_STEPS; s++) {
            for (int h = 0; h < load.hosts().size(); h++) {
                load.make(h, now());
                LoadHost host = load.hosts().get(h);
                byClient.get(h % FrameEcho.clients())
                        .add(Zstd.compress(host.nextOnly().encode(), ZSTD_LEVEL));
            }
            load.next();
        }
        return byClient;
    }

    // ---------------------------------------------------------------- everything

    /**
     * A server under more load than it can take: what it stores between one checkpoint and another. From a first request on it would be measured how long the server waits to keep what it has, from 0 to
     * {@code --checkpoint-each}, and not what it takes.
     */
    private static List<Figure> burst(BenchRequest request) throws IOException, InterruptedException {
        request.progress().accept("making " + (WARM_STEPS + BURST_STEPS) + " steps of " + BURST_RANKS + " ranks");
        ServerLoad load = new ServerLoad("burst", BURST_RANKS, 1, true);
        load.declare(now());
        try (Scratch scratch = new Scratch();
                ServedProcess server = new ServedProcess(scratch.folder("data"), List.of(), "2g", 0);
                LoadClient client = new LoadClient(server.address("/api/v1/frames"), server.token(), THREADS)) {
            make(load, WARM_STEPS);
            send(client, load, server);
            make(load, BURST_STEPS);
            request.progress().accept("sending them");
            List<Safe> moments = send(client, load, server);
            long stored = CrashBench.number(server, "select count(*) from rank_steps where job = 'burst'");
            long wanted = (long) (WARM_STEPS + BURST_STEPS) * BURST_RANKS;
            List<Double> rates = rates(moments);
            Safe first = moments.getFirst();
            Safe last = moments.get(rates.size());
            return List.of(
                    new Figure(
                            "rankStepsPerSecond",
                            (last.steps() - first.steps()) / ((last.nanos() - first.nanos()) / 1e9),
                            "1/s",
                            rates,
                            "under more load than that, from the first checkpoint to the last while there is more to send: HTTP, decoding, detectors, store; runs are from one checkpoint to the next; client and server share the machine",
                            Bar.atLeast(LEAST_DIGESTS)),
                    Figure.count("rankStepsNotStored", "1", wanted - stored, "of " + wanted + " sent", Bar.exactly(0)));
        }
    }

    /**
     * A moment at which more was stored than before, so that the server may say it is safe.
     *
     * @param nanos when, by the monotonic clock
     * @param steps steps of ranks in the store then
     * @param more true while there were frames that the server had not taken
     */
    private record Safe(long nanos, long steps, boolean more) {}

    /** Steps of ranks a second from moment to moment, as long as there was more to send. */
    private static List<Double> rates(List<Safe> moments) throws IOException {
        List<Double> rates = new ArrayList<>();
        for (int i = 1; i < moments.size() && moments.get(i).more(); i++) {
            Safe from = moments.get(i - 1);
            Safe to = moments.get(i);
            rates.add((to.steps() - from.steps()) / ((to.nanos() - from.nanos()) / 1e9));
        }
        if (rates.size() < LEAST_MOMENTS - 1) {
            throw new IOException("all was sent before " + LEAST_MOMENTS + " checkpoints: more steps are to be made");
        }
        return rates;
    }

    private static void make(ServerLoad load, int steps) {
        for (int s = 0; s < steps; s++) {
            for (int h = 0; h < load.hosts().size(); h++) {
                load.make(h, now());
            }
            load.next();
        }
    }

    /** Until all frames are safe; returns when more of them were. */
    private static List<Safe> send(LoadClient client, ServerLoad load, ServedProcess server)
            throws IOException, InterruptedException {
        List<Safe> moments = new ArrayList<>();
        long before = stored(server);
        long released = load.hosts().getFirst().received();
        while (load.hosts().stream().anyMatch(h -> h.durable() < h.last())) {
            if (!server.process().lives()) {
                throw new IOException("argus serve ended: " + server.process().failure());
            }
            if (load.hosts().stream().allMatch(LoadHost::sent)) {
                released += STEPS_AT_ONCE;
                for (LoadHost host : load.hosts()) {
                    host.release(released);
                }
            }
            client.round(load.hosts());
            long stored = stored(server);
            if (stored > before) {
                boolean more = load.hosts().stream().anyMatch(h -> h.received() < h.last());
                moments.add(new Safe(System.nanoTime(), stored, more));
                before = stored;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return moments;
    }

    /** Steps of ranks in the store; nothing is retired from it meanwhile. */
    private static long stored(ServedProcess server) throws IOException, InterruptedException {
        Matcher rows = STORED.matcher(server.get("/metrics").body());
        return rows.find() ? (long) Double.parseDouble(rows.group(1)) : 0;
    }

    // ---------------------------------------------------------------- in its own time

    private static List<Figure> real(BenchRequest request) throws IOException, InterruptedException {
        int ranks = request.ranks() > 0 ? request.ranks() : FULL_RANKS;
        int steps = request.windows() > 0 ? request.windows() * ServerLoad.WINDOW_STEPS : FULL_STEPS;
        ServerLoad load = new ServerLoad("job", ranks, FULL_STEP_SECONDS, true);
        load.declare(now());
        List<Double> lags = new ArrayList<>();
        List<Double> rss = new ArrayList<>();
        double half = 0;
        try (Scratch scratch = new Scratch();
                ServedProcess server =
                        new ServedProcess(scratch.folder("data"), List.of("--queue", "512MiB"), "2g", 0);
                LoadClient client = new LoadClient(server.address("/api/v1/frames"), server.token(), THREADS)) {
            long begin = System.nanoTime();
            long next = begin;
            for (int s = 0; s < steps; s++) {
                for (int h = 0; h < load.hosts().size(); h++) {
                    load.make(h, now());
                    client.send(load.hosts().get(h));
                }
                load.next();
                if (s == steps / 2) {
                    half = size(scratch.path("data"));
                }
                next += (long) (FULL_STEP_SECONDS * 1e9);
                lags.add(lag(server, load.step() - 1, System.nanoTime()));
                rss.add((double) server.process().rssBytes());
                if (s % ServerLoad.WINDOW_STEPS == 0) {
                    request.progress()
                            .accept(String.format(
                                    "step %d of %d: lag %.2f s, RSS %.0f MB, behind %.2f s",
                                    s + 1,
                                    steps,
                                    lags.getLast(),
                                    rss.getLast() / 1e6,
                                    Math.max(0, (System.nanoTime() - next) / 1e9)));
                }
                long left = next - System.nanoTime();
                if (left > 0) {
                    Thread.sleep(left / 1_000_000);
                }
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            int incidents = count(server.get("/api/v1/incidents").body(), "\"id\"");
            double bytes = size(scratch.path("data"));
            return List.of(
                    new Figure(
                            "lagSeconds",
                            lags.stream().mapToDouble(d -> d).max().orElse(0),
                            "s",
                            lags,
                            "longest time from the last frame of a step sent to the step judged, by " + ranks
                                    + " ranks at " + Math.round(60 / FULL_STEP_SECONDS)
                                    + " steps and a window of 100 kernels a minute, " + steps
                                    + " steps; client and server share the machine",
                            Bar.atMost(MOST_LAG)),
                    Figure.single(
                            "behindSeconds",
                            "s",
                            Math.max(0, seconds - steps * FULL_STEP_SECONDS),
                            "by how much the whole run took longer than the job: frames made and sent in their time or not",
                            Bar.atMost(MOST_LAG)),
                    new Figure(
                            "rssBytes",
                            rss.stream().mapToDouble(d -> d).max().orElse(0),
                            "B",
                            rss,
                            "most resident memory of the server",
                            Bar.atMost(MOST_RSS)),
                    Figure.single(
                            "storeBytesPerHour",
                            "B/h",
                            (bytes - half) / (seconds * (steps - 1 - steps / 2) / steps) * 3600,
                            String.format(
                                    "growth of the data folder over the second half; %.0f MB in the end", bytes / 1e6),
                            null),
                    Figure.count("incidents", "1", incidents, "of a healthy job", Bar.exactly(0)));
        }
    }

    /** Seconds from a moment until a step was judged. */
    private static double lag(ServedProcess server, long step, long sentNanos)
            throws IOException, InterruptedException {
        while (true) {
            String jobs = server.get("/api/v1/jobs").body();
            Matcher newest = NEWEST.matcher(jobs);
            if (newest.find() && Long.parseLong(newest.group(1)) >= step) {
                return (System.nanoTime() - sentNanos) / 1e9;
            }
            if (System.nanoTime() - sentNanos > 60e9) {
                Matcher lag = LAG.matcher(jobs);
                throw new IOException("step " + step + " is not judged after a minute; the server says "
                        + (lag.find() ? lag.group() : jobs));
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private static int count(String text, String of) {
        return text.split(Pattern.quote(of), -1).length - 1;
    }

    private static double size(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .mapToLong(p -> p.toFile().length())
                    .sum();
        }
    }

    private static long now() {
        return System.currentTimeMillis() * 1_000_000L;
    }
}
