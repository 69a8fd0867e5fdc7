package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.RankSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How far the members of one group came, put together from their flight records. */
final class HangGroup {
    /**
     * One member.
     *
     * @param enqueued last collective its CPU has called, or its GPU has come to where that is what keeps it; one less than the first of a group that begins with it, so -1 of one
     *     numbered from 0; {@link #UNKNOWN} when nothing tells
     * @param waitsIn last collective that is open here and may have begun: for it this member waits, -1 for none
     * @param completed last collective it saw complete, -1 when unknown
     * @param first lowest sequence in its ring, -1 when the ring has none of the group
     * @param collectives its collectives that are not complete, ascending
     * @param pairs its sends and receives that are not complete, ascending
     */
    record Progress(long enqueued, long waitsIn, long completed, long first, List<Call> collectives, List<Call> pairs) {
        /** No number of a collective. */
        static final long UNKNOWN = Long.MIN_VALUE;

        /** True if something tells how far its CPU or GPU came. */
        boolean told() {
            return enqueued != UNKNOWN;
        }
    }

    final String label;
    RankSet members;

    /** True if numbers of this group count sends and receives, which differ between members. */
    boolean pointToPoint;

    final Map<Integer, Progress> progress = new TreeMap<>();

    HangGroup(String label, RankSet members) {
        this.label = label;
        this.members = members;
    }

    /** Last collective that any member has called; -1 when none is known, or none of one numbered from 0 was called. */
    long furthest() {
        return progress.values().stream()
                .filter(Progress::told)
                .mapToLong(Progress::enqueued)
                .max()
                .orElse(-1);
    }

    /** Last collective that any member saw complete. */
    long completed() {
        return progress.values().stream().mapToLong(Progress::completed).max().orElse(-1);
    }

    /** From this number on the rings of all members that have calls in them hold their calls. */
    long firstCommon() {
        return progress.values().stream().mapToLong(Progress::first).max().orElse(-1);
    }

    /** A call with this number that is open at some member; null when no ring holds it. Of many open calls of a member some between two are not told: they are of an unknown operation. */
    @Nullable
    Call open(long sequence) {
        Call between = null;
        for (Progress p : progress.values()) {
            Call before = null;
            for (Call call : p.collectives()) {
                if (call.sequence() == sequence) {
                    return call;
                }
                if (call.sequence() > sequence && before != null && before.sequence() >= 0) {
                    between = new Call(
                            call.group(),
                            sequence,
                            CollectiveOp.UNKNOWN,
                            call.name(),
                            call.shape(),
                            call.peer(),
                            before.started(),
                            before.createdNanos());
                    break;
                }
                before = call.sequence() < sequence ? call : before;
            }
        }
        return between;
    }
}
