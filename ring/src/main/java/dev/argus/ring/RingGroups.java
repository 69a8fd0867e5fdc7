package dev.argus.ring;

import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.RankText;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The groups of ranks that one ring defines, by their ids in the ring. Bounded. */
final class RingGroups {
    private static final int MOST_GROUPS = 1 << 14;
    private static final String[] DIMENSIONS = {"", "MESH_TP", "MESH_DP", "MESH_PP", "MESH_EP", "MESH_CP"};

    private final NameTable names;
    private final RingIdentity identity;
    private final Map<Integer, Group> groups = new HashMap<>();

    /**
     * One group.
     *
     * @param name name id, or -1
     * @param size members, or -1
     */
    record Group(int name, int size) {}

    RingGroups(NameTable names, RingIdentity identity) {
        this.names = names;
        this.identity = identity;
    }

    @Nullable
    Group of(int id) {
        return groups.get(id);
    }

    void add(int dimension, int id, int name, int description, int members, int size) {
        if (groups.size() >= MOST_GROUPS && !groups.containsKey(id)) {
            return;
        }
        RankSet ranks = members == RingConsumer.NONE ? null : RankText.parse(RingEvents.text(names, members));
        int stated = size > 0 ? size : ranks == null ? -1 : ranks.size();
        groups.put(id, new Group(name, stated));
        boolean said = dimension > 0 && dimension < DIMENSIONS.length;
        identity.group(new ProcessGroup(
                RingEvents.text(names, name),
                said ? DIMENSIONS[dimension] : RingEvents.text(names, description),
                stated,
                ranks == null ? RankSet.EMPTY : ranks,
                ranks != null && ranks.size() == stated));
    }
}
