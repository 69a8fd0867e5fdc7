package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.PackedCollectives;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which collectives of the members of a group are one and the same: by sequence number, else by order. A collective is named by the number of its
 * list in the upper 32 bits and its position there in the lower.
 */
final class CollectiveInstances {
    /** In place of an instance about which the members disagree. */
    private static final long[] DISAGREED = {};

    /** What is done with an instance. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Takes an instance.
         *
         * @param members one a list, in their order; empty where the members disagree; used again for the next one
         */
        void visit(long[] members);
    }

    private final PackedCollectives[] lists;

    CollectiveInstances(PackedCollectives[] lists) {
        this.lists = lists;
    }

    private static long member(int list, int at) {
        return (long) list << 32 | at;
    }

    PackedCollectives list(long member) {
        return lists[(int) (member >>> 32)];
    }

    CollectiveOp op(long member) {
        return list(member).op((int) member);
    }

    long bytes(long member) {
        return list(member).bytes((int) member);
    }

    long durationNanos(long member) {
        return list(member).durationNanos((int) member);
    }

    long exposedNanos(long member) {
        return list(member).exposedNanos((int) member);
    }

    /** True if all members agree about operation and payload. */
    boolean alike(long[] members) {
        CollectiveOp op = op(members[0]);
        long bytes = bytes(members[0]);
        for (long m : members) {
            if (op(m) != op || bytes(m) != bytes) {
                return false;
            }
        }
        return true;
    }

    void forEach(Visitor visitor) {
        if (inOrder()) {
            inTurn(lists[0].size(), visitor);
        } else if (numbered()) {
            bySequence().forEach(visitor::visit);
        } else {
            byOrder(visitor);
        }
    }

    /** True if all members made the same collectives in the same order, numbered upwards: the usual case, which needs no search. */
    private boolean inOrder() {
        PackedCollectives first = lists[0];
        for (PackedCollectives list : lists) {
            if (list.size() != first.size()) {
                return false;
            }
        }
        for (int i = 0; i < first.size(); i++) {
            long sequence = first.sequence(i);
            CollectiveOp op = first.op(i);
            if (sequence < 0 || (i > 0 && sequence <= first.sequence(i - 1))) {
                return false;
            }
            for (PackedCollectives list : lists) {
                if (list.sequence(i) != sequence || list.op(i) != op) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean numbered() {
        for (PackedCollectives list : lists) {
            for (int i = 0; i < list.size(); i++) {
                if (list.sequence(i) < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The first so many of each list. */
    private void inTurn(int count, Visitor visitor) {
        long[] members = new long[lists.length];
        for (int i = 0; i < count; i++) {
            place(members, i);
            visitor.visit(members);
        }
    }

    private static void place(long[] members, int at) {
        for (int l = 0; l < members.length; l++) {
            members[l] = member(l, at);
        }
    }

    private List<long[]> bySequence() {
        Map<String, long[]> found = new TreeMap<>();
        for (int l = 0; l < lists.length; l++) {
            for (int i = 0; i < lists[l].size(); i++) {
                long[] fresh = {member(l, i)};
                found.merge(lists[l].sequence(i) + "/" + lists[l].op(i), fresh, CollectiveInstances::joined);
            }
        }
        List<long[]> instances = new ArrayList<>();
        found.values().forEach(m -> instances.add(m.length == lists.length ? m : DISAGREED));
        return instances;
    }

    private static long[] joined(long[] members, long[] one) {
        long[] all = Arrays.copyOf(members, members.length + 1);
        all[members.length] = one[0];
        return all;
    }

    private void byOrder(Visitor visitor) {
        int common = Integer.MAX_VALUE;
        int most = 0;
        for (PackedCollectives list : lists) {
            common = Math.min(common, list.size());
            most = Math.max(most, list.size());
        }
        if (common == most) {
            inTurn(common, visitor);
            return;
        }
        inTurn(common, members -> visitor.visit(alike(members) ? members : DISAGREED));
        for (int i = common; i < most; i++) {
            visitor.visit(DISAGREED);
        }
    }
}
