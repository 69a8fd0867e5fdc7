package dev.argus.benchmarks.accuracy;

import dev.argus.model.Level;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Outcomes added up. A share of nothing is NaN. */
public final class Results {
    private final List<Outcome> outcomes;

    /** Of some scenarios. */
    public Results(Collection<Outcome> outcomes) {
        this.outcomes = List.copyOf(outcomes);
    }

    /** Those of a set. */
    public Results of(JobSet set) {
        return where(o -> o.cell().set() == set);
    }

    /** Some of them. */
    public Results where(Predicate<Outcome> which) {
        return new Results(outcomes.stream().filter(which).toList());
    }

    /** All outcomes, in the order of the matrix. */
    public List<Outcome> outcomes() {
        return outcomes;
    }

    /** Number of jobs. */
    public int jobs() {
        return outcomes.size();
    }

    /** Every fault. */
    public List<FaultScore> faults() {
        return outcomes.stream().flatMap(o -> o.score().faults().stream()).toList();
    }

    /** Share of faults that are localised exactly. */
    public double exact() {
        return share(FaultScore::exact);
    }

    /** Share of faults that are named with the right kind. */
    public double kind() {
        return share(f -> f.hit() && f.kindRight());
    }

    /** Share of faults that are named with the right steps. */
    public double steps() {
        return share(f -> f.hit() && f.stepsRight());
    }

    private double share(Predicate<FaultScore> what) {
        List<FaultScore> all = faults();
        return all.isEmpty() ? Double.NaN : all.stream().filter(what).count() / (double) all.size();
    }

    /** What the faults named exactly are said to cost over what they cost, ascending, where a price was said. */
    public double[] prices() {
        return faults().stream()
                .mapToDouble(FaultScore::price)
                .filter(p -> !Double.isNaN(p))
                .sorted()
                .toArray();
    }

    /** Share of jobs in which the costliest fault comes first. */
    public double costliestFirst() {
        return jobs() == 0
                ? Double.NaN
                : outcomes.stream().filter(o -> o.score().costliestFirst()).count() / (double) jobs();
    }

    /** Alarms that name no fault. */
    public int falseAlarms() {
        return outcomes.stream().mapToInt(o -> o.score().falseAlarms().size()).sum();
    }

    /**
     * Median over jobs of the steps until a level names the costliest fault; {@link Delays#NEVER} where half never do. For L1, which compares
     * steps with those before, jobs count that were recorded before the fault.
     */
    public double medianDelay(Level level) {
        double[] delays = outcomes.stream()
                .filter(o -> level != Level.L1 || o.onsetSeen())
                .mapToDouble(o -> o.delays().getOrDefault(level, Delays.NEVER))
                .sorted()
                .toArray();
        return delays.length == 0 ? Double.NaN : delays[delays.length / 2];
    }

    /** Median steps until any level names the costliest fault. */
    public double medianDelay() {
        double[] delays = outcomes.stream()
                .mapToDouble(
                        o -> o.delays().values().stream().mapToInt(d -> d).min().orElse(Delays.NEVER))
                .sorted()
                .toArray();
        return delays.length == 0 ? Double.NaN : delays[delays.length / 2];
    }

    /** Share of the faults of somebody that a baseline names exactly. */
    double baselineExact(int baseline) {
        int faults = outcomes.stream()
                .mapToInt(o -> o.baselines().get(baseline).faults())
                .sum();
        int exact = outcomes.stream()
                .mapToInt(o -> o.baselines().get(baseline).exact())
                .sum();
        return faults == 0 ? Double.NaN : exact / (double) faults;
    }

    /** Jobs in which a baseline names an innocent. */
    int baselineFalseAlarms(int baseline) {
        return (int) outcomes.stream()
                .filter(o -> o.baselines().get(baseline).falseAlarm())
                .count();
    }

    /** Share of the faults of somebody that we name exactly: what the baselines are held against. */
    double somebodyExact() {
        List<FaultScore> all =
                faults().stream().filter(f -> f.truth().scope().equals("ranks")).toList();
        return all.isEmpty()
                ? Double.NaN
                : all.stream().filter(FaultScore::exact).count() / (double) all.size();
    }

    /** Jobs in which we raise a false alarm. */
    int jobsWithFalseAlarms() {
        return (int) outcomes.stream()
                .filter(o -> !o.score().falseAlarms().isEmpty())
                .count();
    }

    /** Everything that was said with a confidence. */
    public Calibration calibration() {
        return Calibration.of(
                outcomes.stream().flatMap(o -> o.score().findings().stream()).toList());
    }

    /** Jobs with something wrong about their diagnosis. */
    public List<Outcome> misses() {
        return outcomes.stream().filter(o -> !Misses.of(o).isEmpty()).toList();
    }

    static String times(double ratio) {
        return Double.isNaN(ratio) ? "-" : String.format(Locale.ROOT, "%.2f", ratio);
    }

    static String percent(double share) {
        return Double.isNaN(share) ? "-" : Math.round(1000 * share) / 10.0 + " %";
    }
}
