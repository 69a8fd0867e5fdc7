package dev.argus.stats;

import java.util.Arrays;
import java.util.Random;

/** Made samples. */
final class Samples {
    private Samples() {}

    static BinnedSample binned(long... values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        BinnedSample sample = new BinnedSample();
        for (int i = 0; i < sorted.length; ) {
            int bin = LogBins.bin(sorted[i], BinnedSample.BITS);
            int from = i;
            while (i < sorted.length && LogBins.bin(sorted[i], BinnedSample.BITS) == bin) {
                i++;
            }
            sample.add(bin, i - from);
        }
        return sample;
    }

    static long[] logNormal(Random random, int n, double median, double sigma) {
        return random.doubles(n, 0, 1)
                .mapToLong(u -> Math.round(median * Math.exp(sigma * random.nextGaussian())))
                .toArray();
    }

    static long[] pareto(Random random, int n, double least, double alpha) {
        return random.doubles(n, 0, 1)
                .mapToLong(u -> Math.round(least * Math.pow(1 - u, -1 / alpha)))
                .toArray();
    }

    static long[] together(long[]... parts) {
        return Arrays.stream(parts).flatMapToLong(Arrays::stream).toArray();
    }

    static double[] ascending(long... values) {
        double[] sorted = Arrays.stream(values).asDoubleStream().toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
