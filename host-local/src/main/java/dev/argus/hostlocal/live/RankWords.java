package dev.argus.hostlocal.live;

import dev.argus.model.RankState;
import dev.argus.wire.RecordCodec;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The newest word of each rank about itself, and for how long it has said the same, by the clock of its own host: so neither an outage nor a restart of whoever listens counts as time in which nothing went on, and
 * neither ends it. State: some 200 B a rank.
 */
final class RankWords {
    /** Who was not heard for so long, while others were, says nothing of now. */
    static final long FRESH_NANOS = 10_000_000_000L;

    /** A rank that has ended, and without which the job has made so many steps, is none of it any more. */
    private static final int WITHOUT = 3;

    private static final RecordCodec<RankState> STATE = new RecordCodec<>(RankState.class);

    /**
     * Of one rank.
     *
     * @param state what it said last
     * @param heardNanos when, by whoever listens
     * @param sinceNanos since when it has said that nothing goes on, by its host
     * @param mostBegun highest step it has begun: a process that starts over and over goes nowhere
     * @param mostEnded likewise ended
     * @param without steps of the job without it since it ended
     */
    private record Word(
            RankState state, long heardNanos, long sinceNanos, long mostBegun, long mostEnded, int without) {
        Word since(long nanos) {
            return new Word(state, heardNanos, nanos, mostBegun, mostEnded, without);
        }

        Word without(int steps) {
            return new Word(state, heardNanos, sinceNanos, mostBegun, mostEnded, steps);
        }
    }

    private final Map<Integer, Word> words = new TreeMap<>();
    private long newestNanos = Long.MIN_VALUE;

    /** How many of them have ended. */
    private int ended;

    /** Takes what a rank says; true if it has gone on since it last said something. */
    boolean take(RankState s, long nowNanos) {
        Word before = words.get(s.rank());
        boolean on = before == null || s.begunStep() > before.mostBegun() || s.endedStep() > before.mostEnded();
        newestNanos = Math.max(newestNanos, nowNanos);
        ended += (s.present() ? 0 : 1) - (before == null || before.state().present() ? 0 : 1);
        words.put(
                s.rank(),
                before == null
                        ? new Word(s, nowNanos, s.atNanos(), s.begunStep(), s.endedStep(), 0)
                        : new Word(
                                s,
                                nowNanos,
                                on ? s.atNanos() : Math.min(before.sinceNanos(), s.atNanos()),
                                Math.max(before.mostBegun(), s.begunStep()),
                                Math.max(before.mostEnded(), s.endedStep()),
                                s.present() ? 0 : before.without()));
        return on;
    }

    /** Something else than its steps went on with a rank. */
    void wentOn(int rank) {
        words.computeIfPresent(rank, (r, w) -> w.since(w.state().atNanos()));
    }

    /** Steps are counted anew: lower ones are steps forward. */
    void countAnew() {
        words.replaceAll((rank, w) -> new Word(
                w.state(),
                w.heardNanos(),
                w.sinceNanos(),
                w.state().begunStep(),
                w.state().endedStep(),
                w.without()));
    }

    /** True if a rank that is remembered has ended. Cost: O(1). */
    boolean someEnded() {
        return ended > 0;
    }

    /**
     * The job has made a step.
     *
     * @param of ranks that have
     * @param gone told which are none of the job any more
     */
    void step(Set<Integer> of, IntConsumer gone) {
        words.values().removeIf(w -> {
            boolean away = !w.state().present() && !of.contains(w.state().rank());
            if (away && w.without() + 1 >= WITHOUT) {
                gone.accept(w.state().rank());
                ended--;
                return true;
            }
            return false;
        });
        words.replaceAll((rank, w) -> w.state().present() || of.contains(rank) ? w : w.without(w.without() + 1));
    }

    /** For how long all ranks that are heard have said that nothing goes on, nanoseconds by their own clocks; 0 when none is heard. */
    long quietNanos() {
        return words.values().stream()
                .filter(w -> isFresh(w) && w.state().present())
                .mapToLong(w -> w.state().atNanos() - w.sinceNanos())
                .min()
                .orElse(0);
    }

    private boolean isFresh(Word w) {
        return newestNanos - w.heardNanos() <= FRESH_NANOS;
    }

    /** True if a rank was heard lately, as far as any was. */
    boolean isFresh(int rank) {
        Word w = words.get(rank);
        return w != null && isFresh(w);
    }

    /** True if a rank that has not ended is not heard any more, though others are. */
    boolean someUnheard() {
        return words.values().stream().anyMatch(w -> w.state().present() && !isFresh(w));
    }

    /** True if a rank has said something of itself, but nothing since a time, by whoever listens. */
    boolean isUnheard(int rank, long sinceNanos) {
        Word w = words.get(rank);
        return w != null && w.heardNanos() < sinceNanos;
    }

    /** What each said last. */
    Collection<RankState> states() {
        return words.values().stream().map(Word::state).toList();
    }

    /** What a rank said last, null when nothing. */
    @Nullable
    RankState of(int rank) {
        Word w = words.get(rank);
        return w == null ? null : w.state();
    }

    void encode(SnapshotOut out) {
        WireWriter to = out.to();
        to.writeSigned(newestNanos).writeVarint(words.size());
        words.values().forEach(w -> {
            STATE.write(w.state(), to);
            to.writeSigned(w.heardNanos())
                    .writeSigned(w.sinceNanos())
                    .writeSigned(w.mostBegun())
                    .writeSigned(w.mostEnded())
                    .writeVarint(w.without());
            out.written();
        });
    }

    void decode(WireReader from) {
        newestNanos = from.readSigned();
        for (int n = from.readCount(16); n > 0; n--) {
            RankState s = STATE.read(from);
            ended += s.present() ? 0 : 1;
            words.put(
                    s.rank(),
                    new Word(
                            s,
                            from.readSigned(),
                            from.readSigned(),
                            from.readSigned(),
                            from.readSigned(),
                            from.readInt()));
        }
    }

    /** The clock of whoever listens went back while it did not: nothing was heard later than now. */
    void resume(long nowNanos) {
        if (newestNanos > nowNanos) {
            long back = newestNanos - nowNanos;
            newestNanos = nowNanos;
            words.replaceAll((rank, w) -> new Word(
                    w.state(), w.heardNanos() - back, w.sinceNanos(), w.mostBegun(), w.mostEnded(), w.without()));
        }
    }
}
