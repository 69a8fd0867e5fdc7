package dev.argus.simulator;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Whose traces are missing. */
public enum Missing {
    /** Nobody's. */
    NONE,
    /** One rank's. */
    ONE,
    /** Those of about half of the ranks. */
    HALF,
    /** Those of the ranks at fault, as far as they are few. */
    CULPRIT;

    /** As written on a command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The ranks of a scenario. */
    public Set<Integer> ranks(Scenario scenario) {
        int world = scenario.layout().world();
        return switch (this) {
            case NONE -> Set.of();
            case ONE -> Set.of((int) Math.floorMod(scenario.seed(), (long) world));
            case HALF ->
                IntStream.range(0, world)
                        .filter(r -> Noise.unit(Noise.bits(scenario.seed(), r, 91, 0)) < 0.5)
                        .boxed()
                        .collect(Collectors.toUnmodifiableSet());
            case CULPRIT ->
                scenario.faults().stream()
                        .map(f -> f.ranks(scenario.layout()))
                        .filter(r -> r.length <= world / 4)
                        .flatMapToInt(IntStream::of)
                        .boxed()
                        .collect(Collectors.toUnmodifiableSet());
        };
    }
}
