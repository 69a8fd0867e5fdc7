package dev.argus.benchmarks;

import dev.argus.benchmarks.scale.LoadClient;
import dev.argus.benchmarks.scale.LoadHost;
import dev.argus.benchmarks.scale.ServerLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that is killed again and again while agents send: what it acknowledged must be there, each thing once, and it must be ready soon. The same job is followed by a server that lives, and both must
 * say the same in the end.
 */
final class CrashBench implements Bench {
    private static final int RANKS = 144;
    private static final double STEP_SECONDS = 0.25;
    private static final int KILLS = 8;
    private static final int FULL_KILLS = 50;
    private static final int LEAST_STEPS = 60;
    private static final long SHORTEST_MILLIS = 300;
    private static final int SPREAD_MILLIS = 2500;
    private static final double READY_SECONDS = 5;
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long JUDGED_NANOS = 10_000_000_000L;
    private static final long LOOK_MILLIS = 50;
    private static final int THREADS = 4;
    private static final Pattern CELL = Pattern.compile("\"rows\":(\\[.*])", Pattern.DOTALL);

    @Override
    public String name() {
        return "crash";
    }

    @Override
    public String about() {
        return "kill -9 of the server under load: nothing acknowledged lost, nothing twice, ready again soon; and bad requests";
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, InterruptedException {
        int kills = request.full() ? FULL_KILLS : KILLS;
        try (Scratch scratch = new Scratch()) {
            Run killed = new Run(scratch.folder("killed"), request);
            killed.go(kills, LEAST_STEPS);
            request.progress().accept("the same job before a server that lives");
            Run lived = new Run(scratch.folder("lived"), request);
            lived.go(0, killed.steps);
            List<Figure> all = new ArrayList<>(figures(killed, lived, kills));
            all.addAll(BadRequests.measure(scratch.folder("refused"), request));
            return all;
        }
    }

    private static List<Figure> figures(Run killed, Run lived, int kills) {
        long wanted = (long) killed.steps * RANKS;
        TreeSet<String> differing = new TreeSet<>(killed.open);
        differing.removeAll(lived.open);
        TreeSet<String> missing = new TreeSet<>(lived.open);
        missing.removeAll(killed.open);
        differing.addAll(missing);
        return List.of(
                Figure.count(
                        "kills",
                        "1",
                        kills,
                        "by SIGKILL, at random moments, while " + RANKS
                                + " ranks report, and once more when all was safe",
                        null),
                new Figure(
                        "readySeconds",
                        killed.ready.stream().mapToDouble(d -> d).max().orElse(0),
                        "s",
                        killed.ready,
                        "from the start of the process to the first answer that says ready; the longest",
                        Bar.atMost(READY_SECONDS)),
                Figure.count(
                        "rankStepsLost",
                        "1",
                        wanted - killed.distinct,
                        "of " + wanted + " that agents sent and were told to forget",
                        Bar.exactly(0)),
                Figure.count(
                        "rankStepsTwice", "1", killed.rows - killed.distinct, "stored more than once", Bar.exactly(0)),
                Figure.count("framesMissing", "1", killed.missing, "told by the server", Bar.exactly(0)),
                Figure.count(
                        "incidentsOpenedTwice", "1", killed.twice, "ids with more than one opening", Bar.exactly(0)),
                Figure.count(
                        "incidentsDiffering",
                        "1",
                        differing.size(),
                        "open in the end before one server and not before the other: " + differing,
                        Bar.exactly(0)),
                Figure.count(
                        "incidentsOpen", "1", lived.open.size(), "open in the end: " + lived.open, Bar.atLeast(1)));
    }

    /** The one number that a question gives. */
    static long number(ServedProcess server, String sql) throws IOException, InterruptedException {
        return Long.parseLong(cells(server.query(sql)).replaceAll("[^0-9-]", ""));
    }

    private static String cells(String answer) throws IOException {
        Matcher found = CELL.matcher(answer);
        if (!found.find()) {
            throw new IOException("an answer without rows: " + answer);
        }
        String rows = found.group(1);
        int end = rows.indexOf("]]");
        return end < 0 ? rows : rows.substring(0, end + 2);
    }

    /** One server, its agents, and what is in its store in the end. */
    private static final class Run {
        final Path data;
        final BenchRequest request;
        final ServerLoad load = new ServerLoad("crash", RANKS, STEP_SECONDS, false);
        final List<Double> ready = new ArrayList<>();
        int steps;
        long rows;
        long distinct;
        long missing;
        long twice;
        TreeSet<String> open = new TreeSet<>();

        Run(Path data, BenchRequest request) {
            this.data = data;
            this.request = request;
        }

        void go(int kills, int leastSteps) throws IOException, InterruptedException {
            Random random = new Random(5);
            ServedProcess server = start(0);
            int port = server.port();
            AtomicBoolean stop = new AtomicBoolean();
            try (LoadClient client = new LoadClient(server.address("/api/v1/frames"), server.token(), THREADS)) {
                Thread agents = Thread.ofPlatform().start(() -> agents(client, stop, leastSteps, kills == 0));
                for (int k = 0; k < kills; k++) {
                    Thread.sleep(SHORTEST_MILLIS + random.nextInt(SPREAD_MILLIS));
                    server.kill();
                    server = start(port);
                    ready.add(server.readySeconds());
                    request.progress()
                            .accept("kill " + (k + 1) + " of " + kills + ": ready after " + server.readySeconds()
                                    + " s");
                }
                if (kills > 0) {
                    stop.set(true);
                }
                agents.join();
                drain(client);
                if (kills > 0) { // what agents were told to forget must be there when it is gone, too
                    server.kill();
                    server = start(port);
                    ready.add(server.readySeconds());
                }
                judged(server);
                look(server);
            } finally {
                stop.set(true);
                server.close();
            }
        }

        private ServedProcess start(int port) throws IOException, InterruptedException {
            return new ServedProcess(data, List.of("--checkpoint-each", "1s"), "1g", port);
        }

        /** Makes steps in their time and sends them as well as that goes. */
        private void agents(LoadClient client, AtomicBoolean stop, int leastSteps, boolean exactly) {
            load.declare(now());
            long next = System.nanoTime();
            try {
                while (steps < leastSteps || (!exactly && !stop.get())) {
                    for (int h = 0; h < load.hosts().size(); h++) {
                        load.make(h, now());
                    }
                    load.next();
                    steps++;
                    client.round(load.hosts());
                    next += (long) (STEP_SECONDS * 1e9);
                    long left = next - System.nanoTime();
                    if (left > 0) {
                        Thread.sleep(left / 1_000_000);
                    }
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }

        /** Until the server says of everything that it may be forgotten. */
        private void drain(LoadClient client) throws InterruptedException, IOException {
            long end = System.nanoTime() + PATIENCE_NANOS;
            while (load.hosts().stream().anyMatch(h -> h.durable() < h.last())) {
                if (System.nanoTime() > end) {
                    throw new IOException("frames are not safe after a minute: "
                            + load.hosts().stream()
                                    .filter(h -> h.durable() < h.last())
                                    .map(LoadHost::host)
                                    .toList());
                }
                client.round(load.hosts());
                Thread.sleep(LOOK_MILLIS);
            }
        }

        /** What is safe may be state still: steps that the job has not judged when a checkpoint asks become rows with the next one. */
        private void judged(ServedProcess server) throws IOException, InterruptedException {
            long end = System.nanoTime() + JUDGED_NANOS;
            while (number(server, "select count(*) from rank_steps where job = 'crash'") < (long) steps * RANKS
                    && System.nanoTime() < end) {
                Thread.sleep(LOOK_MILLIS);
            }
        }

        private void look(ServedProcess server) throws IOException, InterruptedException {
            rows = number(server, "select count(*) from rank_steps where job = 'crash'");
            distinct = number(
                    server, "select count(*) from (select distinct step, rank from rank_steps where job = 'crash')");
            missing = number(
                    server,
                    "select coalesce(sum(lost), 0) from losses where job = 'crash' and reason = 'frame-missing'");
            twice = number(
                    server,
                    "select count(*) from (select id from incident_changes where job = 'crash' and change = 'opened' group by id having count(*) > 1)");
            String all = cells(
                    server.query(
                            "select distinct kind || ' of ' || ranks from incidents where job = 'crash' and state <> 'resolved' and change <> 'withdrawn' order by 1"));
            Matcher each = Pattern.compile("\\[\"([^\"]*)\"]").matcher(all);
            while (each.find()) {
                open.add(each.group(1));
            }
        }

        private static long now() {
            return System.currentTimeMillis() * 1_000_000L;
        }
    }
}
