package dev.argus.server.page;

import dev.argus.model.AgentCommand;
import dev.argus.model.NameTable;
import dev.argus.model.RankState;
import dev.argus.model.StackRecord;
import dev.argus.server.ArgusServer;
import dev.argus.server.Served;
import dev.argus.server.ingest.PlayedHosts;
import dev.argus.server.job.JobView;
import dev.argus.simulator.NoiseLevel;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Scenarios;
import dev.argus.simulator.Wish;
import dev.argus.testkit.Eventually;
import dev.argus.trace.export.PerfettoWriter;
import dev.argus.trace.export.SliceDetail;
import dev.argus.trace.export.Slices;
import dev.argus.trace.export.TrackPlace;
import dev.argus.transport.FrameHandler;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A whole server to which two agents ship a simulated job with a slow rank over HTTP; they send stacks and, when asked, timelines. */
final class PlayedServer implements AutoCloseable {
    static final String JOB = "llm-70b";
    static final int SUSPECT = 2;
    private static final int FIRST = 41_200;
    private static final int STEPS = 90;
    private static final int SHOWN = 70;

    final ArgusServer server;
    final List<String> problems = new ArrayList<>();
    private final PlayedHosts hosts;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Deque<Long> left;
    private final Map<Long, AgentCommand> asked = new LinkedHashMap<>();

    PlayedServer(Path data) throws IOException, InterruptedException {
        server = new ArgusServer(Served.settings(data, "checkpoint-each=1s"), null, problems::add);
        hosts = new PlayedHosts(
                JOB,
                Scenarios.draw(Wish.of(77, ScenarioKind.COMPUTE)
                        .maxRanks(16)
                        .noise(NoiseLevel.QUIET)
                        .firstStep(FIRST)
                        .stepCount(STEPS)
                        .onset(FIRST + 40)
                        .duration(STEPS)
                        .rank(SUSPECT)));
        left = new ArrayDeque<>(hosts.steps.keySet());
        hosts.declare(now());
        for (int i = 0; i < SHOWN; i++) {
            if (i == 30) {
                stacks();
            }
            step();
        }
        for (AgentCommand command : asked.values()) {
            if (command instanceof AgentCommand.SendExcerpt) {
                put("argus-command-" + command.id() + "-host0.pftrace", timeline());
            }
        }
    }

    private static long now() {
        return System.currentTimeMillis() * 1_000_000;
    }

    URI at(String path) {
        return server.address().resolve(path);
    }

    /** All ranks have made another step, and the server has judged it. */
    long step() throws InterruptedException {
        long step = left.removeFirst();
        hosts.make(step, now());
        hosts.send(this::receive);
        Eventually.holds(
                "step " + step,
                () -> server.fleet().job(JOB).map(JobView::newestStep).orElse(-1L) >= step);
        return step;
    }

    /** The processes of all ranks have come to an end, and their agents say so. */
    void end(RankState.ProcessState how) throws InterruptedException {
        long step = left.getFirst() - 1;
        hosts.ranks.forEach(d -> hosts.tell(
                d.rank(),
                new RankState(d.attempt(), d.rank(), now(), how, now(), step, now(), step, now(), -1, 0),
                now()));
        hosts.send(this::receive);
        Eventually.holds(
                "its end", () -> server.fleet().job(JOB).filter(JobView::ended).isPresent());
    }

    private ShipmentReply receive(Shipment shipment) {
        try {
            HttpRequest request = HttpRequest.newBuilder(at("/api/v1/frames"))
                    .header("Content-Type", FrameHandler.SHIPMENT_TYPE)
                    .header(
                            "Authorization",
                            "Bearer " + server.gate().operator().token())
                    .POST(HttpRequest.BodyPublishers.ofByteArray(shipment.encode()))
                    .build();
            ShipmentReply reply = ShipmentReply.decode(
                    client.send(request, BodyHandlers.ofByteArray()).body());
            reply.commands().forEach(c -> asked.put(c.id(), c));
            return reply;
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void put(String name, byte[] bytes) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(at("/api/v1/jobs/" + JOB + "/objects/" + name))
                .header("Content-Type", "application/octet-stream")
                .header("Authorization", "Bearer " + server.gate().operator().token())
                .PUT(HttpRequest.BodyPublishers.ofByteArray(bytes))
                .build();
        int status = client.send(request, BodyHandlers.ofString()).statusCode();
        if (status != 201) {
            throw new IOException("status " + status + " for " + name);
        }
    }

    /** The suspect polls a queue where its peers run ahead. */
    private void stacks() {
        for (var rank : hosts.ranks) {
            List<StackRecord.Stack> stacks = new ArrayList<>();
            stacks.add(stack(700, "train (train.py:88)", "forward (model.py:41)", "linear (torch/nn.py:12)"));
            stacks.add(stack(rank.rank() == SUSPECT ? 20 : 250, "train (train.py:88)", "backward (autograd.py:200)"));
            if (rank.rank() == SUSPECT) {
                stacks.add(stack(300, "train (train.py:88)", "next (loader.py:17)", "poll (selectors.py:416)"));
            }
            hosts.tell(
                    rank.rank(),
                    new StackRecord(
                            rank.attempt(), rank.rank(), hosts.names.id("pid " + rank.rank()), stacks, 1000, true),
                    now());
        }
    }

    private StackRecord.Stack stack(int weight, String... outermostFirst) {
        int[] frames = new int[outermostFirst.length];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = hosts.names.id(outermostFirst[frames.length - 1 - i]);
        }
        return new StackRecord.Stack(hosts.names.id("MainThread"), true, weight, frames);
    }

    private byte[] timeline() throws IOException {
        long base = server.fleet().job(JOB).orElseThrow().incidents().getFirst().sinceEpochNanos() - 3_000_000;
        NameTable names = new NameTable();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PerfettoWriter writer = new PerfettoWriter(out, names, base, true)) {
            for (int rank : new int[] {1, SUSPECT, 3}) {
                int process = writer.process(String.format("rank %04d", rank), rank, List.of("host0"));
                Slices slices = new Slices();
                Slices python = new Slices();
                for (int step = 0; step < 6; step++) {
                    long at = base + step * 2_000_000L;
                    long work = rank == SUSPECT ? 1_500_000 : 1_000_000;
                    for (int k = 0; k < 10; k++) {
                        slices.add(at + k * work / 10, work / 11, names.id("gemm_" + k % 3), null);
                    }
                    slices.add(
                            at + work,
                            1_900_000 - work,
                            names.id("ncclDevKernel_AllReduce_Sum_bf16"),
                            new SliceDetail(1000L + step, "ALL_REDUCE", "tp", step, 1 << 20));
                    python.add(at, 1_900_000, names.id("step " + step), null);
                    python.add(at + 1_000, 900_000, names.id("forward"), null);
                    python.add(at + 950_000, 900_000, names.id("backward"), null);
                }
                writer.slices(new TrackPlace(process, "GPU 0", "stream 7", 1, TrackPlace.Kind.LANES), slices);
                writer.slices(new TrackPlace(process, "", "python", 2, TrackPlace.Kind.THREAD), python);
            }
        }
        return out.toByteArray();
    }

    @Override
    public void close() {
        server.close();
    }
}
