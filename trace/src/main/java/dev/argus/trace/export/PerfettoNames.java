package dev.argus.trace.export;

import dev.argus.model.NameTable;
import dev.argus.stats.LongOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The texts of a Perfetto trace that events name by number: an id stands for one text of one table for the whole file. Names of slices
 * that were announced get ids by their use, since the first 127 ids take one byte; the others as they come.
 */
final class PerfettoNames {
    /** Names of annotations. */
    static final int OP = 1;

    static final int GROUP = 2;
    static final int CALL = 3;
    static final int BYTES = 4;

    private static final int EVENT_NAMES = 2;
    private static final int ANNOTATION_NAMES = 3;
    private static final int ANNOTATION_TEXTS = 29;

    private final NameTable names;
    private final ProtoBuffer to;
    private final Map<String, Integer> texts = new HashMap<>();
    private int[] iids = new int[256];
    private int nextIid = 1;

    PerfettoNames(NameTable names, ProtoBuffer to) {
        this.names = names;
        this.to = to;
    }

    /** Writes the names of annotations into the open table. */
    void annotations() {
        intern(ANNOTATION_NAMES, OP, "op");
        intern(ANNOTATION_NAMES, GROUP, "group");
        intern(ANNOTATION_NAMES, CALL, "sequence");
        intern(ANNOTATION_NAMES, BYTES, "bytes");
    }

    /** Writes into the open table what a lane is the first to name. */
    void lane(Slices all, int[] lane) {
        for (int i : lane) {
            int name = all.name(i);
            room(name + 1);
            if (iids[name] == 0) {
                iids[name] = nextIid++;
                intern(EVENT_NAMES, iids[name], names.name(name));
            }
            SliceDetail detail = all.detail(i);
            if (detail != null) {
                text(detail.op());
                text(detail.group());
            }
        }
    }

    /** Id of a slice's name; its lane's names are written. */
    int name(int name) {
        return iids[name];
    }

    /** Id of a text of an annotation. */
    int textId(String text) {
        return texts.getOrDefault(text, 0);
    }

    private void intern(int table, long iid, String text) {
        int entry = to.open(table);
        to.number(1, iid);
        to.text(2, text);
        to.close(entry);
    }

    /**
     * Writes into the open table all names that have no id yet.
     *
     * @param uses how often each name will be used, by name id; 0 for not at all
     */
    void first(int[] uses) {
        room(uses.length);
        int count = 0;
        long[] keys = new long[uses.length];
        int[] found = new int[uses.length];
        for (int name = 0; name < uses.length; name++) {
            if (uses[name] > 0 && iids[name] == 0) {
                keys[count] = -uses[name];
                found[count++] = name;
            }
        }
        for (int k : LongOrder.ascending(keys, count)) {
            iids[found[k]] = nextIid++;
            intern(EVENT_NAMES, iids[found[k]], names.name(found[k]));
        }
    }

    private void room(int count) {
        if (count > iids.length) {
            iids = Arrays.copyOf(iids, Math.max(count, 2 * iids.length));
        }
    }

    private void text(String text) {
        if (!texts.containsKey(text)) {
            texts.put(text, texts.size() + 1);
            intern(ANNOTATION_TEXTS, texts.size(), text);
        }
    }
}
