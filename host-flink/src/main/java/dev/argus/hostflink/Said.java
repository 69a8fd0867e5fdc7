package dev.argus.hostflink;

import java.io.Serializable;

/**
 * Something that is said about a job.
 *
 * @param topic where it goes: one of {@link #INCIDENTS}, {@link #METRICS}, {@link #STEPS}
 * @param job the job, the key
 * @param json the value
 */
public record Said(int topic, String job, String json) implements Serializable {
    /** Changes of incidents, {@code argus.incident-change/1}. */
    public static final int INCIDENTS = 0;

    /** Numbers about the job, {@code argus.metrics/1}. */
    public static final int METRICS = 1;

    /** Steps of the job over its ranks, {@code argus.steps/1}. */
    public static final int STEPS = 2;
}
