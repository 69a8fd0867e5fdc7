package dev.argus.wire;

import dev.argus.model.RankSet;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;

/**
 * Writes flat records of numbers, flags, enums, rank sets and arrays of numbers, component by component in the order of their
 * declaration: for records of which there are few, not for hot paths. There is one way to write a record, and the reader takes no other.
 *
 * <pre>
 * int, long   zigzag varint        double   binary64        boolean   one byte        enum   ordinal as varint
 * RankSet, int[], long[]   count, zigzag varints (of a set ascending)        double[]   count, binary64 each
 * </pre>
 */
public final class RecordCodec<R extends Record> {
    private final Class<R> type;
    private final RecordComponent[] components;
    private final Constructor<R> constructor;

    /** For one type of record. */
    public RecordCodec(Class<R> type) {
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

    /** Appends a record. */
    public void write(R record, WireWriter to) {
        for (RecordComponent c : components) {
            try {
                write(c.getAccessor().invoke(record), to);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot read " + c, e);
            }
        }
    }

    /**
     * Reads a record.
     *
     * @throws WireException if the bytes are not what {@link #write} writes
     */
    public R read(WireReader from) {
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(components[i].getType(), from);
        }
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new WireException(type.getSimpleName() + " refuses its parts: "
                    + e.getTargetException().getMessage());
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
            return from.readSignedInt();
        }
        if (type == long.class) {
            return from.readSigned();
        }
        if (type == double.class) {
            return from.readDouble();
        }
        if (type == boolean.class) {
            return from.readFlags(1) != 0;
        }
        if (type == RankSet.class) {
            return readRanks(from);
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

    static RankSet readRanks(WireReader from) {
        int[] ranks = readInts(from);
        for (int i = 1; i < ranks.length; i++) {
            if (ranks[i - 1] >= ranks[i]) {
                throw new WireException("rank " + ranks[i] + " behind " + ranks[i - 1] + ", expected ascending ranks");
            }
        }
        return RankSet.of(ranks);
    }

    private static int[] readInts(WireReader from) {
        int[] values = new int[from.readCount(1)];
        for (int i = 0; i < values.length; i++) {
            values[i] = from.readSignedInt();
        }
        return values;
    }
}
