package dev.argus.storage.duck;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Blob;
import java.sql.SQLException;
import java.sql.Struct;
import org.jspecify.annotations.Nullable;

/** A value of the database as one of those an answer has: null, Boolean, Long, Double or String. */
final class AnswerValue {
    /** Bytes of a blob that are shown. */
    private static final int MOST_BYTES = 4096;

    private AnswerValue() {}

    static @Nullable Object of(@Nullable Object value) throws SQLException {
        return switch (value) {
            case null -> null;
            case Boolean b -> b;
            case Long l -> l;
            case Integer i -> i.longValue();
            case Short s -> s.longValue();
            case Byte b -> b.longValue();
            case BigInteger big when big.bitLength() < Long.SIZE -> big.longValue();
            case BigDecimal d when d.scale() <= 0 && d.toBigInteger().bitLength() < Long.SIZE -> d.longValue();
            case BigDecimal d -> d.doubleValue();
            case Double d -> d;
            case Float f -> Double.valueOf(f);
            case Array list -> items((Object[]) list.getArray());
            case Struct struct -> items(struct.getAttributes());
            case Blob blob -> hex(blob);
            case byte[] bytes -> hex(bytes, bytes.length);
            default -> value.toString();
        };
    }

    private static String hex(Blob blob) throws SQLException {
        long length = blob.length();
        return hex(blob.getBytes(1, (int) Math.min(length, MOST_BYTES)), length);
    }

    /** As DuckDB shows it: what is no printable ASCII as {@code \xAB}; of much the first bytes alone. */
    private static String hex(byte[] bytes, long length) {
        StringBuilder out = new StringBuilder();
        int shown = Math.min(bytes.length, MOST_BYTES);
        for (int i = 0; i < shown; i++) {
            int b = bytes[i] & 0xFF;
            if (b >= ' ' && b < 0x7F && b != '\\' && b != '\'' && b != '"') {
                out.append((char) b);
            } else {
                out.append(String.format("\\x%02X", b));
            }
        }
        return shown < length
                ? out.append("... (").append(length).append(" bytes)").toString()
                : out.toString();
    }

    private static String items(@Nullable Object... items) throws SQLException {
        StringBuilder out = new StringBuilder("[");
        for (@Nullable Object item : items) {
            out.append(out.length() > 1 ? ", " : "").append(of(item));
        }
        return out.append(']').toString();
    }
}
