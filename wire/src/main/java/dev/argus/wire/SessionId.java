package dev.argus.wire;

import java.util.HexFormat;

/**
 * One life of an agent for one job: 128 random bits. Its frames are numbered from 1; its names are numbered from 0.
 *
 * @param high upper 64 bits
 * @param low lower 64 bits
 */
public record SessionId(long high, long low) {
    /** No session. */
    public static final SessionId NONE = new SessionId(0, 0);

    /** Appends its 16 bytes. */
    public void write(WireWriter to) {
        to.writeLong(high).writeLong(low);
    }

    /** Reads 16 bytes. */
    public static SessionId read(WireReader from) {
        return new SessionId(from.readLong(), from.readLong());
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
