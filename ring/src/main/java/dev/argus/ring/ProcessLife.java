package dev.argus.ring;

/** Whether the process of a ring lives, as far as this host shows it. */
public enum ProcessLife {
    /** It runs. */
    ALIVE,
    /** It is gone: nothing more will be written. */
    DEAD,
    /** It is not seen, but may live in a pid namespace that this process does not see. */
    UNSEEN
}
