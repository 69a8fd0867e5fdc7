package dev.argus.benchmarks.accuracy;

import dev.argus.model.Level;
import java.util.Map;

/**
 * What became of one scenario.
 *
 * @param cell scenario
 * @param layout its job, for people
 * @param score diagnosis against truth
 * @param delays steps until the costliest fault was named, by level; a level that never did is not in it
 */
public record Outcome(Cell cell, String layout, Score score, Map<Level, Integer> delays) {}
