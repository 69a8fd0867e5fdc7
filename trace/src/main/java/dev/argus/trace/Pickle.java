package dev.argus.trace;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads Python's pickles of plain data, protocols 0 to 5, and executes nothing.
 *
 * <p>Values: {@code dict} as {@link Map}, {@code list} and {@code tuple} as {@link List}, {@code set} as {@link java.util.Set},
 * {@code str} as {@link String}, {@code bytes} as {@code byte[]}, {@code int} as {@link Long} (beyond 64 bits as
 * {@link BigInteger}), {@code float} as {@link Double}, {@code bool}, {@code None} as null. Whatever names code or builds an
 * object of a class (GLOBAL, REDUCE, BUILD and their like), refers to outside (persistent ids, buffers, extension codes) or is
 * unknown is refused by name and place.
 *
 * <p>Bounds: {@value #MAX_BYTES} bytes read, texts of {@value #MAX_TEXT} bytes, whole numbers of {@value #MAX_INT} bytes, and those
 * of {@link PickleStack}. Memory: what the values hold, by estimate at most a quarter of the heap. A value may hold
 * itself: walk to a fixed depth. One thread, one use.
 *
 * <p>Instructions: Python's {@code Lib/pickletools.py} documents them.
 */
final class Pickle {
    static final int MAX_BYTES = 64 << 20;
    static final int MAX_TEXT = 8 << 20;
    static final int MAX_INT = 1 << 10;
    private static final int MAX_LINE = 1 << 16;
    private static final int MAX_PROTOCOL = 5;

    /** A dump of a full ring takes some 20 MiB; several files are read at a time. */
    private static final int HEAP_SHARE = 4;

    private final InputStream in;
    private final PickleStack stack;
    private long position;

    private Pickle(InputStream in, long room) {
        this.in = in;
        this.stack = new PickleStack(room);
    }

    /** True if a file that begins like this may be a pickle; JSON and text do not begin so. */
    static boolean mayBegin(byte[] head, int length) {
        if (length < 2) {
            return false;
        }
        int first = head[0] & 0xFF;
        int second = head[1] & 0xFF;
        boolean numbered = first == 0x80 && second >= 2 && second <= MAX_PROTOCOL;
        boolean old = first == '(' && length > 2 && (second == 'd' || second == 'l') && head[2] == 'p';
        boolean binary = (first == '}' || first == ']') && (second == 'q' || second == '(' || second == '.');
        return numbered || old || binary;
    }

    /**
     * Reads the value up to STOP; what follows is left.
     *
     * @throws PickleError if it is cut, damaged, too large, or more than plain data
     * @throws IOException if the stream fails
     */
    static @Nullable Object read(InputStream in) throws IOException {
        return read(in, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** The same with other room than a share of the heap, in bytes. */
    static @Nullable Object read(InputStream in, long room) throws IOException {
        Pickle pickle = new Pickle(in, room);
        long at = 0;
        try {
            while (true) {
                at = pickle.position;
                int op = pickle.u1();
                if (op == '.') {
                    return pickle.result();
                }
                pickle.execute(op);
            }
        } catch (EOFException cut) {
            throw new PickleError("the pickle ends before its STOP", pickle.position);
        } catch (PickleError broken) {
            throw broken.offset() >= 0 ? broken : new PickleError(broken.text(), at);
        }
    }

    private @Nullable Object result() {
        if (stack.size() != 1 || stack.hasMarks()) {
            throw error("ends with " + stack.size() + " values" + (stack.hasMarks() ? " and open marks" : "")
                    + ", expected one");
        }
        return stack.pop();
    }

    private static PickleError error(String message) {
        return new PickleError(message, -1);
    }

    private void execute(int op) throws IOException {
        switch (op) {
            case 0x80 -> protocol(u1());
            case 0x95 -> fixed(8); // FRAME: how many bytes belong together
            case 'N' -> stack.push(null);
            case 0x88 -> stack.push(true);
            case 0x89 -> stack.push(false);
            case 'I', 'L', 'F', 'S', 'V' -> line(op);
            case 'K' -> stack.push(fixed(1));
            case 'M' -> stack.push(fixed(2));
            case 'J' -> stack.push((long) (int) fixed(4));
            case 0x8a -> whole(u1());
            case 0x8b -> whole(fixed(4));
            case 'G' -> stack.push(Double.longBitsToDouble(Long.reverseBytes(fixed(8))));
            case 'X' -> stack.push(text(fixed(4)));
            case 0x8c -> stack.push(text(u1()));
            case 0x8d -> stack.push(text(fixed(8)));
            case 'U' -> stack.push(latin(u1()));
            case 'T' -> stack.push(latin(fixed(4)));
            case 'C' -> stack.push(take(u1()));
            case 'B' -> stack.push(take(fixed(4)));
            case 0x8e, 0x96 -> stack.push(take(fixed(8)));
            default -> structure(op);
        }
    }

    private void structure(int op) throws IOException {
        switch (op) {
            case '(' -> stack.mark();
            case '0' -> stack.pop();
            case '1' -> stack.toMark();
            case '2' -> stack.again(stack.top());
            case ']' -> stack.push(new ArrayList<@Nullable Object>());
            case '}' -> stack.push(new LinkedHashMap<@Nullable Object, @Nullable Object>());
            case 0x8f -> stack.push(new LinkedHashSet<@Nullable Object>());
            case ')' -> stack.tuple(0);
            case 0x85 -> stack.tuple(1);
            case 0x86 -> stack.tuple(2);
            case 0x87 -> stack.tuple(3);
            case 't' -> {
                List<@Nullable Object> parts = stack.toMark();
                parts.forEach(stack::again);
                stack.tuple(parts.size());
            }
            case 'l' -> stack.push(stack.toMark());
            case 'd' -> stack.push(stack.dict(stack.toMark()));
            case 0x91 -> stack.push(stack.frozen(stack.toMark()));
            case 'a' -> {
                List<@Nullable Object> one = new ArrayList<>();
                one.add(stack.pop());
                stack.append(one);
            }
            case 'e' -> stack.append(stack.toMark());
            case 's' -> {
                List<@Nullable Object> pair = new ArrayList<>();
                pair.add(stack.pop());
                pair.addFirst(stack.pop());
                stack.setItems(pair);
            }
            case 'u' -> stack.setItems(stack.toMark());
            case 0x90 -> stack.addItems(stack.toMark());
            default -> memo(op);
        }
    }

    private void memo(int op) throws IOException {
        switch (op) {
            case 'q' -> stack.remember(u1(), stack.top());
            case 'r' -> stack.remember(fixed(4), stack.top());
            case 'p' -> stack.remember(number(readLine()), stack.top());
            case 0x94 -> stack.memoize();
            case 'h' -> stack.again(stack.recall(u1()));
            case 'j' -> stack.again(stack.recall(fixed(4)));
            case 'g' -> stack.again(stack.recall(number(readLine())));
            default -> throw error(refusal(op));
        }
    }

    private static void protocol(int version) {
        if (version > MAX_PROTOCOL) {
            throw error("protocol " + version + ", known are 0 to " + MAX_PROTOCOL);
        }
    }

    /** Why an instruction is not executed. */
    private static String refusal(int op) {
        String name = switch (op) {
            case 'c' -> "GLOBAL";
            case 0x93 -> "STACK_GLOBAL";
            case 'R' -> "REDUCE";
            case 'b' -> "BUILD";
            case 'i' -> "INST";
            case 'o' -> "OBJ";
            case 0x81 -> "NEWOBJ";
            case 0x92 -> "NEWOBJ_EX";
            case 0x82, 0x83, 0x84 -> "EXT";
            case 'P', 'Q' -> "PERSID";
            case 0x97, 0x98 -> "BUFFER";
            default -> "";
        };
        return name.isEmpty()
                ? String.format("instruction 0x%02x is unknown", op)
                : name + " names code or objects: refused, nothing of it is executed; expected plain data";
    }

    // ---------------------------------------------------------------- values

    private void line(int op) throws IOException {
        String line = readLine();
        stack.push(
                switch (op) {
                    case 'I' -> line.equals("01") ? (Object) true : line.equals("00") ? (Object) false : integer(line);
                    case 'L' -> integer(line.endsWith("L") ? line.substring(0, line.length() - 1) : line);
                    case 'F' -> real(line);
                    case 'S' -> PickleText.quoted(line);
                    default -> PickleText.rawUnicode(line);
                });
    }

    private static Object integer(String digits) {
        if (digits.length() > 2 * MAX_INT) {
            throw error("a number of " + digits.length() + " digits");
        }
        try {
            return narrow(new BigInteger(digits));
        } catch (NumberFormatException bad) {
            throw error("a number that is none");
        }
    }

    private static Object real(String line) {
        try {
            return Double.valueOf(line);
        } catch (NumberFormatException bad) {
            throw error("a number that is none");
        }
    }

    private static long number(String line) {
        if (integer(line) instanceof Long index) {
            return index;
        }
        throw error("an entry of the memo beyond 64 bits");
    }

    private void whole(long bytes) throws IOException {
        if (bytes < 0 || bytes > MAX_INT) {
            throw error("a number of " + bytes + " bytes, expected at most " + MAX_INT);
        }
        byte[] little = take(bytes);
        for (int i = 0, j = little.length - 1; i < j; i++, j--) {
            byte b = little[i];
            little[i] = little[j];
            little[j] = b;
        }
        stack.push(little.length == 0 ? (Object) 0L : narrow(new BigInteger(little)));
    }

    private static Object narrow(BigInteger value) {
        return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
    }

    private String text(long bytes) throws IOException {
        return new String(take(bytes), StandardCharsets.UTF_8);
    }

    private String latin(long bytes) throws IOException {
        return new String(take(bytes), StandardCharsets.ISO_8859_1);
    }

    // ---------------------------------------------------------------- bytes

    private int u1() throws IOException {
        int b = in.read();
        if (b < 0) {
            throw new EOFException();
        }
        count(1);
        return b;
    }

    private void count(long bytes) {
        position += bytes;
        if (position > MAX_BYTES) {
            throw error("more than " + (MAX_BYTES >> 20) + " MiB");
        }
    }

    /** A little-endian number of 1 to 8 bytes, unsigned below 8. */
    private long fixed(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (long) u1() << (8 * i);
        }
        return value;
    }

    private byte[] take(long bytes) throws IOException {
        if (bytes < 0 || bytes > MAX_TEXT) {
            throw error("a text of " + Long.toUnsignedString(bytes) + " bytes, expected at most " + MAX_TEXT);
        }
        byte[] taken = in.readNBytes((int) bytes); // grows with what is there, whatever was promised
        count(taken.length);
        if (taken.length < bytes) {
            throw new EOFException();
        }
        return taken;
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = u1(); c != '\n'; c = u1()) {
            line.append((char) c);
            if (line.length() > MAX_LINE) {
                throw error("a line of more than " + MAX_LINE + " bytes");
            }
        }
        return line.toString();
    }
}
