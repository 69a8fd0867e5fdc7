package dev.argus.stats;

/** Orders positions by a {@code long} key without boxing. */
public final class LongOrder {
    private static final int INSERTION = 24;

    private LongOrder() {}

    /**
     * Positions 0..n-1 in ascending order of their key; equal keys keep their order (merge sort).
     *
     * <p>Cost O(n log n) time and 2n ints; O(n) when the keys are ascending already, as traces mostly are.
     */
    public static int[] ascending(long[] keys, int n) {
        int[] order = new int[n];
        boolean sorted = true;
        for (int i = 0; i < n; i++) {
            order[i] = i;
            sorted &= i == 0 || keys[i - 1] <= keys[i];
        }
        if (!sorted) {
            sort(keys, order.clone(), order, 0, n);
        }
        return order;
    }

    private static void sort(long[] keys, int[] from, int[] to, int low, int high) {
        if (high - low <= INSERTION) {
            insertion(keys, to, low, high);
            return;
        }
        int middle = (low + high) >>> 1;
        sort(keys, to, from, low, middle);
        sort(keys, to, from, middle, high);
        if (keys[from[middle - 1]] <= keys[from[middle]]) {
            System.arraycopy(from, low, to, low, high - low);
            return;
        }
        int left = low;
        int right = middle;
        for (int i = low; i < high; i++) {
            boolean takeLeft = right >= high || (left < middle && keys[from[left]] <= keys[from[right]]);
            to[i] = takeLeft ? from[left++] : from[right++];
        }
    }

    private static void insertion(long[] keys, int[] order, int low, int high) {
        for (int i = low + 1; i < high; i++) {
            int moved = order[i];
            int j = i - 1;
            while (j >= low && keys[order[j]] > keys[moved]) {
                order[j + 1] = order[j];
                j--;
            }
            order[j + 1] = moved;
        }
    }
}
