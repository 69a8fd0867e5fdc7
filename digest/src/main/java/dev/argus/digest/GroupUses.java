package dev.argus.digest;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CommunicatorTrail;
import dev.argus.model.GroupUse;
import dev.argus.model.NameTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts which process groups a rank used and how, and when the calls ended of those that have no name. */
final class GroupUses {
    private static final String UNNAMED = "\0unnamed communicator ";

    private final Map<Integer, Integer> unnamedStreams = new HashMap<>();
    private final Map<Integer, GroupUse> uses = new LinkedHashMap<>();
    private final Set<Integer> unnamed = new HashSet<>();
    private final Set<Integer> meeting = new HashSet<>();
    private final Map<Integer, Calls> calls = new HashMap<>();
    private final Map<Integer, List<CommunicatorTrail.Step>> trails = new LinkedHashMap<>();

    /** Calls of one unnamed communicator in the step being read. */
    private static final class Calls {
        long[] ends = new long[16];
        int count;
        int operations;

        void add(CollectiveOp op, long end) {
            ends = count == ends.length ? Arrays.copyOf(ends, 2 * count) : ends;
            ends[count++] = end;
            operations = 31 * operations + op.ordinal() + 1;
        }

        CommunicatorTrail.Step of(long step) {
            int n = Math.min(CommunicatorTrail.MOST_CALLS, count);
            long[] kept = new long[n];
            for (int i = 0; i < n; i++) {
                kept[i] = ends[(int) ((i + 1L) * count / n) - 1];
            }
            return new CommunicatorTrail.Step(step, count, operations, kept);
        }
    }

    /**
     * Counts a call.
     *
     * @param call what it says of itself
     * @param group name id of its group, stated or made up
     * @param op operation, from the call or the kernel's name
     * @param end its end, nanoseconds since the epoch
     */
    void add(@Nullable CollectiveCall call, int group, CollectiveOp op, long end) {
        if (group < 0) {
            return;
        }
        if (unnamed.contains(group)) {
            calls.computeIfAbsent(group, g -> new Calls()).add(op, end);
            if (!op.isPointToPoint()) {
                meeting.add(group);
            }
        }
        GroupUse one = call == null
                ? new GroupUse(group, -1, -1, 1, op.isPointToPoint())
                : new GroupUse(group, call.members(), call.groupSize(), 1, op.isPointToPoint());
        uses.merge(group, one, GroupUses::both);
    }

    /** Uses of the same group together. */
    static GroupUse both(GroupUse a, GroupUse b) {
        return new GroupUse(
                a.group(),
                a.members() >= 0 ? a.members() : b.members(),
                Math.max(a.size(), b.size()),
                a.calls() + b.calls(),
                a.pointToPoint() || b.pointToPoint());
    }

    /**
     * Group of collectives that do not say theirs: one a stream, numbered by first use, for stream numbers differ between ranks.
     *
     * @param stream stream or thread
     */
    int unnamed(int stream, NameTable names) {
        int group = unnamedStreams.computeIfAbsent(stream, k -> names.id(UNNAMED + unnamedStreams.size()));
        unnamed.add(group);
        return group;
    }

    /** Ends a step: what its unnamed communicators did is kept. */
    void endStep(long step) {
        calls.forEach((group, c) -> {
            List<CommunicatorTrail.Step> steps = trails.computeIfAbsent(group, g -> new ArrayList<>());
            if (steps.size() < CommunicatorTrail.MOST_STEPS) {
                steps.add(c.of(step));
            }
        });
        calls.clear();
    }

    /** What is known of the communicators that do not say who they are. */
    List<CommunicatorTrail> trails() {
        List<CommunicatorTrail> list = new ArrayList<>();
        trails.forEach(
                (group, steps) -> list.add(new CommunicatorTrail(group, !meeting.contains(group), List.copyOf(steps))));
        return list;
    }

    /** True for the name of a group made up here. */
    static boolean isUnnamed(String name) {
        return name.startsWith(UNNAMED);
    }

    List<GroupUse> list() {
        return new ArrayList<>(uses.values());
    }
}
