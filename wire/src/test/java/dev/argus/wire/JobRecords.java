package dev.argus.wire;

import dev.argus.model.Cost;
import dev.argus.model.Direction;
import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Incidents and shapes with anything in them that the types allow. */
final class JobRecords {
    private JobRecords() {}

    private static <E> E one(E[] values, Random random) {
        return values[random.nextInt(values.length)];
    }

    private static String text(Random random) {
        return List.of("", "node7", "void k<\"\\u2028\">(int)", "größer, 大きい", "\0\n<script>")
                .get(random.nextInt(5));
    }

    private static List<String> texts(Random random) {
        List<String> all = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            all.add(text(random) + i);
        }
        return all;
    }

    private static RankSet ranks(Random random) {
        return RankSet.of(random.ints(random.nextInt(6), 0, 40).toArray());
    }

    static Incident incident(Random random) {
        Set<Level> levels = EnumSet.noneOf(Level.class);
        for (Level level : Level.values()) {
            if (random.nextBoolean()) {
                levels.add(level);
            }
        }
        @Nullable Long until = random.nextBoolean() ? null : Long.valueOf(random.nextLong());
        @Nullable Direction direction = random.nextBoolean() ? null : one(Direction.values(), random);
        List<GpuRef> gpus = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            gpus.add(new GpuRef(
                    random.nextInt(100),
                    random.nextBoolean() ? null : text(random),
                    random.nextInt(9) - 1,
                    random.nextBoolean() ? null : text(random)));
        }
        return new Incident(
                Long.toHexString(random.nextLong()),
                one(IncidentKind.values(), random),
                one(Scope.values(), random),
                one(Severity.values(), random),
                random.nextDouble(),
                levels,
                one(IncidentState.values(), random),
                random.nextLong(),
                until,
                random.nextInt(5),
                ranks(random),
                gpus,
                texts(random),
                List.of(new ParallelGroup("tp", ranks(random))),
                random.nextLong(),
                random.nextLong(),
                texts(random),
                direction,
                text(random),
                text(random),
                text(random),
                List.of(
                        new Evidence(text(random), random.nextGaussian(), "x", text(random), Double.NaN),
                        new Evidence("ratio", Double.POSITIVE_INFINITY, "1", "", 1.1)),
                new Cost(random.nextDouble(), 1e9 * random.nextDouble(), random.nextDouble()));
    }

    static JobShape shape(Random random) {
        int n = 1 + random.nextInt(12);
        Map<Integer, String> hosts = new HashMap<>();
        Map<Integer, String> models = new HashMap<>();
        Map<Integer, Integer> gpus = new HashMap<>();
        Map<Integer, Map<Integer, Integer>> groupOf = new HashMap<>();
        List<ParallelGroup> groups = List.of(
                new ParallelGroup("dp", ranks(random)),
                new ParallelGroup("", RankSet.of(3, 1 << 30)),
                new ParallelGroup("pp", RankSet.EMPTY));
        for (int rank = 0; rank < n; rank++) {
            hosts.put(rank, text(random));
            models.put(rank, "H100");
            gpus.put(rank, random.nextInt(9) - 1);
            groupOf.put(rank, random.nextBoolean() ? Map.of() : Map.of(random.nextInt(50) - 1, random.nextInt(3)));
        }
        return new JobShape(
                random.nextInt(3),
                n + random.nextInt(3),
                RankSet.range(0, n - 1),
                hosts,
                gpus,
                models,
                new Topology(List.of(new Topology.Dimension("tp", 2), new Topology.Dimension("pp", 3)), "collectives"),
                groups,
                groupOf,
                List.of(RankSet.range(0, n / 2), RankSet.range(n / 2, n - 1)),
                List.of("stage 0 of 2", text(random)));
    }

    /** All of a shape, to compare it by. */
    static List<Object> of(JobShape s) {
        return List.of(
                s.attempt(),
                s.worldSize(),
                s.ranks(),
                s.hosts(),
                s.gpuIndex(),
                s.gpuModels(),
                s.topology(),
                s.groups(),
                s.groupOf(),
                s.peerSets(),
                s.peerLabels());
    }
}
