package dev.argus.simulator;

import dev.argus.digest.AssembledTrace;
import dev.argus.model.AgentRecord;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.RankState.ProcessState;
import dev.argus.model.StepDigest;
import dev.argus.model.TraceHeader;
import dev.argus.wire.FrameWriter;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A simulated job as the shipments of its hosts' agents: who its ranks are, then step after step, each in a frame of its own, on ways that take their time, and some of it twice. Made at once and kept in
 * memory; the same seed gives the same bytes at the same times.
 */
public final class ShippedJob {
    private static final long SECOND = 1_000_000_000L;

    /**
     * How shipments travel.
     *
     * @param delayNanos most that a shipment is usually under way
     * @param lateNanos how long one in {@code lateOneIn} is
     * @param lateOneIn of how many shipments one is late; 0 for none
     * @param twiceOneIn of how many shipments one comes twice; 0 for none
     * @param namesEvery with every so manieth frame of a host go all names of its session
     */
    public record Way(long delayNanos, long lateNanos, int lateOneIn, int twiceOneIn, int namesEvery) {
        /** At once, once. */
        public static final Way PLAIN = new Way(0, 0, 0, 0, 20);

        /** Up to 2.5 s, one in twenty 15 s, one in ten twice. */
        public static final Way ROUGH = new Way(5 * SECOND / 2, 15 * SECOND, 20, 10, 7);
    }

    /**
     * A shipment.
     *
     * @param atNanos when it arrives, nanoseconds since the Unix epoch
     * @param host whose it is
     * @param bytes the shipment, as {@link Shipment#decode} reads it; not copied
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Shipped(long atNanos, String host, byte[] bytes) {}

    private static final class Host {
        final String name;
        final FrameWriter writer;
        int frames;
        long lastNanos;

        Host(String name, FrameWriter writer) {
            this.name = name;
            this.writer = writer;
        }
    }

    private final String job;
    private final Way way;
    private final Random random;
    private final List<Shipped> shipments = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();
    private int ranks;
    private long steps;

    private ShippedJob(String job, Way way, long seed) {
        this.job = job;
        this.way = way;
        this.random = new Random(seed);
    }

    /**
     * Plays a scenario.
     *
     * @param job name of the job
     * @param scenario what happens
     * @param beginNanos when its ranks say who they are, nanoseconds since the Unix epoch; multiples of a millisecond
     * @param stepNanos how far its steps lie apart, whatever they took in the simulation
     */
    public static ShippedJob of(String job, Scenario scenario, long beginNanos, long stepNanos, Way way) {
        return standing(job, scenario, beginNanos, stepNanos, 0, way);
    }

    /**
     * The same, and after its last step it stands still: its agents go on, and say every second that nothing does.
     *
     * @param standsNanos how long they are heard of yet; 0: not at all
     */
    public static ShippedJob standing(
            String job, Scenario scenario, long beginNanos, long stepNanos, long standsNanos, Way way) {
        ShippedJob shipped = new ShippedJob(job, way, scenario.seed());
        shipped.play(scenario, beginNanos, stepNanos, standsNanos);
        return shipped;
    }

    /** Everything, in the order in which it arrives. */
    public List<Shipped> shipments() {
        return List.copyOf(shipments);
    }

    /** Ranks that have said who they are. */
    public int ranks() {
        return ranks;
    }

    /** Steps that ranks have made, all together. */
    public long rankSteps() {
        return steps;
    }

    private void play(Scenario scenario, long beginNanos, long stepNanos, long standsNanos) {
        NameTable names = new NameTable();
        TreeMap<Integer, RankDeclaration> declared = new TreeMap<>();
        Map<List<Long>, KernelWindow> windows = new HashMap<>();
        TreeMap<Long, TreeMap<Integer, StepDigest>> digests = new TreeMap<>();
        RecordOutput.deliver(Simulation.run(scenario), names, new RecordSink() {
            @Override
            public void rank(int rank, TraceHeader header, AssembledTrace trace) {
                declared.put(rank, trace.declaration(0, rank, header, ""));
            }

            @Override
            public void digest(StepDigest d) {
                digests.computeIfAbsent(d.step(), s -> new TreeMap<>()).put(d.rank(), d);
            }

            @Override
            public void kernels(KernelWindow w) {
                windows.put(List.of((long) w.rank(), w.window()), w);
            }

            @Override
            public void shape(JobShape shape) {}
        });
        ranks = declared.size();
        Layout layout = scenario.layout();
        for (int i = 0; i < layout.hosts(); i++) {
            String name = layout.hostName(i);
            SessionId session = new SessionId(scenario.seed() + 1, ((long) job.hashCode() << 32) + i + 1);
            hosts.add(new Host(name, new FrameWriter(session, job, name, names)));
        }
        ship(layout, beginNanos, rank -> declared.containsKey(rank) ? List.of(declared.get(rank)) : List.of());
        long now = beginNanos;
        for (Map.Entry<Long, TreeMap<Integer, StepDigest>> step : digests.entrySet()) {
            now += stepNanos;
            long at = now;
            ship(layout, at, rank -> records(step.getValue().get(rank), windows, at));
        }
        Map<Integer, StepDigest> last = digests.lastEntry().getValue();
        for (long until = now + standsNanos; now < until; ) {
            now += SECOND;
            long at = now;
            ship(layout, at, rank -> last.containsKey(rank) ? List.of(state(last.get(rank), at)) : List.of());
        }
        shipments.sort(Comparator.comparingLong(Shipped::atNanos)); // stable: a host's own keep their order
    }

    private List<AgentRecord> records(@Nullable StepDigest d, Map<List<Long>, KernelWindow> windows, long at) {
        List<AgentRecord> records = new ArrayList<>();
        if (d != null) {
            steps++;
            KernelWindow window = windows.get(List.of((long) d.rank(), d.step()));
            if (window != null) {
                records.add(window);
            }
            records.add(d);
            records.add(state(d, at));
        }
        return records;
    }

    /** What a rank is in after a step. */
    private static RankState state(StepDigest d, long at) {
        return new RankState(d.attempt(), d.rank(), at, ProcessState.ALIVE, at, d.step() + 1, at, d.step(), at, -1, 0);
    }

    private interface OfRank {
        List<? extends AgentRecord> records(int rank);
    }

    private void ship(Layout layout, long nowNanos, OfRank records) {
        for (int i = 0; i < hosts.size(); i++) {
            Host host = hosts.get(i);
            long delay = way.lateOneIn() > 0 && random.nextInt(way.lateOneIn()) == 0
                    ? way.lateNanos()
                    : (long) (random.nextDouble() * way.delayNanos());
            // What a host ships stays in its order; brokers count milliseconds.
            long at = Math.max(host.lastNanos, (nowNanos + delay) / 1_000_000 * 1_000_000);
            host.lastNanos = at;
            for (int rank : layout.ranksOn(i)) {
                for (AgentRecord record : records.records(rank)) {
                    if (host.writer.add(record) == FrameWriter.Added.FULL) {
                        frame(host, nowNanos, at);
                        host.writer.add(record);
                    }
                }
            }
            if (host.writer.count() > 0) {
                frame(host, nowNanos, at);
            }
        }
    }

    private void frame(Host host, long madeNanos, long atNanos) {
        long counter = host.writer.counter();
        byte[] frame = host.writer.frame(0, madeNanos);
        host.writer.stored();
        boolean all = host.frames++ % way.namesEvery() == 0;
        byte[] shipment = new Shipment(
                        host.writer.session(),
                        job,
                        host.name,
                        1,
                        counter,
                        false,
                        0,
                        all ? List.of(host.writer.names()) : List.of(),
                        List.of(new Shipment.Numbered(counter, frame)))
                .encode();
        shipments.add(new Shipped(atNanos, host.name, shipment));
        if (way.twiceOneIn() > 0 && random.nextInt(way.twiceOneIn()) == 0) {
            shipments.add(new Shipped(atNanos + random.nextInt(4) * SECOND, host.name, shipment));
        }
    }
}
