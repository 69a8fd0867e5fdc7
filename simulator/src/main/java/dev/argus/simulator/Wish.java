package dev.argus.simulator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a drawn scenario; what is left open is drawn from the seed.
 *
 * <pre>{@code
 * Scenario s = Scenarios.draw(Wish.of(7, ScenarioKind.NIC).layout(layout).onset(25));
 * }</pre>
 */
public final class Wish {
    private static final int STEPS_BEFORE = 4;

    final long seed;
    final List<ScenarioKind> kinds;
    Severity severity = Severity.STRONG;
    int maxRanks = Scenarios.MAX_WORLD;

    @Nullable
    Layout layout;

    @Nullable
    NoiseLevel noise;

    @Nullable
    Dialect dialect;

    Damage damage = Damage.NONE;
    int firstStep = -1;
    int stepCount;
    int onset = -1;
    int duration;
    int rank = -1;
    double factor;
    long pauseNanos;

    private Wish(long seed, List<ScenarioKind> kinds) {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("no kind is given, must be one or more");
        }
        this.seed = seed;
        this.kinds = List.copyOf(kinds);
    }

    /** Several kinds hold at once; the first decides how the job is drawn. */
    public static Wish of(long seed, ScenarioKind... kinds) {
        return new Wish(seed, List.of(kinds));
    }

    /** How much each fault costs. */
    public Wish severity(Severity wanted) {
        this.severity = wanted;
        return this;
    }

    /** Ranks of a drawn layout, at most. */
    public Wish maxRanks(int ranks) {
        this.maxRanks = ranks;
        return this;
    }

    /** The layout itself. */
    public Wish layout(Layout wanted) {
        this.layout = wanted;
        return this;
    }

    /** How noisy the machines are. */
    public Wish noise(NoiseLevel wanted) {
        this.noise = wanted;
        return this;
    }

    /** How it is written down. */
    public Wish dialect(Dialect wanted) {
        this.dialect = wanted;
        return this;
    }

    /** What is wrong with the record. */
    public Wish damage(Damage wanted) {
        this.damage = wanted;
        return this;
    }

    /** First recorded step. */
    public Wish firstStep(int step) {
        this.firstStep = step;
        return this;
    }

    /** Recorded steps. */
    public Wish stepCount(int count) {
        this.stepCount = count;
        return this;
    }

    /** First step of the fault. */
    public Wish onset(int step) {
        this.onset = step;
        return this;
    }

    /** Steps of the fault, from its first to its last. */
    public Wish duration(int steps) {
        this.duration = steps;
        return this;
    }

    /** Whose fault it is; of a fault of a host: on which. */
    public Wish rank(int wanted) {
        this.rank = wanted;
        return this;
    }

    /** How much longer things take, instead of a severity: 1.3 for 30 %. */
    public Wish factor(double wanted) {
        this.factor = wanted;
        return this;
    }

    /** Length of a pause, instead of a severity. */
    public Wish pauseNanos(long wanted) {
        this.pauseNanos = wanted;
        return this;
    }

    /** The seed. */
    public long seed() {
        return seed;
    }

    ScenarioKind first() {
        return kinds.getFirst();
    }

    /** The first recorded step; enough before a given onset to know how it was. */
    int first(int drawn) {
        if (firstStep >= 0) {
            return firstStep;
        }
        return onset >= 0 ? Math.max(0, onset - STEPS_BEFORE) : drawn;
    }

    /** The last recorded step; not before a given fault ends. */
    int last(int first, int drawn) {
        return stepCount > 0 ? first + stepCount - 1 : Math.max(drawn, onset + Math.max(1, duration) - 1);
    }

    boolean strengthGiven() {
        return factor > 0 || pauseNanos > 0;
    }

    String name() {
        String words = String.join(" + ", kinds.stream().map(ScenarioKind::word).toList());
        boolean plain =
                severity == Severity.STRONG || strengthGiven() || kinds.stream().noneMatch(ScenarioKind::faulty);
        return plain ? words : words + " (" + severity.word() + ")";
    }
}
