package dev.argus.hostlocal;

import dev.argus.engine.Concluded;
import dev.argus.engine.DetectorGraph;
import dev.argus.engine.GroupStep;
import dev.argus.engine.KernelStep;
import dev.argus.engine.LaunchStep;
import dev.argus.engine.Out;
import dev.argus.engine.Partial;
import dev.argus.engine.TransferPartial;
import dev.argus.model.KernelWindow;
import dev.argus.model.SideRecord;
import dev.argus.model.StepDigest;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Runs the graph of detectors over the records of one attempt in this process.
 *
 * <p>Used by one thread, which may lend it others: states are divided among lanes by their keys, records of a batch are read by all lanes
 * and handed to the lane that has their state, and what detectors emit is passed on in the order of the records. So every state
 * sees the same records in the same order, whatever the number of lanes, and the result is the same. It does not depend on the
 * order of records within the lateness the detectors allow either.
 */
public final class GraphRunner {
    /** Records of a batch that are on their way at once: bounds the memory they take. */
    static final int BATCH = 1024;

    /** Windows of a batch, each of a hundred kernels: so few that what was decoded is still in the cache when it is taken. */
    private static final int WINDOW_BATCH = 128;

    /** Pieces a lane into which the reading of a batch is cut. */
    private static final int PIECES = 4;

    private final DetectorGraph graph;
    private final Lanes lanes;
    private final KeyedNode<StepDigest, ?> steps;
    private final KeyedNode<StepDigest, ?> work;
    private final KeyedNode<LaunchStep, ?> launches;
    private final KeyedNode<GroupStep, ?> waits;
    private final KeyedNode<TransferPartial, ?> transfers;
    private final KeyedNode<KernelStep, ?> kernels;
    private final KeyedNode<Partial, ?> diagnosis;
    private final KeyedNode<SideRecord, ?> side;
    private final KeyedNode<StepDigest, ?> arrivals;
    private final List<Concluded> concluded = new ArrayList<>();
    private final Map<String, Long> losses = new TreeMap<>();
    private final List<Emissions> emissions = new ArrayList<>();
    private final Out out = new Router();

    /** A runner over fresh states that works on the caller's thread alone. */
    public GraphRunner(DetectorGraph graph) {
        this(graph, Lanes.ONE);
    }

    /**
     * A runner over fresh states that also uses threads of others.
     *
     * @param graph the detectors
     * @param executor runs one task a lane but the first
     * @param lanes how many tasks run at a time, the caller's thread among them; 1 or more
     */
    public GraphRunner(DetectorGraph graph, Executor executor, int lanes) {
        this(graph, new Lanes(executor, lanes));
    }

    GraphRunner(DetectorGraph graph, Lanes lanes) {
        this.graph = graph;
        this.lanes = lanes;
        steps = KeyedNode.of(graph.steps(), lanes);
        work = KeyedNode.of(graph.work(), lanes);
        launches = KeyedNode.of(graph.launches(), lanes);
        waits = KeyedNode.of(graph.waits(), lanes);
        transfers = KeyedNode.of(graph.transfers(), lanes);
        kernels = KeyedNode.of(graph.kernels(), lanes);
        diagnosis = KeyedNode.of(graph.diagnosis(), lanes);
        side = KeyedNode.of(graph.side(), lanes);
        arrivals = KeyedNode.of(graph.arrivals(), lanes);
        for (int l = 0; l < lanes.count(); l++) {
            emissions.add(new Emissions());
        }
    }

    private List<KeyedNode<?, ?>> nodes() {
        return List.of(steps, work, launches, waits, transfers, kernels, diagnosis, side, arrivals);
    }

    /** Takes one step of one rank. */
    public void take(StepDigest digest) {
        steps.take(digest, out);
        work.take(digest, out);
        arrivals.take(digest, out);
        graph.launchStep(digest).ifPresent(l -> launches.take(l, out));
        for (GroupStep g : graph.groupSteps(digest)) {
            waits.take(g, out);
        }
    }

    /** Takes the kernels of one rank in one step. */
    public void take(KernelWindow window) {
        lost(window.lost());
        for (KernelStep k : graph.kernelSteps(window)) {
            kernels.take(k, out);
        }
    }

    /** Takes what a file beside traces says. */
    public void take(SideRecord record) {
        side.take(record, out);
    }

    private void lost(long events) {
        if (events > 0) {
            losses.merge("kernel-without-room", events, Long::sum);
        }
    }

    /**
     * Takes many steps, as if one after the other.
     *
     * @param count how many
     * @param digests gives each by its number, once; asked by several threads at a time
     */
    public void takeDigests(int count, IntFunction<StepDigest> digests) {
        Batch<StepDigest> ofSteps = new Batch<>(steps, 0);
        Batch<StepDigest> ofWork = new Batch<>(work, 1);
        Batch<StepDigest> ofArrivals = new Batch<>(arrivals, 4);
        Batch<LaunchStep> ofLaunches = new Batch<>(launches, 2);
        Batch<GroupStep> ofWaits = new Batch<>(waits, 3);
        List<Batch<?>> all = List.of(ofSteps, ofWork, ofArrivals, ofLaunches, ofWaits);
        batches(count, BATCH, (from, to) -> {
            read(from, to, (piece, i) -> {
                StepDigest digest = digests.apply(i);
                ofSteps.add(piece, place(i, 0), digest);
                ofWork.add(piece, place(i, 0), digest);
                ofArrivals.add(piece, place(i, 0), digest);
                LaunchStep launch = graph.launchStep(digest).orElse(null);
                if (launch != null) {
                    ofLaunches.add(piece, place(i, 0), launch);
                }
                int n = 0;
                for (GroupStep g : graph.groupSteps(digest)) {
                    ofWaits.add(piece, place(i, n++), g);
                }
            });
            lanes.run(lane -> all.forEach(batch -> batch.take(lane)));
            passOn();
        });
    }

    /**
     * Takes many windows of kernels, as if one after the other.
     *
     * @param count how many
     * @param windows gives each by its number, once; asked by several threads at a time
     */
    public void takeWindows(int count, IntFunction<KernelWindow> windows) {
        Batch<KernelStep> batch = new Batch<>(kernels, 0);
        batches(count, WINDOW_BATCH, (from, to) -> {
            long[] lost = new long[pieces()];
            read(from, to, (piece, i) -> {
                KernelWindow window = windows.apply(i);
                lost[piece] += Math.max(0, window.lost());
                int n = 0;
                for (KernelStep k : graph.kernelSteps(window)) {
                    batch.add(piece, place(i, n++), k);
                }
            });
            for (long events : lost) {
                lost(events);
            }
            lanes.run(batch::take);
            passOn();
        });
    }

    /**
     * Passes on what the lanes hold: each lane takes the transfers whose states it has, then the diagnosis takes everything else, and what
     * the comparison of transfers emitted in its place.
     */
    private void passOn() {
        List<Emissions.Placed> all = Emissions.drain(emissions, losses);
        lanes.run(lane -> {
            Emissions to = emissions.get(lane);
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i).partial() instanceof TransferPartial p) {
                    long key = transfers.key(p);
                    if (transfers.lane(key) == lane) {
                        to.at(i);
                        transfers.take(lane, key, p, to);
                    }
                }
            }
        });
        List<Emissions.Placed> found = Emissions.drain(emissions, losses);
        int next = 0;
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).partial() instanceof TransferPartial) {
                for (; next < found.size() && found.get(next).place() == i; next++) {
                    out.emit(found.get(next).partial());
                }
            } else {
                out.emit(all.get(i).partial());
            }
        }
    }

    @FunctionalInterface
    private interface Range {
        void take(int from, int to);
    }

    private static void batches(int count, int size, Range range) {
        for (int from = 0; from < count; from += size) {
            range.take(from, Math.min(count, from + size));
        }
    }

    @FunctionalInterface
    private interface Reading {
        void read(int piece, int record);
    }

    /** Reads the records of a batch in pieces, each by the lane that is free: a lane that is woken late holds up nobody. Within a piece, and from piece to piece, records lie in their order. */
    private void read(int from, int to, Reading reading) {
        AtomicInteger next = new AtomicInteger();
        lanes.run(lane -> {
            for (int piece = next.getAndIncrement(); piece < pieces(); piece = next.getAndIncrement()) {
                for (int i = first(piece, from, to); i < first(piece + 1, from, to); i++) {
                    reading.read(piece, i);
                }
            }
        });
    }

    private int pieces() {
        return lanes.count() == 1 ? 1 : PIECES * lanes.count();
    }

    private int first(int piece, int from, int to) {
        return from + (int) ((long) (to - from) * piece / pieces());
    }

    private static long place(int record, int part) {
        return (long) record << 24 | part;
    }

    /** Records of a batch by the piece in which they were read and the lane that has their state. */
    private final class Batch<I> {
        private final KeyedNode<I, ?> node;
        private final int turn;
        private final List<List<Routed<I>>> ways = new ArrayList<>();

        Batch(KeyedNode<I, ?> node, int turn) {
            this.node = node;
            this.turn = turn;
            for (int piece = 0; piece < pieces(); piece++) {
                List<Routed<I>> of = new ArrayList<>();
                for (int lane = 0; lane < lanes.count(); lane++) {
                    of.add(new Routed<>());
                }
                ways.add(of);
            }
        }

        void add(int piece, long place, I record) {
            long key = node.key(record);
            ways.get(piece).get(node.lane(key)).add(place, key, record);
        }

        void take(int lane) {
            Emissions to = emissions.get(lane);
            for (List<Routed<I>> of : ways) {
                node.take(lane, of.get(lane), place -> to.at((long) turn << 56 | place), to);
            }
        }
    }

    /**
     * What is to be said now: every detector gives what it has, in the order of the graph, and goes on. To be asked when a window has closed:
     * steps of which not all ranks have reported are closed with those that have.
     *
     * @return one conclusion an attempt, of this question only
     */
    public List<Concluded> conclude() {
        concluded.clear();
        return finish();
    }

    /** The input has ended: every detector gives what it has, in the order of the graph. */
    public List<Concluded> finish() {
        timers(List.of(steps, work, launches, waits));
        timers(List.of(transfers, kernels));
        diagnosis.timers(Long.MAX_VALUE, out);
        side.timers(Long.MAX_VALUE, out);
        arrivals.timers(Long.MAX_VALUE, out);
        return List.copyOf(concluded);
    }

    /** Fires the timers of all keys, those of different keys at the same time. */
    private void timers(List<KeyedNode<?, ?>> nodes) {
        record Timer(KeyedNode<?, ?> node, long key) {}
        List<Timer> timers = new ArrayList<>();
        for (KeyedNode<?, ?> node : nodes) {
            for (long key : node.keys()) {
                timers.add(new Timer(node, key));
            }
        }
        AtomicInteger next = new AtomicInteger();
        lanes.run(lane -> {
            Emissions to = emissions.get(lane);
            for (int i = next.getAndIncrement(); i < timers.size(); i = next.getAndIncrement()) {
                to.at(i);
                timers.get(i).node().timer(timers.get(i).key(), Long.MAX_VALUE, to);
            }
        });
        passOn();
    }

    /** What detectors left out, by reason. */
    public Map<String, Long> losses() {
        return Collections.unmodifiableMap(losses);
    }

    /** Bytes of all states when written down, by name of the detector. Cost: writing them. */
    public Map<String, Long> stateBytes() {
        Map<String, Long> bytes = new TreeMap<>();
        for (KeyedNode<?, ?> node : nodes()) {
            bytes.put(node.name(), (long) node.snapshot().length);
        }
        return bytes;
    }

    /** All states, by name of the detector. */
    Map<String, byte[]> snapshot() {
        Map<String, byte[]> all = new TreeMap<>();
        for (KeyedNode<?, ?> node : nodes()) {
            all.put(node.name(), node.snapshot());
        }
        return all;
    }

    /** Takes all states up again. */
    void restore(Map<String, byte[]> snapshot) {
        for (KeyedNode<?, ?> node : nodes()) {
            byte[] bytes = snapshot.get(node.name());
            if (bytes == null) {
                throw new IllegalArgumentException("snapshot without " + node.name() + ": it has " + snapshot.keySet());
            }
            node.restore(bytes);
        }
    }

    /**
     * Writes all states and losses down.
     *
     * @param to where
     * @param written told after each state, so that what was written may be taken away: all states together may be large
     */
    public void encode(WireWriter to, Runnable written) {
        for (KeyedNode<?, ?> node : nodes()) {
            to.writeText(node.name());
            node.encode(to, written);
        }
        to.writeVarint(losses.size());
        losses.forEach((reason, n) -> to.writeText(reason).writeVarint(n));
    }

    /**
     * Takes up what {@link #encode} wrote, by the same graph.
     *
     * @throws WireException if it is something else
     */
    public void decode(WireReader from) {
        for (KeyedNode<?, ?> node : nodes()) {
            String name = from.readText();
            if (!name.equals(node.name())) {
                throw new WireException("no state of " + node.name() + " where it is expected");
            }
            node.decode(from);
        }
        losses.clear();
        for (int n = from.readCount(2); n > 0; n--) {
            losses.put(from.readText(), from.readVarint());
        }
    }

    private final class Router implements Out {
        @Override
        public void emit(Partial partial) {
            switch (partial) {
                case TransferPartial p -> transfers.take(p, this);
                case Concluded c -> concluded.add(c);
                default -> diagnosis.take(partial, this);
            }
        }

        @Override
        public void timer(long eventNanos) {
            // A folder of traces has an end: every timer fires there.
        }

        @Override
        public void doAll(List<Runnable> pieces) {
            AtomicInteger next = new AtomicInteger();
            lanes.run(lane -> {
                for (int i = next.getAndIncrement(); i < pieces.size(); i = next.getAndIncrement()) {
                    pieces.get(i).run();
                }
            });
        }

        @Override
        public void loss(String reason) {
            losses.merge(reason, 1L, Long::sum);
        }
    }
}
