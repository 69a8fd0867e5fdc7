package dev.argus.stacks;

/**
 * Source lines of instructions: {@code co_linetable} of Python 3.11 and newer.
 *
 * <pre>
 *  one entry                                        what follows the first byte
 *  +---------------+---------------+-- - -          code 0..9    one byte         line as before
 *  | 1 | code (4)  | length-1 (3)  |                code 10..12  two bytes        line + (code - 10)
 *  +---------------+---------------+-- - -          code 13      signed varint    line + that
 *                                                   code 14      signed varint, then three varints
 *                                                   code 15      nothing          no line at all
 *  A varint has six bits a byte, the lowest first, and bit 6 where more follows; signed: lowest bit is the sign.
 * </pre>
 *
 * <p>Source: {@code InternalDocs/code_objects.md} and {@code Objects/locations.md} of CPython. Cost: O(bytes), until the place is reached. Bytes are
 * hostile: a table that ends early gives what it said so far.
 */
final class LineTable {
    private static final int NO_COLUMNS = 13;
    private static final int LONG = 14;
    private static final int NONE = 15;
    private static final int ONE_LINE = 10;

    private final byte[] table;
    private int at;

    private LineTable(byte[] table) {
        this.table = table;
    }

    /**
     * The line of an instruction.
     *
     * @param firstLine of the code object
     * @param unit which instruction, in units of two bytes; before the first: -1
     * @return the line; 0 if it has none
     */
    static int line(byte[] table, int firstLine, int unit) {
        return unit < 0 ? firstLine : new LineTable(table).find(firstLine, unit);
    }

    private int find(int firstLine, int unit) {
        int line = firstLine;
        int end = 0;
        while (at < table.length) {
            int first = table[at++] & 0xFF;
            int code = (first >> 3) & 15;
            end += (first & 7) + 1;
            switch (code) {
                case NONE -> {}
                case LONG -> {
                    line += signed();
                    varint();
                    varint();
                    varint();
                }
                case NO_COLUMNS -> line += signed();
                default -> {
                    if (code >= ONE_LINE) {
                        line += code - ONE_LINE;
                        at += 2;
                    } else {
                        at++;
                    }
                }
            }
            if (unit < end) {
                return code == NONE ? 0 : Math.max(0, line);
            }
        }
        return Math.max(0, line);
    }

    private int signed() {
        int value = varint();
        return (value & 1) == 0 ? value >>> 1 : -(value >>> 1);
    }

    private int varint() {
        int value = 0;
        for (int shift = 0; at < table.length; shift += 6) {
            int b = table[at++];
            value |= shift < 32 ? (b & 63) << shift : 0;
            if ((b & 64) == 0) {
                break;
            }
        }
        return value;
    }
}
