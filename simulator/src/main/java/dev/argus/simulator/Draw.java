package dev.argus.simulator;

import java.util.List;
import java.util.Random;

/** Draws from a seeded source. */
final class Draw {
    private final Random random;

    Draw(long seed) {
        this.random = new Random(seed * 0x5DEECE66DL + 77);
        random.nextLong();
    }

    long seed() {
        return random.nextLong() >>> 1;
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    double between(double low, double high) {
        return low + (high - low) * random.nextDouble();
    }

    /** Between two positive numbers, every octave alike. */
    double scale(double low, double high) {
        return low * Math.pow(high / low, random.nextDouble());
    }

    int between(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    int of(int... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
