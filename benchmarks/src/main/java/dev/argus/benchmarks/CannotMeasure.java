package dev.argus.benchmarks;

/** Nothing could be measured; the message says what is missing and what to do. */
final class CannotMeasure extends Exception {
    private static final long serialVersionUID = 1L;

    CannotMeasure(String message) {
        super(message);
    }
}
