package dev.argus.stats;

/**
 * The places between n ordered events at which a knot may stand: counted from the nearer end, {@code bits} significant bits
 * below the leading one, so that the tails, where a single event matters, are resolved to the event and the middle to a share of n.
 *
 * <pre>
 * n = 40, bits = 2:  0 1 2 3 4 5 6 7 8 10 12 14 16 20 | 21 22 24 26 28 30 32 33 34 35 36 37 38 39 40
 *                    from below, up to n / 2            from above: n - 16 would be the mirror of 16, and so on
 * </pre>
 *
 * <p>Place 0 is position 0, the last place is position n; places ascend strictly. With {@code n < 2^(bits+2)} every position is a place.
 *
 * @param n number of events, &gt;= 1
 * @param bits significant bits below the leading one, 1..{@value #MOST_BITS}
 */
public record PositionGrid(long n, int bits) {
    /** Most bits: borders between events are then resolved to 1/4096 of the events below or above. */
    public static final int MOST_BITS = 12;

    /** Number of places less one. */
    public int last() {
        return lowerLast() + LogBins.bin(n - n / 2 - 1, bits) + 1;
    }

    /** Position of a place: so many events lie below it. */
    public long position(int place) {
        return place <= lowerLast() ? LogBins.low(place, bits) : n - LogBins.low(last() - place, bits);
    }

    /** The place nearest to a position, the lower one when two are as near. */
    public int nearest(double position) {
        double within = Math.max(0, Math.min((double) n, position));
        if (within >= n) {
            return last();
        }
        int low = floor((long) within);
        return within - position(low) <= position(low + 1) - within ? low : low + 1;
    }

    /** The places of another grid, moved to the same shares of n here; the same where the grids are the same. */
    public int[] carry(PositionGrid from, int[] places) {
        if (equals(from)) {
            return places.clone();
        }
        int[] result = new int[places.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = nearest((double) from.position(places[i]) / from.n() * n);
        }
        return result;
    }

    /** The highest place not above a position. */
    private int floor(long position) {
        if (position <= n / 2) {
            return LogBins.bin(position, bits);
        }
        long above = n - position;
        int bin = LogBins.bin(above, bits);
        return last() - bin - (LogBins.low(bin, bits) == above ? 0 : 1);
    }

    private int lowerLast() {
        return LogBins.bin(n / 2, bits);
    }
}
