package dev.argus.benchmarks.accuracy;

import dev.argus.model.Level;
import java.util.List;
import java.util.Map;

/**
 * What became of one scenario.
 *
 * @param cell scenario
 * @param layout its job, for people
 * @param score diagnosis against truth
 * @param baselines what each of {@link Baseline#ALL} made of it, in this order
 * @param delays steps until the costliest fault was named, by level; a level that never did is not in it
 * @param onsetSeen steps before the costliest fault were recorded, so that step times have something to stand out from
 */
public record Outcome(
        Cell cell,
        String layout,
        Score score,
        List<BaselineScore> baselines,
        Map<Level, Integer> delays,
        boolean onsetSeen) {}
