package dev.argus.digest.clocks;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.OwnTime;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;

/** A job whose hosts have known clocks. */
final class ClockScene {
    static final long BASE = 1_751_410_836_000_000_000L;

    final int hosts;
    final int perHost;
    final List<RankSet> groups = new ArrayList<>();
    final TreeSet<Integer> missing = new TreeSet<>();

    /** What a host's clock shows more than true time, nanoseconds, by seconds of true time. */
    final List<DoubleUnaryOperator> clocks = new ArrayList<>();

    CollectiveOp op = CollectiveOp.ALL_REDUCE;
    boolean numbered = true;
    int steps = 10;
    int calls = 20;
    double stepSeconds = 0.5;
    double jitterNanos = 3_000;
    double lateShare;

    /** A rank whose ends are always later. */
    int lateMember = -1;

    double lateMemberNanos;
    double lateNanos = 2_000_000;
    private final SplittableRandom random;

    ClockScene(long seed, int hosts, int perHost) {
        this.random = new SplittableRandom(seed);
        this.hosts = hosts;
        this.perHost = perHost;
        for (int h = 0; h < hosts; h++) {
            clocks.add(s -> 0);
        }
    }

    ClockScene clock(int host, double offsetNanos, double ppm) {
        clocks.set(host, s -> offsetNanos + 1e3 * ppm * s);
        return this;
    }

    ClockScene clock(int host, DoubleUnaryOperator more) {
        clocks.set(host, more);
        return this;
    }

    ClockScene group(int... ranks) {
        groups.add(RankSet.of(ranks));
        return this;
    }

    /** A data-parallel group of the first ranks of hosts. */
    ClockScene across(int... on) {
        int[] ranks = new int[on.length];
        for (int i = 0; i < on.length; i++) {
            ranks[i] = on[i] * perHost;
        }
        return group(ranks);
    }

    /** A tensor-parallel group on each host. */
    ClockScene inside() {
        for (int h = 0; h < hosts && perHost > 1; h++) {
            groups.add(RankSet.range(h * perHost, (h + 1) * perHost - 1));
        }
        return this;
    }

    ClockScene world() {
        groups.add(RankSet.range(0, hosts * perHost - 1));
        return this;
    }

    long shown(int host, double seconds) {
        return BASE + Math.round(seconds * 1e9 + clocks.get(host).applyAsDouble(seconds));
    }

    /** What a host's clock shows more than another's at a moment of the host's own clock. */
    double trueApart(int host, int reference, long nanos) {
        double seconds = (nanos - BASE) / 1e9;
        for (int i = 0; i < 6; i++) {
            seconds = (nanos - BASE - clocks.get(host).applyAsDouble(seconds)) / 1e9;
        }
        return clocks.get(host).applyAsDouble(seconds) - clocks.get(reference).applyAsDouble(seconds);
    }

    static String host(int number) {
        return "host" + number;
    }

    private double noise() {
        double sum = 0;
        for (int i = 0; i < 12; i++) {
            sum += random.nextDouble();
        }
        return jitterNanos * (sum - 6);
    }

    JobShape shape() {
        Map<Integer, String> on = new HashMap<>();
        Map<Integer, Map<Integer, Integer>> groupOf = new HashMap<>();
        List<ParallelGroup> named = new ArrayList<>();
        groups.forEach(g -> named.add(new ParallelGroup("dp", g)));
        for (int r = 0; r < hosts * perHost; r++) {
            if (missing.contains(r)) {
                continue;
            }
            on.put(r, host(r / perHost));
            Map<Integer, Integer> own = new HashMap<>();
            for (int g = 0; g < groups.size(); g++) {
                if (groups.get(g).contains(r)) {
                    own.put(100 + g, g);
                }
            }
            groupOf.put(r, own);
        }
        RankSet ranks = RankSet.of(on.keySet().stream().mapToInt(r -> r).toArray());
        return new JobShape(
                0,
                hosts * perHost,
                ranks,
                on,
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                named,
                groupOf,
                List.of(ranks),
                List.of("all ranks"));
    }

    ClockAlignment align() {
        ClockMeetings meetings = new ClockMeetings(shape());
        for (int step = 0; step < steps; step++) {
            Map<Integer, List<CollectiveStat>> byRank = new HashMap<>();
            for (int call = 0; call < calls; call++) {
                for (int g = 0; g < groups.size(); g++) {
                    double end = stepSeconds * (step + (call + 1.0) / (calls + 1)) + 1e-3 * g;
                    for (int rank : groups.get(g).toArray()) {
                        double late = random.nextDouble() < lateShare ? lateNanos * random.nextDouble() : 0;
                        double at = end + (noise() + late + (rank == lateMember ? lateMemberNanos : 0)) / 1e9;
                        long duration = 100_000L + random.nextInt(1_000_000);
                        long start = shown(rank / perHost, at) - duration;
                        byRank.computeIfAbsent(rank, r -> new ArrayList<>())
                                .add(new CollectiveStat(
                                        op,
                                        100 + g,
                                        numbered ? 1_000L + (long) step * calls + call : -1,
                                        1 << 20,
                                        -1,
                                        20,
                                        start,
                                        duration,
                                        0,
                                        false));
                    }
                }
            }
            for (Map.Entry<Integer, List<CollectiveStat>> e : byRank.entrySet()) {
                if (!missing.contains(e.getKey())) {
                    meetings.take(digest(e.getKey(), step, e.getValue()));
                }
            }
            meetings.endStep();
        }
        return meetings.align();
    }

    private static StepDigest digest(int rank, int step, List<CollectiveStat> collectives) {
        return new StepDigest(
                0,
                rank,
                step,
                BASE,
                1,
                false,
                false,
                true,
                new OwnTime(0, 0, 0, 0, 0),
                0,
                0,
                0,
                0,
                List.of(),
                collectives,
                List.of());
    }
}
