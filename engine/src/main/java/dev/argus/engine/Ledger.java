package dev.argus.engine;

import dev.argus.model.RankSet;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The ledger of waits of one attempt: what each rank caused in each step, over all groups, in nanoseconds.
 *
 * <p>Only ranks that caused a wait have an entry, and the newest {@value Received#MAX_STEPS} steps are kept. Adding costs O(members of the
 * group), so a step of a job costs O(ranks) however many groups there are; a question costs O(entries of the steps asked for).
 */
final class Ledger {
    private final NavigableMap<Long, NavigableMap<Integer, Long>> causedBySteps = new TreeMap<>();

    /** Adds the waits of one group and step to those of the other groups. */
    void add(WaitPartial waits) {
        Map<Integer, Long> caused = causedBySteps.computeIfAbsent(waits.step(), s -> new TreeMap<>());
        for (int i = 0; i < waits.ranks().length; i++) {
            if (waits.causedNanos()[i] > 0) {
                caused.merge(waits.ranks()[i], waits.causedNanos()[i], Long::sum);
            }
        }
        Received.forget(causedBySteps);
    }

    /** True when no group said anything. */
    boolean isEmpty() {
        return causedBySteps.isEmpty();
    }

    /** Share of all waits of a range of steps, both ends included, that a rank caused, 0..1; 0 when nobody waited. */
    double causedRatio(int rank, long first, long last) {
        long all = 0;
        long mine = 0;
        for (Map<Integer, Long> caused :
                causedBySteps.subMap(first, true, last, true).values()) {
            for (long nanos : caused.values()) {
                all += nanos;
            }
            mine += caused.getOrDefault(rank, 0L);
        }
        return all > 0 ? (double) mine / all : 0;
    }

    /** The waits that some ranks caused in a step, summed. */
    double causedNanos(RankSet ranks, long step) {
        double sum = 0;
        Map<Integer, Long> caused = causedBySteps.get(step);
        for (int rank : ranks.toArray()) {
            sum += caused == null ? 0 : caused.getOrDefault(rank, 0L);
        }
        return sum;
    }

    void encode(WireWriter to) {
        to.writeVarint(causedBySteps.size());
        causedBySteps.forEach((step, caused) -> {
            to.writeSigned(step).writeVarint(caused.size());
            caused.forEach((rank, nanos) -> to.writeVarint(rank).writeVarint(nanos));
        });
    }

    void decode(WireReader from) {
        int steps = from.readCount(2);
        for (int i = 0; i < steps; i++) {
            NavigableMap<Integer, Long> caused = new TreeMap<>();
            causedBySteps.put(from.readSigned(), caused);
            int ranks = from.readCount(2);
            for (int k = 0; k < ranks; k++) {
                caused.put(from.readInt(), from.readVarint());
            }
        }
    }
}
