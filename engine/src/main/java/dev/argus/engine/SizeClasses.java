package dev.argus.engine;

/** Size classes of the transfers of one group; asked for one payload again and again, it works the class out once. */
final class SizeClasses {
    /** Stands for the payload where it is not stated: transfers of one dimension have the same, whatever it is. */
    private final long unknown;

    private long lastBytes;
    private long lastClass;

    /** @param dimension of the group; empty text when unknown */
    SizeClasses(String dimension) {
        unknown = -1L - (dimension.hashCode() & 0xFFFF);
    }

    /** The payload that stands for one and those near it. */
    long of(long bytes) {
        if (bytes <= 0) {
            return unknown;
        }
        if (bytes != lastBytes) {
            lastBytes = bytes;
            lastClass = TransferSample.sizeClass(bytes);
        }
        return lastClass;
    }
}
