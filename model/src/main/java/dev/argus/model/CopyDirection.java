package dev.argus.model;

/** Direction of a memory copy; {@link #NONE} for everything that is not a copy. */
public enum CopyDirection {
    NONE,
    HOST_TO_DEVICE,
    DEVICE_TO_HOST,
    DEVICE_TO_DEVICE,
    PEER_TO_PEER,
    OTHER
}
