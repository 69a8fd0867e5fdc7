package dev.argus.storage.duck;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.SQLException;
import java.sql.Struct;
import org.jspecify.annotations.Nullable;

/** A value of the database as one of those an answer has: null, Boolean, Long, Double or String. */
final class AnswerValue {
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
            default -> value.toString();
        };
    }

    private static String items(@Nullable Object... items) throws SQLException {
        StringBuilder out = new StringBuilder("[");
        for (@Nullable Object item : items) {
            out.append(out.length() > 1 ? ", " : "").append(of(item));
        }
        return out.append(']').toString();
    }
}
