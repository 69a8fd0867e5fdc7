package dev.argus.wire;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.Gap;
import dev.argus.model.OwnTime;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Records with anything in them that the types allow. */
final class RandomRecords {
    private final Random random;

    RandomRecords(long seed) {
        random = new Random(seed);
    }

    /** Small and large numbers alike, all 64 bits now and then. */
    long any() {
        return random.nextLong() >> random.nextInt(64);
    }

    private long size() {
        return random.nextLong(1L << (1 + random.nextInt(60)));
    }

    private int id() {
        return random.nextInt(-1, 1 + (1 << random.nextInt(30)));
    }

    private <E> E one(E[] values) {
        return values[random.nextInt(values.length)];
    }

    StepDigest digest() {
        List<PhaseTime> phases = new ArrayList<>();
        List<CollectiveStat> collectives = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            phases.add(new PhaseTime(one(Phase.values()), size(), size()));
        }
        for (int i = random.nextInt(6); i > 0; i--) {
            collectives.add(collective());
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            gaps.add(new Gap(
                    any(),
                    size(),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    id(),
                    one(SpanKind.values())));
        }
        return new StepDigest(
                random.nextInt(1000),
                id(),
                any(),
                any(),
                size(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                new OwnTime(size(), size(), size(), size(), size()),
                size(),
                size(),
                size(),
                size(),
                random.nextInt(-1, 40_000),
                phases,
                collectives,
                gaps);
    }

    private CollectiveStat collective() {
        return new CollectiveStat(
                one(CollectiveOp.values()),
                id(),
                any(),
                any(),
                id(),
                id(),
                any(),
                size(),
                size(),
                random.nextBoolean());
    }
}
