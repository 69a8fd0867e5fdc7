package dev.argus.digest;

import dev.argus.model.CollectiveCall;
import dev.argus.model.GroupUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts which process groups a rank used and how. */
final class GroupUses {
    private final Map<Integer, GroupUse> uses = new LinkedHashMap<>();

    void add(@Nullable CollectiveCall call) {
        if (call == null || call.group() < 0) {
            return;
        }
        GroupUse one = new GroupUse(
                call.group(), call.members(), call.groupSize(), 1, call.op().isPointToPoint());
        uses.merge(
                call.group(),
                one,
                (a, b) -> new GroupUse(
                        a.group(),
                        a.members() >= 0 ? a.members() : b.members(),
                        Math.max(a.size(), b.size()),
                        a.calls() + 1,
                        a.pointToPoint() || b.pointToPoint()));
    }

    List<GroupUse> list() {
        return new ArrayList<>(uses.values());
    }
}
