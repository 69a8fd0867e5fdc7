package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.JobShape;
import dev.argus.model.PackedCollectives;
import dev.argus.model.RankSet;
import java.util.Arrays;

/** Matches what the ranks of one group sent to each other in one step: transfers between two ranks. */
final class PairMatching {
    /** Marks the number of a pair of ranks, apart from positions of groups. */
    private static final int PAIR = 0x4000_0000;

    private static final TransferSample.Spread ACROSS = new TransferSample.Spread(2, 1);
    private static final int[] NOBODY = {};

    private final JobShape shape;
    private final int attempt;
    private final long step;
    private final int[] ranks;
    private final PackedCollectives[] lists;
    private final Mover mover;
    private final SizeClasses classes;
    private final TransferSamples sizes;

    /**
     * @param ranks that have reported, ascending
     * @param lists their collectives
     * @param mover what moves their bytes
     * @param sizes used here, and empty afterwards
     */
    PairMatching(
            JobShape shape,
            int attempt,
            long step,
            int[] ranks,
            PackedCollectives[] lists,
            Mover mover,
            SizeClasses classes,
            TransferSamples sizes) {
        this.shape = shape;
        this.attempt = attempt;
        this.step = step;
        this.ranks = ranks;
        this.lists = lists;
        this.mover = mover;
        this.classes = classes;
        this.sizes = sizes;
    }

    /** The k-th send of a rank to another and the k-th receive there are one transfer; it lasts the shorter of both. */
    void emit(Out out) {
        for (int i = 0; i < ranks.length; i++) {
            for (int peer : peers(lists[i])) {
                int j = Arrays.binarySearch(ranks, peer);
                if (j >= 0) {
                    pair(i, j, out);
                }
            }
        }
    }

    /** The ranks to which something was sent, ascending. */
    private static int[] peers(PackedCollectives list) {
        int[] found = NOBODY;
        int n = 0;
        for (int i = 0; i < list.size(); i++) {
            if (list.op(i) == CollectiveOp.SEND && list.peer(i) >= 0) {
                int peer = list.peer(i);
                int at = 0;
                while (at < n && found[at] != peer) {
                    at++;
                }
                if (at == n) {
                    found = n == found.length ? Arrays.copyOf(found, Math.max(4, 2 * n)) : found;
                    found[n++] = peer;
                }
            }
        }
        int[] result = n == found.length ? found : Arrays.copyOf(found, n);
        Arrays.sort(result);
        return result;
    }

    private void pair(int i, int j, Out out) {
        PackedCollectives sent = lists[i];
        PackedCollectives received = lists[j];
        sizes.clear();
        int at = 0;
        for (int s = 0; s < sent.size(); s++) {
            if (sent.op(s) == CollectiveOp.SEND && sent.peer(s) == ranks[j]) {
                at = next(received, at, ranks[i]);
                if (at == received.size()) {
                    return; // more sends than receives
                }
                long shorter = Math.min(sent.durationNanos(s), received.durationNanos(at));
                long exposed = Math.max(sent.exposedNanos(s), received.exposedNanos(at));
                long bytes = sent.bytes(s);
                long of = classes.of(bytes);
                sizes.of(of).add(shorter, bytes, of, exposed);
                at++;
            }
        }
        if (next(received, at, ranks[i]) < received.size()) {
            return; // more receives than sends
        }
        RankSet both = RankSet.of(Math.min(ranks[i], ranks[j]), Math.max(ranks[i], ranks[j]));
        boolean across = !shape.onOneHost(ranks[i], ranks[j]);
        int number = number(ranks[i], ranks[j]);
        TransferSample.Spread lie = across ? ACROSS : new TransferSample.Spread(1, both.size());
        LinksUntold.Because untold = LinksUntold.because(mover, lie.hosts());
        if (untold != null) {
            out.emit(new LinksUntold(attempt, step, untold));
            return;
        }
        sizes.forEach((bytes, sample) ->
                out.emit(sample.partial(lie, attempt, number, both, step, CollectiveOp.SEND, bytes, true)));
    }

    /** A number for a direction between two ranks, 30 bits: up to 32,768 ranks all differ, beyond hardly ever two are alike. */
    private static int number(int from, int to) {
        long mixed = from < 1 << 15 && to < 1 << 15
                ? (long) from << 15 | to
                : (from * 0x9E3779B97F4A7C15L + to * 0xC2B2AE3D27D4EB4FL) >>> 34;
        return PAIR | (int) mixed;
    }

    /** The place of the next receive from a rank; the size of the list when there is none. */
    private static int next(PackedCollectives list, int from, int sender) {
        int at = from;
        while (at < list.size() && (list.op(at) != CollectiveOp.RECV || list.peer(at) != sender)) {
            at++;
        }
        return at;
    }
}
