package dev.argus.hostlocal.live;

import dev.argus.model.RankDeclaration;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that count the attempts of their job otherwise than the newest one does. Where a job does not count by itself, each host counts what it has seen: a spare host that joins when the others have started three times says 0,
 * and a host that counts one more than the others leaves all of them behind. What tells who is of the attempt that runs is not the number but the training: all make steps together.
 *
 * <p>So a rank of a lower attempt is of the one that runs once it has made {@value #STEPS} steps, each newer than all of it that is known in this attempt, each begun after the attempt did by the clock of its host, none far from the steps of the others, and not all
 * told at once. What an agent tells late of an attempt that is over began before; and of a rank that is heard in the attempt itself, nothing is newer.
 *
 * <p>State: of each rank of a lower attempt its declaration and three numbers.
 */
final class OtherCounts {
    /** Steps that a rank must have made. */
    static final int STEPS = 3;

    /** From the first of them to the last, by whoever listens. */
    static final long LEAST_NANOS = 1_000_000_000L;

    /** So many steps from the newest of the job they may be. */
    static final long NEAR_STEPS = 64;

    /** Steps of a rank that may be of the attempt that runs. */
    private record Going(int attempt, long step, int steps, long firstNanos) {}

    private final Declared declared;
    private final Map<Integer, Going> going = new TreeMap<>();

    /** Ranks that are of the attempt that runs, and what they call it. */
    private final Map<Integer, Integer> joined = new TreeMap<>();

    OtherCounts() {
        this(new Declared());
    }

    private OtherCounts(Declared declared) {
        this.declared = declared;
    }

    /** Another attempt begins; those of the one before may go on in it. */
    void begin(Declared before) {
        before.all().forEach(declared::put);
        going.clear();
        joined.clear();
    }

    /** A rank of a lower attempt says who it is. */
    void declare(RankDeclaration of) {
        declared.put(of);
    }

    /** A rank says the number of the attempt that runs: there is nothing to translate. */
    void counts(int rank) {
        declared.remove(rank);
        going.remove(rank);
        joined.remove(rank);
    }

    /** True if what a rank calls by this number is the attempt that runs. */
    boolean isJoined(int rank, int attempt) {
        Integer as = joined.get(rank);
        return as != null && as == attempt;
    }

    /**
     * A rank of a lower attempt has made a step.
     *
     * @param begunNanos when the attempt that runs began
     * @param newestStep newest step of the job, below 0 before the first
     * @param known newest step of the rank that is known in the attempt that runs, {@link Long#MIN_VALUE} for none
     * @return who it is, if it is of the attempt that runs since now
     */
    @Nullable
    RankDeclaration step(RankStep step, long begunNanos, long newestStep, long known, long nowNanos) {
        int rank = step.digest().rank();
        int attempt = step.digest().attempt();
        long number = step.digest().step();
        RankDeclaration of = declared.of(rank);
        if (of == null || of.attempt() != attempt) {
            return null;
        }
        Going before = going.get(rank);
        boolean on = before != null && before.attempt() == attempt && number > before.step();
        boolean near = newestStep < 0 || Math.abs(number - newestStep) <= NEAR_STEPS;
        if (step.digest().startNanos() < begunNanos || !near || number <= known) {
            going.remove(rank);
            return null;
        }
        Going now = on && before != null
                ? new Going(attempt, number, before.steps() + 1, before.firstNanos())
                : new Going(attempt, number, 1, nowNanos);
        if (now.steps() < STEPS || nowNanos - now.firstNanos() < LEAST_NANOS) {
            going.put(rank, now);
            return null;
        }
        going.remove(rank);
        joined.put(rank, attempt);
        return of;
    }

    // ---------------------------------------------------------------- state

    void encode(SnapshotOut out) {
        declared.encode(out);
        WireWriter to = out.to();
        to.writeVarint(going.size());
        going.forEach((rank, g) -> to.writeVarint(rank)
                .writeVarint(g.attempt())
                .writeSigned(g.step())
                .writeVarint(g.steps())
                .writeSigned(g.firstNanos()));
        to.writeVarint(joined.size());
        joined.forEach((rank, attempt) -> to.writeVarint(rank).writeVarint(attempt));
        out.written();
    }

    static OtherCounts decode(WireReader from) {
        OtherCounts all = new OtherCounts(Declared.decode(from));
        for (int n = from.readCount(5); n > 0; n--) {
            all.going.put(
                    from.readInt(), new Going(from.readInt(), from.readSigned(), from.readInt(), from.readSigned()));
        }
        for (int n = from.readCount(2); n > 0; n--) {
            all.joined.put(from.readInt(), from.readInt());
        }
        return all;
    }
}
