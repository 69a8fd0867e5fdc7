package dev.argus.cli.html;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Arrays of numbers as base64 of their little-endian bytes: what the page's typed arrays are made of. */
final class Packed {
    private Packed() {}

    static String of(short[] values) {
        ByteBuffer bytes = room(2 * values.length);
        for (short v : values) {
            bytes.putShort(v);
        }
        return text(bytes);
    }

    static String of(char[] values) {
        ByteBuffer bytes = room(2 * values.length);
        for (char v : values) {
            bytes.putChar(v);
        }
        return text(bytes);
    }

    static String of(float[] values) {
        ByteBuffer bytes = room(4 * values.length);
        for (float v : values) {
            bytes.putFloat(v);
        }
        return text(bytes);
    }

    /** As binary32: 60 ns of a second, finer than any picture. */
    static String floats(double[] values) {
        float[] narrow = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            narrow[i] = (float) values[i];
        }
        return of(narrow);
    }

    private static ByteBuffer room(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1
                .decode(Base64.getEncoder().encode(bytes.flip()))
                .toString();
    }
}
