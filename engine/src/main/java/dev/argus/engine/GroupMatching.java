package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.JobShape;
import dev.argus.model.PackedCollectives;
import dev.argus.model.RankSet;
import org.jspecify.annotations.Nullable;

/** Matches the collectives of one group in one step, and splits their durations ({@link GroupWaits} says how). */
final class GroupMatching {
    /** Below this difference of durations nobody was late: it is how far apart the ends of one collective are. */
    private static final long SAME_ARRIVAL_NANOS = 20_000;

    private static final CollectiveOp[] OPS = CollectiveOp.values();

    private final JobShape shape;
    private final int attempt;
    private final int subject;
    private final long step;
    private final int[] ranks;
    private final PackedCollectives[] lists;

    /** Of each rank what is not between two ranks only. */
    private final CollectiveInstances collectives;

    private final RankSet group;
    private final Mover mover;
    private final TransferSample.Spread spread;
    private final SizeClasses classes;
    private final TransferSamples transfers = new TransferSamples();
    private final long[] suffered;
    private final long[] caused;
    private int instances;
    private int ambiguous;
    private WaitPairs.@Nullable Listener listener;

    GroupMatching(
            JobShape shape,
            int attempt,
            int subject,
            long step,
            GroupMembers members,
            RankSet group,
            TransferSample.Spread spread) {
        this.shape = shape;
        this.attempt = attempt;
        this.subject = subject;
        this.step = step;
        this.ranks = members.ranks();
        this.lists = new PackedCollectives[ranks.length];
        PackedCollectives[] ofAll = new PackedCollectives[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            lists[i] = members.of(ranks[i]);
            ofAll[i] = withoutPairs(lists[i], group.size() == 2);
        }
        this.collectives = new CollectiveInstances(ofAll);
        this.group = group;
        this.mover = members.mover();
        this.classes = new SizeClasses(
                subject < shape.groups().size() ? shape.groups().get(subject).dimension() : "");
        this.spread = spread;
        this.suffered = new long[ranks.length];
        this.caused = new long[ranks.length];
    }

    /** Also tells who waited for whom in each collective. */
    GroupMatching telling(WaitPairs.Listener to) {
        listener = to;
        return this;
    }

    /** @param two true in a group of two, where a kernel that sends or receives, it is not known which, can mean only one other rank */
    private static PackedCollectives withoutPairs(PackedCollectives list, boolean two) {
        int n = list.size();
        int pairs = 0;
        for (int i = 0; i < n; i++) {
            pairs += isPair(list.op(i), two) ? 1 : 0;
        }
        if (pairs == 0 || pairs == n) {
            return pairs == 0 ? list : PackedCollectives.EMPTY;
        }
        int[] left = new int[n - pairs];
        int at = 0;
        for (int i = 0; i < n; i++) {
            if (!isPair(list.op(i), two)) {
                left[at++] = i;
            }
        }
        return list.at(left);
    }

    private static boolean isPair(CollectiveOp op, boolean two) {
        return op.isPointToPoint() && !(two && op == CollectiveOp.SEND_RECV);
    }

    void emit(Out out) {
        new PairMatching(shape, attempt, step, ranks, lists, mover, classes, transfers).emit(out);
        transfers.clear();
        collectives.forEach(members -> {
            if (members.length == 0) {
                ambiguous++;
            } else {
                account(members);
            }
        });
        if (ambiguous > 0) {
            out.loss("ambiguous-collective");
        }
        out.emit(new WaitPartial(attempt, subject, step, ranks, suffered, caused, instances, ambiguous));
        boolean complete = ranks.length == group.size();
        LinksUntold.Because untold = complete ? LinksUntold.because(mover, spread.hosts()) : null;
        if (untold != null) {
            out.emit(new LinksUntold(attempt, step, untold));
            return;
        }
        transfers.forEach((kind, sample) -> out.emit(
                sample.partial(spread, attempt, subject, group, step, OPS[(int) (kind & 0xF)], kind >> 4, complete)));
    }

    private void account(long[] members) {
        CollectiveOp op = collectives.op(members[0]);
        boolean meeting = op == CollectiveOp.SEND_RECV && ranks.length == 2 && group.size() == 2;
        if (op == CollectiveOp.ALL_TO_ALL_V) {
            exchange(members);
            return;
        }
        if (!op.isBarrier() && !meeting) {
            return;
        }
        if (!collectives.alike(members)) {
            ambiguous++;
            return;
        }
        instances++;
        long shortest = Long.MAX_VALUE;
        long second = Long.MAX_VALUE;
        int last = -1;
        for (int i = 0; i < ranks.length; i++) {
            long d = collectives.durationNanos(members[i]);
            if (d < shortest) {
                second = shortest;
                shortest = d;
                last = i;
            } else {
                second = Math.min(second, d);
            }
        }
        long waited = 0;
        long exposed = 0;
        for (int i = 0; i < ranks.length; i++) {
            long uncovered = collectives.exposedNanos(members[i]);
            long wait = Math.min(collectives.durationNanos(members[i]) - shortest, uncovered);
            exposed = Math.max(exposed, uncovered);
            suffered[i] += wait;
            waited += wait;
        }
        if (second - shortest > SAME_ARRIVAL_NANOS) {
            caused[last] += waited;
        }
        if (listener != null) {
            tell(listener, members, shortest, second - shortest > SAME_ARRIVAL_NANOS ? ranks[last] : WaitPairs.NOBODY);
        }
        long bytes = collectives.bytes(members[0]);
        long of = classes.of(bytes);
        transfers.of(of << 4 | op.ordinal()).add(shortest, bytes, of, exposed);
    }

    private void tell(WaitPairs.Listener to, long[] members, long shortest, int late) {
        for (int i = 0; i < ranks.length; i++) {
            long wait =
                    Math.min(collectives.durationNanos(members[i]) - shortest, collectives.exposedNanos(members[i]));
            if (wait > 0) {
                to.waited(late, ranks[i], wait);
            }
        }
    }

    /**
     * Of an uneven exchange it is not known who was waited for, but nobody is done before all have sent to it: the shortest duration
     * is a transfer, and the largest payload is what it is long for.
     */
    private void exchange(long[] members) {
        long shortest = Long.MAX_VALUE;
        long bytes = 0;
        long exposed = 0;
        for (long m : members) {
            if (collectives.op(m) != CollectiveOp.ALL_TO_ALL_V || collectives.bytes(m) <= 0) {
                return;
            }
            shortest = Math.min(shortest, collectives.durationNanos(m));
            bytes = Math.max(bytes, collectives.bytes(m));
            exposed = Math.max(exposed, collectives.exposedNanos(m));
        }
        long of = TransferSample.octave(bytes);
        transfers.of(of << 4 | CollectiveOp.ALL_TO_ALL_V.ordinal()).add(shortest, bytes, of, exposed);
    }
}
