package dev.argus.engine;

import dev.argus.model.RankSet;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;

/**
 * Writes flat records of numbers, flags, enums, rank sets and arrays of numbers, component by component in the order of their
 * declaration: for the few findings in a detector's state, not for hot paths.
 *
 * <pre>
 * int, long   zigzag varint        double   binary64        boolean   one byte        enum   ordinal as varint
 * RankSet, int[], long[]   count, zigzag varints        double[]   count, binary64 each
 * </pre>
 */
final class RecordCodec<R extends Record> {
    private final Class<R> type;
    private final RecordComponent[] components;
    private final Constructor<R> constructor;

    RecordCodec(Class<R> type) {
        this.type = type;
        this.components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
            components[i].getAccessor().setAccessible(true);
        }
        try {
            constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("record without canonical constructor: " + type, e);
        }
    }

    void write(R record, WireWriter to) {
        for (RecordComponent c : components) {
            try {
                write(c.getAccessor().invoke(record), to);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot read " + c, e);
            }
        }
    }

    R read(WireReader from) {
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(components[i].getType(), from);
        }
        try {
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + type, e);
        }
    }

    private static void write(Object value, WireWriter to) {
        switch (value) {
            case Integer v -> to.writeSigned(v);
            case Long v -> to.writeSigned(v);
            case Double v -> to.writeDouble(v);
            case Boolean v -> to.writeByte(v ? 1 : 0);
            case Enum<?> v -> to.writeVarint(v.ordinal());
            case RankSet v -> writeLongs(v.stream().asLongStream().toArray(), to);
            case long[] v -> writeLongs(v, to);
            case int[] v -> {
                to.writeVarint(v.length);
                for (int x : v) {
                    to.writeSigned(x);
                }
            }
            case double[] v -> {
                to.writeVarint(v.length);
                for (double x : v) {
                    to.writeDouble(x);
                }
            }
            default -> throw new IllegalArgumentException("no layout for " + value.getClass());
        }
    }

    private static void writeLongs(long[] values, WireWriter to) {
        to.writeVarint(values.length);
        for (long x : values) {
            to.writeSigned(x);
        }
    }

    private static Object read(Class<?> type, WireReader from) {
        if (type == int.class) {
            return (int) from.readSigned();
        }
        if (type == long.class) {
            return from.readSigned();
        }
        if (type == double.class) {
            return from.readDouble();
        }
        if (type == boolean.class) {
            return from.readByte() != 0;
        }
        if (type == RankSet.class) {
            return RankSet.of(readInts(from));
        }
        if (type == int[].class) {
            return readInts(from);
        }
        if (type == long[].class) {
            long[] values = new long[from.readCount(1)];
            for (int i = 0; i < values.length; i++) {
                values[i] = from.readSigned();
            }
            return values;
        }
        if (type == double[].class) {
            double[] values = new double[from.readCount(8)];
            for (int i = 0; i < values.length; i++) {
                values[i] = from.readDouble();
            }
            return values;
        }
        Object[] constants = type.getEnumConstants();
        int ordinal = from.readInt();
        if (constants == null || ordinal >= constants.length) {
            throw new WireException("value " + ordinal + " of " + type.getSimpleName() + ", which has no such value");
        }
        return constants[ordinal];
    }

    private static int[] readInts(WireReader from) {
        int[] values = new int[from.readCount(1)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (int) from.readSigned();
        }
        return values;
    }
}
