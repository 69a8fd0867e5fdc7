package dev.argus.trace.export;

import dev.argus.model.NameTable;
import dev.argus.stats.LongOrder;
import dev.argus.wire.ProtoBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The texts of a Perfetto trace that events name by number: an id stands for one text of one table until all is forgotten. Names of slices
 * that were announced get ids by their use, since the first 127 ids take one byte; the others as they come.
 */
final class PerfettoNames {
    /** Names of annotations. */
    static final int OP = 1;

    static final int GROUP = 2;
    static final int CALL = 3;
    static final int BYTES = 4;

    /** What forgetting takes in itself: two packets. */
    private static final int FORGETTING = 80;

    /** Names of kernels are packed to a quarter; what else is in an entry, to some bytes. */
    private static final int PACKED = 4;

    private static final int PACKED_ENTRY = 3;

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

    /** True if {@link #lane} has something to write. */
    boolean isFirst(Slices all, int[] lane) {
        for (int i : lane) {
            int name = all.name(i);
            SliceDetail detail = all.detail(i);
            if (name >= iids.length
                    || iids[name] == 0
                    || (detail != null && !(texts.containsKey(detail.op()) && texts.containsKey(detail.group())))) {
                return true;
            }
        }
        return false;
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
        to.text(2, text); // first: lengths of entry and text beside one another are deflated better
        to.number(1, iid);
        to.close(entry);
    }

    /**
     * Writes into the open table all names that have no id yet: among those whose ids are equally long by their text, since names
     * that begin alike are packed well beside one another.
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
        int[] order = LongOrder.ascending(keys, count);
        int from = 0;
        while (from < count) {
            int to = (int) Math.min(count, from + sameLength(nextIid));
            List<Integer> alike = new ArrayList<>();
            for (int k = from; k < to; k++) {
                alike.add(found[order[k]]);
            }
            alike.sort(Comparator.comparing(names::name));
            for (int name : alike) {
                iids[name] = nextIid++;
                intern(EVENT_NAMES, iids[name], names.name(name));
            }
            from = to;
        }
    }

    /** Forgets all ids, as readers do when they are told that what was interned is void. */
    void forget() {
        Arrays.fill(iids, 0);
        texts.clear();
        nextIid = 1;
    }

    /**
     * True if slices of these uses take fewer bytes, tables included, where all names begin anew: the short ids went to names that
     * these slices do not use, and not many are written twice.
     *
     * @param uses as in {@link #first}
     */
    boolean paysToForget(int[] uses) {
        room(uses.length);
        long[] anew = new long[uses.length];
        long[] more = new long[uses.length];
        int all = 0;
        int fresh = 0;
        long now = 0;
        long then = FORGETTING;
        for (int name = 0; name < uses.length; name++) {
            if (uses[name] > 0) {
                anew[all++] = -uses[name];
                if (iids[name] == 0) {
                    more[fresh++] = -uses[name];
                } else {
                    now += (long) uses[name] * idLength(iids[name]);
                    then += packed(names.name(name));
                }
            }
        }
        for (String text : texts.keySet()) {
            then += packed(text);
        }
        return then + length(anew, all, 1) < now + length(more, fresh, nextIid);
    }

    /** About what a name takes in a table. */
    private static int packed(String name) {
        return PACKED_ENTRY + name.length() / PACKED;
    }

    /** Bytes of the ids in all slices, where those used most come first. */
    private static long length(long[] negativeUses, int count, int firstId) {
        Arrays.sort(negativeUses, 0, count);
        long length = 0;
        for (int i = 0; i < count; i++) {
            length -= negativeUses[i] * idLength(firstId + i);
        }
        return length;
    }

    private static int idLength(int iid) {
        return (38 - Integer.numberOfLeadingZeros(iid)) / 7;
    }

    /** How many ids from this one on take as many bytes as it does. */
    private static long sameLength(int iid) {
        long end = 1L << 7;
        while (iid >= end) {
            end <<= 7;
        }
        return end - iid;
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
