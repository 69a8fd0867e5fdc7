package dev.argus.hostflink;

import java.io.Serializable;

/**
 * What is told of jobs beside what goes to the topics.
 *
 * @param series their numbers, for a store of series: {@link ArgusOnFlink#series}
 * @param steps their whole steps, to be kept for long: {@link ArgusOnFlink#steps}
 */
public record Beside(boolean series, boolean steps) implements Serializable {
    /** Nothing. */
    public static final Beside NOTHING = new Beside(false, false);
}
