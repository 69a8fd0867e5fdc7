package dev.argus.model;

/**
 * Something wrong with the data itself: counted, named, excluded. Missing is never healthy.
 *
 * @param kind kebab-case kind such as {@code missing-trace}, {@code cut-file}, {@code unreadable-file},
 *     {@code duplicate-rank}, {@code no-gpu-events}, {@code no-step-marks}, {@code rank-unknown}, {@code not-comparable}
 * @param ranks ranks concerned, empty when unknown
 * @param detail what was found, what was expected, what to do; may contain file names and is hostile
 */
public record DataProblem(String kind, RankSet ranks, String detail) {}
