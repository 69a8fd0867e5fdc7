package dev.argus.ring;

/** What a producer says of itself, or what its reader thinks of the file. */
public enum RingState {
    /** It records. */
    RUNNING,
    /** It is off; the header says why. */
    OFF,
    /** It closed the ring in order and writes no more. */
    CLOSED,
    /** It says something that this version does not know. */
    UNKNOWN,
    /** The reader reads it no more: the file shrank or its header changed. */
    GIVEN_UP;

    static RingState of(int number) {
        return switch (number) {
            case 1 -> RUNNING;
            case 2 -> OFF;
            case 3 -> CLOSED;
            default -> UNKNOWN;
        };
    }
}
