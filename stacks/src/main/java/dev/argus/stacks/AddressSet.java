package dev.argus.stacks;

import java.util.Arrays;

/** Addresses used of late, in order, each with where the current batch has it and when it was used last. Bounded; nothing is allocated once it has grown. */
final class AddressSet {
    private final int bound;
    private long[] addresses = new long[8];
    private int[] places = new int[8];
    private long[] ticks = new long[8];
    private int size;

    AddressSet(int bound) {
        this.bound = bound;
    }

    int size() {
        return size;
    }

    long address(int index) {
        return addresses[index];
    }

    int place(int index) {
        return places[index];
    }

    void place(int index, int place) {
        places[index] = place;
    }

    /** Its index, negative if it is not there. */
    int find(long address) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long there = addresses[middle];
            if (there == address) {
                return middle;
            }
            if (there < address) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /** Adds it, or marks it as used; false if there is no room. */
    boolean use(long address, long tick) {
        int index = find(address);
        if (index >= 0) {
            ticks[index] = tick;
            return true;
        }
        if (size == bound) {
            return false;
        }
        if (size == addresses.length) {
            int larger = Math.min(bound, size * 2);
            addresses = Arrays.copyOf(addresses, larger);
            places = Arrays.copyOf(places, larger);
            ticks = Arrays.copyOf(ticks, larger);
        }
        int at = -index - 1;
        System.arraycopy(addresses, at, addresses, at + 1, size - at);
        System.arraycopy(places, at, places, at + 1, size - at);
        System.arraycopy(ticks, at, ticks, at + 1, size - at);
        addresses[at] = address;
        places[at] = -1;
        ticks[at] = tick;
        size++;
        return true;
    }

    /** Marks all as used. */
    void useAll(long tick) {
        Arrays.fill(ticks, 0, size, tick);
    }

    /** Forgets what was not used since. */
    void expire(long sinceTick) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (ticks[i] >= sinceTick) {
                addresses[kept] = addresses[i];
                places[kept] = places[i];
                ticks[kept++] = ticks[i];
            }
        }
        size = kept;
    }

    void clear() {
        size = 0;
    }
}
