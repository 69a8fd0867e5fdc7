package dev.argus.digest;

import java.util.Arrays;

/** Sorted correlations in an array. They count up, and kernels mostly run in the order of their launches: so they are mostly sorted already, and the next one asked for is mostly the next one there. */
final class Correlations {
    private Correlations() {}

    /** Sorts the first so many, which costs one look where they are sorted. */
    static void sort(long[] values, int n) {
        for (int i = 1; i < n; i++) {
            if (values[i] < values[i - 1]) {
                Arrays.sort(values, 0, n);
                return;
            }
        }
    }

    /**
     * Where one is among the first so many, negative if it is not there.
     *
     * @param guess where it is looked for first, at least 0
     */
    static int find(long[] sorted, int n, long wanted, int guess) {
        return guess < n && sorted[guess] == wanted ? guess : Arrays.binarySearch(sorted, 0, n, wanted);
    }
}
