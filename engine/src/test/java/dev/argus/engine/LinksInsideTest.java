package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Links inside hosts: one group of 8 ranks a host, 4 hosts, 10 steps of 20 ms, transfers of 150 us within 0.5 %. */
class LinksInsideTest {
    private static final int PER_HOST = 8;
    private static final int HOSTS = 4;
    private static final int STEPS = 10;
    private static final long[] SEEN = IntStream.range(0, STEPS).asLongStream().toArray();
    private final Random random = new Random(11);

    private static RankSet ranksOn(int host) {
        return RankSet.range(host * PER_HOST, host * PER_HOST + PER_HOST - 1);
    }

    private List<Suspect> find(ToDoubleBiFunction<Integer, Integer> factor) {
        List<TransferFinding> list = new ArrayList<>();
        Map<Integer, String> hosts = new HashMap<>();
        for (int host = 0; host < HOSTS; host++) {
            int of = host;
            ranksOn(host).stream().forEach(r -> hosts.put(r, "host" + of));
            double[] nanos = IntStream.range(0, STEPS)
                    .mapToDouble(s -> 150_000 * factor.applyAsDouble(of, s) * (1 + 0.005 * random.nextGaussian()))
                    .toArray();
            list.add(new TransferFinding(
                    0,
                    host,
                    ranksOn(host),
                    CollectiveOp.ALL_GATHER,
                    1 << 24,
                    true,
                    1,
                    PER_HOST,
                    false,
                    new long[0],
                    new double[0],
                    1,
                    150_000,
                    16,
                    false,
                    SEEN,
                    nanos,
                    nanos,
                    Arrays.stream(nanos).map(n -> 16 * n).toArray()));
        }
        RankSet all = RankSet.range(0, HOSTS * PER_HOST - 1);
        JobShape shape = new JobShape(
                0,
                all.size(),
                all,
                hosts,
                Map.of(),
                Map.of(),
                Topology.UNKNOWN,
                List.of(),
                Map.of(),
                List.of(all),
                List.of("all"));
        double[] zero = new double[STEPS];
        double[] step = new double[STEPS];
        Arrays.fill(step, 20e6);
        JobTimes times =
                new JobTimes(List.of(new WorkReference(0, 0, 8, SEEN, zero, zero, step, zero, zero, zero, 0, 0)));
        return new LinkSuspects(list, shape, times, Set.of(), 1).find(new Collector());
    }

    private static final class Collector implements Out {
        @Override
        public void emit(Partial partial) {}

        @Override
        public void timer(long eventNanos) {}

        @Override
        public void loss(String reason) {}
    }

    @Test
    void linksDifferALittleForEver() {
        double[] usual = {1, 1, 1.02, 1.045};
        assertThat(find((h, s) -> usual[h])).isEmpty();
    }

    @Test
    void muchForEverIsAFault() {
        double[] usual = {1, 1, 1.02, 1.12};
        assertThat(find((h, s) -> usual[h])).singleElement().satisfies(f -> {
            assertThat(f.kind).isEqualTo(IncidentKind.NVLINK_DEGRADED);
            assertThat(f.ranks).isEqualTo(ranksOn(3));
        });
    }

    @Test
    void aLittleForEverHidesNoFaultElsewhere() {
        double[] usual = {1.045, 1, 1, 1.01};
        assertThat(find((h, s) -> usual[h] * (h == 2 && s >= 5 ? 1.15 : 1)))
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.ranks).isEqualTo(ranksOn(2));
                    assertThat(f.claims.firstKey()).isEqualTo(5);
                });
    }

    /** The links inside two hosts pass no switch: these are two faults. */
    @Test
    void twoHostsAreTwoFaults() {
        assertThat(find((h, s) -> (h == 0 && s >= 3) || (h == 2 && s >= 5) ? 2 : 1))
                .extracting(f -> f.ranks)
                .containsExactlyInAnyOrder(ranksOn(0), ranksOn(2));
    }

    /** What is left beside a fault must be much to be another one. */
    @Test
    void aLittleBesideAFaultIsNone() {
        assertThat(find((h, s) -> h == 0 && s >= 3 ? 2 : h == 2 && s >= 5 ? 1.06 : 1))
                .extracting(f -> f.ranks)
                .containsExactly(ranksOn(0));
    }
}
