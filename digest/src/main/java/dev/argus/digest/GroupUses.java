package dev.argus.digest;

import dev.argus.model.CollectiveCall;
import dev.argus.model.GroupUse;
import dev.argus.model.NameTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts which process groups a rank used and how. */
final class GroupUses {
    private static final String UNNAMED = "\0unnamed communicator ";

    private final Map<Integer, Integer> unnamedStreams = new HashMap<>();
    private final Map<Integer, GroupUse> uses = new LinkedHashMap<>();

    void add(@Nullable CollectiveCall call, int group) {
        if (group < 0) {
            return;
        }
        GroupUse one = call == null
                ? new GroupUse(group, -1, -1, 1, false)
                : new GroupUse(
                        group, call.members(), call.groupSize(), 1, call.op().isPointToPoint());
        uses.merge(
                group,
                one,
                (a, b) -> new GroupUse(
                        a.group(),
                        a.members() >= 0 ? a.members() : b.members(),
                        Math.max(a.size(), b.size()),
                        a.calls() + 1,
                        a.pointToPoint() || b.pointToPoint()));
    }

    /**
     * Group of collectives that do not say theirs: one a stream, numbered by first use, for stream numbers differ between ranks.
     *
     * @param stream stream or thread
     */
    int unnamed(int stream, NameTable names) {
        int number = unnamedStreams.computeIfAbsent(stream, k -> unnamedStreams.size());
        return names.id(UNNAMED + number);
    }

    /** True for the name of a group made up here. */
    static boolean isUnnamed(String name) {
        return name.startsWith(UNNAMED);
    }

    List<GroupUse> list() {
        return new ArrayList<>(uses.values());
    }
}
