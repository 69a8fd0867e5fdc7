package dev.argus.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.model.NameTable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;

/**
 * Names of one ring by their ids in the file, as ids of the agent's table. A definition that is known already costs one hash of its bytes. Bounded:
 * by the largest id, and by what this ring may add to the agent's table; what goes beyond is counted and has the unknown name.
 */
final class RingNames {
    /** Largest id believed; an array of so many entries may grow. */
    static final int MOST_ID = 1 << 20;

    private static final int UNDEFINED = -1;

    private final NameTable names;
    private final int unknown;
    private final int mostNames;
    private final long mostBytes;
    private int[] ids = new int[256];
    private long[] hashes = new long[256];
    private int added;
    private long addedBytes;
    private long refused;
    private long malformed;
    private long undefined;

    RingNames(NameTable names, String unknown, int mostNames, long mostBytes) {
        this.names = names;
        this.unknown = names.id(unknown);
        this.mostNames = mostNames;
        this.mostBytes = mostBytes;
        Arrays.fill(ids, UNDEFINED);
    }

    /** The name of a record, the unknown one included. */
    int of(int id) {
        int[] table = ids;
        int known = id >= 0 && id < table.length ? table[id] : UNDEFINED;
        return known >= 0 ? known : missing();
    }

    private int missing() {
        undefined++;
        return unknown;
    }

    /** The same, for a field that may have none. */
    int orNone(int id) {
        return id == 0 ? RingConsumer.NONE : of(id);
    }

    /** Takes a definition. */
    void define(int id, byte[] text, int length) {
        if (id <= 0 || id > MOST_ID) {
            refused++;
            return;
        }
        if (id >= ids.length) {
            int before = ids.length;
            int size = Math.min(MOST_ID + 1, Math.max(id + 1, 2 * before));
            ids = Arrays.copyOf(ids, size);
            hashes = Arrays.copyOf(hashes, size);
            Arrays.fill(ids, before, size, UNDEFINED);
        }
        long hash = RingText.hash(text, length);
        if (ids[id] != UNDEFINED && hashes[id] == hash) {
            return;
        }
        if (added >= mostNames || addedBytes + length > mostBytes) {
            refused++;
            ids[id] = unknown;
            hashes[id] = hash;
            return;
        }
        int before = names.size();
        ids[id] = names.id(decode(text, length));
        hashes[id] = hash;
        if (names.size() > before) {
            added++;
            addedBytes += length;
        }
    }

    private String decode(byte[] text, int length) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(text, 0, length)).toString();
        } catch (CharacterCodingException e) {
            malformed++;
            return new String(text, 0, length, UTF_8);
        }
    }

    int unknown() {
        return unknown;
    }

    /** Definitions beyond the bounds. */
    long refused() {
        return refused;
    }

    /** Texts that were not UTF-8; what is wrong in them was replaced. */
    long malformed() {
        return malformed;
    }

    /** Uses of names that were never defined. */
    long undefined() {
        return undefined;
    }
}
