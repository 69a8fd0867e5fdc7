package dev.argus.stats;

import java.util.Arrays;

/**
 * Order statistics without sorting everything: Hoare's selection with the median of three as pivot (Find, Algorithm 65, 1961). O(n) in the mean; where the
 * pivots are bad for long the rest is sorted, so that no input costs more than O(n log n).
 */
final class Selection {
    /** Fewer values are sorted at once. */
    private static final int FEW = 32;

    private Selection() {}

    /**
     * The value that would stand at a place of the sorted array. Afterwards all before the place are at most that value and all behind it
     * at least.
     *
     * @param a values without NaN; is reordered
     * @param k place, 0..n-1
     */
    static double select(double[] a, int k) {
        int low = 0;
        int high = a.length - 1;
        int patience = 2 * (32 - Integer.numberOfLeadingZeros(a.length));
        while (high - low > FEW && patience-- > 0) {
            double pivot = median(a[low], a[(low + high) >>> 1], a[high]);
            int i = low;
            int j = high;
            while (i <= j) {
                while (a[i] < pivot) {
                    i++;
                }
                while (a[j] > pivot) {
                    j--;
                }
                if (i <= j) {
                    double t = a[i];
                    a[i++] = a[j];
                    a[j--] = t;
                }
            }
            if (k <= j) {
                high = j;
            } else if (k >= i) {
                low = i;
            } else {
                return a[k];
            }
        }
        if (high - low > FEW) {
            Arrays.sort(a, low, high + 1);
        } else {
            insert(a, low, high);
        }
        return a[k];
    }

    /**
     * The least value up to which half of all weight lies; NaN of none. O(n) in the mean: pivots are medians of three, drawn anew in each round.
     *
     * @param a values without NaN; are reordered
     * @param weights their weights; are reordered with them
     */
    static double weightedMedian(double[] a, double[] weights, int n) {
        if (n == 0) {
            return Double.NaN;
        }
        double half = sum(weights, 0, n) / 2;
        int low = 0;
        int high = n - 1;
        double before = 0;
        long draw = n;
        while (low < high) {
            draw = draw * 6364136223846793005L + 1442695040888963407L;
            int third = (int) ((draw >>> 33) % (high - low + 1));
            double pivot = median(a[low + third], a[(low + high) >>> 1], a[high]);
            int i = low;
            int j = high;
            while (i <= j) {
                while (a[i] < pivot) {
                    i++;
                }
                while (a[j] > pivot) {
                    j--;
                }
                if (i <= j) {
                    swap(weights, i, j);
                    swap(a, i++, j--);
                }
            }
            double left = before + sum(weights, low, j + 1);
            double through = left + sum(weights, j + 1, i);
            if (left >= half && j >= low) {
                high = j;
            } else if (through >= half && i > j + 1) {
                return pivot;
            } else if (i > high) {
                return a[high]; // what is missing is lost in rounding
            } else {
                before = through;
                low = i;
            }
        }
        return a[low];
    }

    private static double sum(double[] of, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += of[i];
        }
        return sum;
    }

    private static void swap(double[] a, int i, int j) {
        double t = a[i];
        a[i] = a[j];
        a[j] = t;
    }

    /** Sorts few values by insertion. */
    private static void insert(double[] a, int low, int high) {
        for (int i = low + 1; i <= high; i++) {
            double value = a[i];
            int at = i;
            while (at > low && a[at - 1] > value) {
                a[at] = a[at - 1];
                at--;
            }
            a[at] = value;
        }
    }

    /** The smallest value from a place on. */
    static double leastFrom(double[] a, int from) {
        double least = a[from];
        for (int i = from + 1; i < a.length; i++) {
            least = Math.min(least, a[i]);
        }
        return least;
    }

    private static double median(double a, double b, double c) {
        return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }
}
