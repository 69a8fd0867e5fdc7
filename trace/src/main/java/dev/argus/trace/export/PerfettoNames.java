package dev.argus.trace.export;

import dev.argus.model.NameTable;
import dev.argus.stats.LongOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The texts of a Perfetto trace that events name by number: an id stands for one text of one table for the whole file. Names of slices
 * get ids as they are first used, the frequent ones of a lane first, since the first 127 ids take one byte.
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
        for (int name : newNames(all, lane)) {
            iids[name] = nextIid++;
            intern(EVENT_NAMES, iids[name], names.name(name));
        }
        for (int i : lane) {
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

    /** Names without an id, the frequent ones first: the first 127 ids take one byte. */
    private int[] newNames(Slices all, int[] lane) {
        int[] uses = new int[16];
        int[] found = new int[16];
        int count = 0;
        for (int i : lane) {
            int name = all.name(i);
            if (name >= iids.length) {
                iids = Arrays.copyOf(iids, Math.max(name + 1, 2 * iids.length));
            }
            if (iids[name] > 0) {
                continue;
            }
            if (iids[name] == 0) {
                if (count == found.length) {
                    found = Arrays.copyOf(found, 2 * count);
                    uses = Arrays.copyOf(uses, 2 * count);
                }
                found[count++] = name;
                iids[name] = -count;
            }
            uses[-iids[name] - 1]++;
        }
        long[] keys = new long[count];
        for (int k = 0; k < count; k++) {
            keys[k] = -uses[k];
        }
        int[] order = LongOrder.ascending(keys, count);
        int[] sorted = new int[count];
        for (int k = 0; k < count; k++) {
            sorted[k] = found[order[k]];
        }
        return sorted;
    }

    private void text(String text) {
        if (!texts.containsKey(text)) {
            texts.put(text, texts.size() + 1);
            intern(ANNOTATION_TEXTS, texts.size(), text);
        }
    }
}
