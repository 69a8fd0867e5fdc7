package dev.argus.model;

/** Phase of a training step, in the field's words. */
public enum Phase {
    FORWARD,
    BACKWARD,
    OPTIMIZER,
    COMMUNICATION,
    DATA_LOADING,
    CHECKPOINT,
    EVALUATION,
    OTHER
}
