package dev.argus.storage.duck;

import dev.argus.storage.Tier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Tables that are cut into slots of time together: whole tables are dropped, which frees their blocks for sure and costs nothing. */
enum SlotGroup {
    RANK_STEPS(Tier.RANK_STEPS, Duration.ofHours(1)),
    STEPS(Tier.STEPS, Duration.ofDays(1)),
    INCIDENTS(Tier.INCIDENTS, Duration.ofDays(30));

    /** A slot also ends when it has about this part of what its tier may take. */
    private static final int PARTS = 8;

    private final Tier tier;
    private final long lengthNanos;

    SlotGroup(Tier tier, Duration length) {
        this.tier = tier;
        this.lengthNanos = length.toNanos();
    }

    Tier tier() {
        return tier;
    }

    long lengthNanos() {
        return lengthNanos;
    }

    /** Bytes at which a slot ends. */
    long mostBytes(long budgetBytes) {
        return tier.bytesOf(budgetBytes) / PARTS;
    }

    List<SlotTable> tables() {
        return Arrays.stream(SlotTable.values()).filter(t -> t.group() == this).toList();
    }
}
