package dev.argus.ring;

import java.util.ArrayList;
import java.util.List;

/** What records of one writer refer to: names, groups, and who the process is; each defined again for every reader that attaches. Bounded. */
final class RingDefinitions {
    private static final int MOST_IDENTITY = 256;
    private static final int MOST_GROUPS = 1 << 14;

    private final RingSlots slots;
    private final RingStrings strings = new RingStrings();
    private final List<long[]> identity = new ArrayList<>();
    private final List<int[]> groups = new ArrayList<>();
    private int attach;

    RingDefinitions(RingSlots slots) {
        this.slots = slots;
    }

    int name(String text) {
        int id = strings.id(text);
        if (id == 0) {
            slots.count(LossReason.NAME_TABLE_FULL, 1);
        }
        return id;
    }

    boolean define(int name) {
        return strings.define(name, attach, slots);
    }

    /** Makes sure that the reader knows a name; else the record that needs it is lost. */
    boolean known(int name, long start, long end) {
        if (strings.defined(name, attach, slots)) {
            return true;
        }
        slots.lose(LossReason.RING_FULL, start, end, 1);
        return false;
    }

    /** Remembers a fact for every later attach. */
    void identity(int key, int string, long value) {
        if (identity.size() < MOST_IDENTITY) {
            identity.add(new long[] {key, string, value});
        }
    }

    boolean writeIdentity(int key, int string, long value) {
        if (!known(string, 0, 0) || !slots.claimOrLose(1, 0, 0)) {
            return false;
        }
        slots.put(RingRecords.head(RingRecords.IDENTITY, key, 0, 0, string), value, 0, 0);
        slots.publish();
        return true;
    }

    /** Id of a new group, 0 when there are too many. */
    int group(int dimension, int name, int description, int members, int size) {
        if (groups.size() == MOST_GROUPS) {
            slots.count(LossReason.NAME_TABLE_FULL, 1);
            return 0;
        }
        groups.add(new int[] {-1, dimension, name, description, members, size});
        return groups.size();
    }

    /** Makes sure that the reader knows a group; else the record that needs it is lost. */
    boolean groupKnown(int id, long start, long end) {
        if (id < 1 || id > groups.size()) {
            return true;
        }
        int[] group = groups.get(id - 1);
        if (group[0] == attach) {
            return true;
        }
        if (!known(group[2], start, end)
                || !known(group[3], start, end)
                || !known(group[4], start, end)
                || !slots.claimOrLose(1, start, end)) {
            return false;
        }
        slots.put(
                RingRecords.head(RingRecords.GROUP, group[1], 0, 0, id),
                RingRecords.pair(group[2], group[3]),
                RingRecords.pair(group[4], group[5]),
                0);
        slots.publish();
        group[0] = attach;
        return true;
    }

    /** A reader has begun: it is told who the process is now, and the rest when it is next used. */
    void attach(int number) {
        attach = number;
        identity.forEach(i -> writeIdentity((int) i[0], (int) i[1], i[2]));
    }
}
