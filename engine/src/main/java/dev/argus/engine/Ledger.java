package dev.argus.engine;

import dev.argus.model.RankSet;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The ledger of waits of one attempt: what each rank caused in each step, over all groups, in nanoseconds.
 *
 * <p>Only ranks that caused a wait have an entry, of 24 to 48 bytes; the newest {@value Received#MAX_STEPS} steps are kept, and of these the newest that
 * together have at most {@link #mostEntries} entries. Adding costs O(members of the group), so a step of a job costs O(ranks) however many
 * groups there are; a question costs O(steps asked for).
 */
final class Ledger {
    /** Enough for 4,096 steps of a job in which 256 ranks are late in every step; at most 50 MB. */
    private static final int MOST_ENTRIES = 1 << 20;

    private final int mostEntries;
    private final NavigableMap<Long, Step> steps = new TreeMap<>();
    private int entries;

    Ledger() {
        this(MOST_ENTRIES);
    }

    Ledger(int mostEntries) {
        this.mostEntries = mostEntries;
    }

    /** What each rank caused in one step. */
    private static final class Step {
        final IntMap<long[]> caused = new IntMap<>();
        long all;

        void add(int rank, long nanos) {
            long[] sum = caused.get(rank);
            if (sum == null) {
                sum = new long[1];
                caused.put(rank, sum);
            }
            sum[0] += nanos;
            all += nanos;
        }

        long of(int rank) {
            long[] sum = caused.get(rank);
            return sum == null ? 0 : sum[0];
        }
    }

    /** Adds the waits of one group and step to those of the other groups. */
    void add(WaitPartial waits) {
        Step step = steps.computeIfAbsent(waits.step(), s -> new Step());
        int before = step.caused.size();
        for (int i = 0; i < waits.ranks().length; i++) {
            if (waits.causedNanos()[i] > 0) {
                step.add(waits.ranks()[i], waits.causedNanos()[i]);
            }
        }
        entries += step.caused.size() - before;
        while (steps.size() > Received.MAX_STEPS || (entries > mostEntries && steps.size() > 1)) {
            entries -= steps.pollFirstEntry().getValue().caused.size();
        }
    }

    /** Forgets what lies before a step. */
    void forget(long since) {
        while (!steps.isEmpty() && steps.firstKey() < since) {
            entries -= steps.pollFirstEntry().getValue().caused.size();
        }
    }

    /** True when no group said anything. */
    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Share of all waits of a range of steps, both ends included, that a rank caused, 0..1; 0 when nobody waited. */
    double causedRatio(int rank, long first, long last) {
        long all = 0;
        long mine = 0;
        for (Step step : steps.subMap(first, true, last, true).values()) {
            all += step.all;
            mine += step.of(rank);
        }
        return all > 0 ? (double) mine / all : 0;
    }

    /** The waits that some ranks caused in a step, summed. */
    double causedNanos(RankSet ranks, long step) {
        double sum = 0;
        Step of = steps.get(step);
        for (int i = 0; i < ranks.size(); i++) {
            sum += of == null ? 0 : of.of(ranks.get(i));
        }
        return sum;
    }

    void encode(WireWriter to) {
        to.writeVarint(steps.size());
        steps.forEach((number, step) -> {
            to.writeSigned(number).writeVarint(step.caused.size());
            step.caused.forEachSorted((rank, nanos) -> to.writeVarint(rank).writeVarint(nanos[0]));
        });
    }

    void decode(WireReader from) {
        int n = from.readCount(2);
        for (int i = 0; i < n; i++) {
            Step step = new Step();
            steps.put(from.readSigned(), step);
            int ranks = from.readCount(2);
            for (int k = 0; k < ranks; k++) {
                step.add(from.readInt(), from.readVarint());
            }
            entries += step.caused.size();
        }
    }
}
