package dev.argus.ring;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The names of one writer: ids from 1, defined in the ring before their first use after each attach. Bounded. */
final class RingStrings {
    static final int MOST_NAMES = 1 << 16;
    static final long MOST_BYTES = 16 << 20;

    private final Map<String, Integer> ids = new HashMap<>();
    private byte[][] texts = new byte[64][];
    private int[] definedAt = new int[64];
    private int count;
    private long bytes;

    /** The id, or 0 when there is no room for another name. */
    int id(String text) {
        Integer known = ids.get(text);
        return known != null ? known : add(text);
    }

    private int add(String text) {
        byte[] encoded = RingText.bytes(text);
        if (count >= MOST_NAMES || bytes + encoded.length > MOST_BYTES) {
            return 0;
        }
        int id = ++count;
        if (id == texts.length) {
            texts = Arrays.copyOf(texts, 2 * id);
            definedAt = Arrays.copyOf(definedAt, 2 * id);
        }
        texts[id] = encoded;
        definedAt[id] = -1;
        bytes += encoded.length;
        ids.put(text, id);
        return id;
    }

    /**
     * Makes sure that the reader of this attach knows a name.
     *
     * @param id an id of this table, or 0
     * @return false when there was no room to define it
     */
    boolean defined(int id, int attach, RingSlots slots) {
        return id == 0 || definedAt[id] == attach || define(id, attach, slots);
    }

    /** Writes a definition, whether or not it is known. */
    boolean define(int id, int attach, RingSlots slots) {
        byte[] text = texts[id];
        int records = RingText.records(text.length);
        if (!slots.claim(records)) {
            return false;
        }
        slots.put(
                RingRecords.wide(RingRecords.STRING, 0, text.length, id),
                RingText.word(text, 0),
                RingText.word(text, 8),
                RingText.word(text, 16));
        for (int part = 1; part < records; part++) {
            int from = part * RingLayout.TEXT_PART;
            slots.put(
                    RingRecords.wide(RingRecords.STRING_MORE, 0, part, id),
                    RingText.word(text, from),
                    RingText.word(text, from + 8),
                    RingText.word(text, from + 16));
        }
        slots.publish();
        definedAt[id] = attach;
        return true;
    }
}
