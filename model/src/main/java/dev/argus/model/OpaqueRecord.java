package dev.argus.model;

import java.util.Arrays;

/**
 * A record whose layout a higher room owns, such as the waits that were matched inside a host. It must hold no name ids.
 *
 * @param kind which layout; the rooms that own one agree on the number
 * @param bytes the record; not copied, nobody may change it
 */
@SuppressWarnings("ArrayRecordComponent")
public record OpaqueRecord(int kind, byte[] bytes) implements AgentRecord {
    @Override
    public boolean equals(Object other) {
        return other instanceof OpaqueRecord that && kind == that.kind && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * kind + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "OpaqueRecord[kind=" + kind + ", " + bytes.length + " bytes]";
    }
}
