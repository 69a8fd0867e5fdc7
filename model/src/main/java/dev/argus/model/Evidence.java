package dev.argus.model;

/**
 * One row of proof.
 *
 * @param what what was measured, in words; may contain names from traces and is hostile
 * @param value measured value in {@code unit}
 * @param unit unit of value and threshold: {@code x} for a ratio, {@code ms}, {@code %}, {@code 1}
 * @param reference what the value is compared with, in words
 * @param threshold value from which on the row speaks for the finding; NaN when there is none
 */
public record Evidence(String what, double value, String unit, String reference, double threshold) {
    /** What a row measures that says how regular something is: {@link #value} steps from one time to the next. */
    public static final String PERIOD = "steps from one to the next";
}
