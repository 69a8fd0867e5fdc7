package dev.argus.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job to simulate: who runs where, what is trained, what is wrong with it, how noisy it is. Immutable; the seed fixes all
 * randomness.
 *
 * <pre>{@code
 * Scenario s = Scenario.builder(layout, model).seed(7).steps(20, 29)
 *     .fault(new Fault.SlowClock(new int[] {3}, 1.3, false, When.always(24, 29)))
 *     .build();
 * }</pre>
 */
public final class Scenario {
    private final String name;
    private final long seed;
    private final Layout layout;
    private final JobModel model;
    private final NoiseLevel noise;
    private final int firstStep;
    private final int lastStep;
    private final List<Fault> faults;
    private final List<Disturbance> disturbances;
    private final Dialect dialect;
    private final Damage damage;
    private final long startNanos;
    private final List<Influence> influences;

    private Scenario(Builder b) {
        this.name = b.name;
        this.seed = b.seed;
        this.layout = b.layout;
        this.model = b.model;
        this.noise = b.noise;
        this.firstStep = b.firstStep;
        this.lastStep = b.lastStep;
        this.faults = List.copyOf(b.faults);
        this.disturbances = List.copyOf(b.disturbances);
        this.dialect = b.dialect;
        this.damage = b.damage;
        this.startNanos = b.startNanos;
        this.influences =
                Stream.<Influence>concat(faults.stream(), disturbances.stream()).toList();
        int stages = layout.size(Layout.Dimension.PP) * model.chunks();
        if (model.layersPerChunk().length != stages) {
            throw new IllegalArgumentException("layersPerChunk has " + model.layersPerChunk().length
                    + " entries, must have one per virtual stage, " + stages);
        }
    }

    /** Starts a scenario of ten quiet steps. */
    public static Builder builder(Layout layout, JobModel model) {
        return new Builder(layout, model);
    }

    /** Name, for people. */
    public String name() {
        return name;
    }

    /** Seed. */
    public long seed() {
        return seed;
    }

    /** Who runs where. */
    public Layout layout() {
        return layout;
    }

    /** What is trained. */
    public JobModel model() {
        return model;
    }

    /** How noisy it is. */
    public NoiseLevel noise() {
        return noise;
    }

    /** First recorded step. */
    public int firstStep() {
        return firstStep;
    }

    /** Last recorded step. */
    public int lastStep() {
        return lastStep;
    }

    /** The number that a reader gives a step: its own, or counted from 0 where nothing in the record numbers it. */
    int shownStep(int step) {
        return dialect.stepMarks() ? step : step - firstStep;
    }

    /** Number of recorded steps. */
    public int stepCount() {
        return lastStep - firstStep + 1;
    }

    /** What is wrong. */
    public List<Fault> faults() {
        return faults;
    }

    /** What only looks wrong. */
    public List<Disturbance> disturbances() {
        return disturbances;
    }

    /** How it is written down. */
    public Dialect dialect() {
        return dialect;
    }

    /** What is wrong with the record. */
    public Damage damage() {
        return damage;
    }

    /** Time between the first attempt's begin and this one's. */
    long startNanos() {
        return startNanos;
    }

    List<Influence> influences() {
        return influences;
    }

    /** The same with other faults. */
    public Scenario withFaults(List<Fault> others) {
        Builder b = copy(model);
        b.faults.addAll(others);
        return b.build();
    }

    /** All of it but the faults. */
    private Builder copy(JobModel other) {
        Builder b = new Builder(layout, other);
        b.name = name;
        b.seed = seed;
        b.noise = noise;
        b.firstStep = firstStep;
        b.lastStep = lastStep;
        b.disturbances.addAll(disturbances);
        b.dialect = dialect;
        b.damage = damage;
        b.startNanos = startNanos;
        return b;
    }

    /** The same, recorded in other steps. */
    Scenario withSteps(int first, int last) {
        Builder b = copy(model).steps(first, last);
        b.faults.addAll(faults);
        return b.build();
    }

    /** The same, badly recorded. */
    public Scenario withDamage(Damage other) {
        Builder b = copy(model);
        b.faults.addAll(faults);
        b.damage = other;
        return b.build();
    }

    /** The same with something that only looks wrong. */
    public Scenario with(Disturbance disturbance) {
        return with(Optional.of(disturbance));
    }

    /** The same with something that only looks wrong, if there is any. */
    Scenario with(Optional<Disturbance> disturbance) {
        Builder b = copy(model);
        b.faults.addAll(faults);
        disturbance.ifPresent(b.disturbances::add);
        return b.build();
    }

    /** The same with another model. */
    Scenario withModel(JobModel other) {
        Builder b = copy(other);
        b.faults.addAll(faults);
        return b.build();
    }

    /** The same without one fault: what would have been. */
    public Scenario without(Fault fault) {
        List<Fault> rest = new ArrayList<>(faults);
        rest.remove(fault);
        return withFaults(rest);
    }

    /** Collects what a scenario is made of. */
    public static final class Builder {
        private final Layout layout;
        private final JobModel model;
        private final List<Fault> faults = new ArrayList<>();
        private final List<Disturbance> disturbances = new ArrayList<>();
        private @Nullable String given;
        private String name = "simulated";
        private long seed = 1;
        private NoiseLevel noise = NoiseLevel.USUAL;
        private int firstStep = 20;
        private int lastStep = 29;
        private Dialect dialect = Dialect.PLAIN;
        private Damage damage = Damage.NONE;
        private long startNanos;

        private Builder(Layout layout, JobModel model) {
            this.layout = layout;
            this.model = model;
        }

        /** Name, for people. */
        public Builder name(String text) {
            this.given = text;
            return this;
        }

        /** Seed. */
        public Builder seed(long value) {
            this.seed = value;
            return this;
        }

        /** Recorded steps. */
        public Builder steps(int first, int last) {
            this.firstStep = first;
            this.lastStep = last;
            return this;
        }

        /** Noise. */
        public Builder noise(NoiseLevel level) {
            this.noise = level;
            return this;
        }

        /** Adds a fault. */
        public Builder fault(Fault fault) {
            faults.add(fault);
            return this;
        }

        /** Adds a disturbance. */
        public Builder disturbance(Disturbance disturbance) {
            disturbances.add(disturbance);
            return this;
        }

        /** How it is written down. */
        public Builder dialect(Dialect how) {
            this.dialect = how;
            return this;
        }

        Builder damage(Damage wanted) {
            this.damage = wanted;
            return this;
        }

        Builder startNanos(long nanos) {
            this.startNanos = nanos;
            return this;
        }

        /** The scenario. */
        public Scenario build() {
            this.name = Objects.requireNonNullElse(given, name);
            return new Scenario(this);
        }
    }
}
