package dev.argus.model;

/**
 * A parallel group: a dimension (or a combination of dimensions) and its set of ranks.
 *
 * @param dimension lower-case name such as {@code tp}, {@code pp}, {@code dp}, {@code ep}, {@code cp}, {@code world}
 * @param ranks members
 */
public record ParallelGroup(String dimension, RankSet ranks) {}
