package dev.argus.trace;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/**
 * Microseconds as printed to nanoseconds as {@code long}, exactly: no {@code double} anywhere.
 *
 * <p>What is finer than a nanosecond is rounded half to even. (Kineto prints three digits; timelines that print a double
 * carry noise beyond. Truncation would shorten every duration.) A worked example: {@code 100.7} gives 100,700;
 * {@code 1.0005} gives 1,000; {@code 1.0015} gives 1,002; {@code 4.458e3} gives 4,458,000.
 *
 * <p>The plain form, up to 16 digits and three behind the point, takes a few words; signs, exponents and many digits go
 * the slow way.
 */
final class Decimals {
    /** The value is absent or no number ({@code null}, {@code NaN}, a word). */
    static final long MISSING = Long.MIN_VALUE;
    /** Beyond what a {@code long} of nanoseconds holds; its negation stands for the other end. */
    static final long HUGE = Long.MAX_VALUE;

    private static final long[] TENS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000};
    private static final int MAX_PLAIN = 20;
    private static final int MAX_EXPONENT = 400;
    private static final int MAX_INTEGER_DIGITS = 20;
    /** Longest number read exactly; beyond that nobody wrote it in earnest. */
    static final int MAX_DIGITS = 1024;

    private Decimals() {}

    /**
     * Nanoseconds of the microseconds printed in {@code bytes[from, to)}, {@link #MISSING} or plus or minus {@link #HUGE}.
     *
     * @param bytes window of a scanner: eight bytes behind {@code to} must be readable
     */
    static long nanos(byte[] bytes, int from, int to) {
        if (to <= from || to - from > MAX_PLAIN) {
            return nanosOfMicros(bytes, from, to);
        }
        int p = from;
        long value = 0;
        long word = Swar.word(bytes, p);
        int digits = Swar.digits(word, to - p);
        while (digits == 8) {
            value = value * 100_000_000 + Swar.decimal(word, 8);
            p += 8;
            word = Swar.word(bytes, p);
            digits = Swar.digits(word, to - p);
        }
        value = value * TENS[digits] + Swar.decimal(word, digits);
        p += digits;
        if (p == from || p - from > 16 || value > 9_000_000_000_000_000L) {
            return nanosOfMicros(bytes, from, to);
        }
        value *= 1000;
        if (p < to && bytes[p] == '.') {
            p++;
            word = Swar.word(bytes, p);
            digits = Swar.digits(word, to - p);
            if (digits <= 3) {
                value += Swar.decimal(word, digits) * TENS[3 - digits];
                p += digits;
            }
        }
        return p == to ? value : nanosOfMicros(bytes, from, to);
    }

    /** The same of any form. */
    static long nanosOfMicros(byte[] bytes, int from, int to) {
        if (to - from > MAX_DIGITS || to <= from) {
            return MISSING;
        }
        String text = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        if (text.endsWith("Infinity") || text.endsWith("inf")) {
            return text.charAt(0) == '-' ? -HUGE : HUGE;
        }
        int mark = Math.max(text.indexOf('e'), text.indexOf('E'));
        try {
            BigDecimal mantissa = new BigDecimal(mark < 0 ? text : text.substring(0, mark));
            int exponent = mark < 0 ? 0 : exponent(text, mark + 1);
            return round(mantissa, exponent);
        } catch (NumberFormatException notANumber) {
            return MISSING;
        }
    }

    private static int exponent(String text, int from) {
        String digits = text.substring(from);
        int sign = digits.startsWith("-") ? -1 : 1;
        String plain = digits.startsWith("-") || digits.startsWith("+") ? digits.substring(1) : digits;
        if (plain.isEmpty() || !plain.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new NumberFormatException(text);
        }
        int start = 0;
        while (start < plain.length() - 1 && plain.charAt(start) == '0') {
            start++;
        }
        // Longer than four digits is out of range whatever they are, unless the mantissa is 0.
        return sign * (plain.length() - start > 4 ? 9999 : Integer.parseInt(plain.substring(start)));
    }

    private static long round(BigDecimal mantissa, int exponent) {
        if (mantissa.signum() == 0) {
            return 0;
        }
        // Decimal exponent of the leading digit, so that no huge power is ever expanded.
        long leading = (long) mantissa.precision() - mantissa.scale() + exponent;
        if (leading > MAX_EXPONENT || leading > 17) {
            return mantissa.signum() < 0 ? -HUGE : HUGE;
        }
        if (leading < -MAX_EXPONENT) {
            return 0;
        }
        BigDecimal nanos = mantissa.scaleByPowerOfTen(exponent + 3).setScale(0, RoundingMode.HALF_EVEN);
        if (nanos.compareTo(BigDecimal.valueOf(HUGE)) >= 0) {
            return HUGE;
        }
        return nanos.compareTo(BigDecimal.valueOf(-HUGE)) <= 0 ? -HUGE : nanos.longValueExact();
    }

    /**
     * Integer of the digits in {@code bytes[from, to)}, modulo 2^64, so that ids above 2^63 stay distinct; a fraction is
     * dropped; {@code 0x} prefixed digits are hexadecimal; {@link #MISSING} when there is no digit.
     */
    static long integer(byte[] bytes, int from, int to) {
        int at = from;
        boolean negative = at < to && bytes[at] == '-';
        if (negative) {
            at++;
        }
        if (at + 2 < to && bytes[at] == '0' && (bytes[at + 1] | 0x20) == 'x') {
            return hexadecimal(bytes, at + 2, to);
        }
        long value = 0;
        int first = at;
        while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
            value = value * 10 + (bytes[at] - '0');
            at++;
        }
        if (at == first || (at < to && bytes[at] != '.' && (bytes[at] | 0x20) != 'e')) {
            return MISSING;
        }
        if (at < to) {
            return integerOfDecimal(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        }
        return negative ? -value : value;
    }

    /**
     * A process, thread, device or stream in {@code bytes[from, to)}: an integer, that at the end of a text in quotes such as
     * "stream 7", or -1.
     *
     * @param from not 0: the byte before tells whether it is in quotes
     */
    static long id(byte[] bytes, int from, int to) {
        int digits = from;
        if (bytes[from - 1] == '"') {
            digits = to;
            while (digits > from && bytes[digits - 1] >= '0' && bytes[digits - 1] <= '9') {
                digits--;
            }
        }
        long id = integer(bytes, digits, to);
        return id == MISSING ? -1 : id;
    }

    /**
     * Product of the integers of the list printed in {@code bytes[from, to)}, brackets included, modulo 2^64; 0 if it is no
     * list or one of its values is no integer.
     */
    static long product(byte[] bytes, int from, int to) {
        if (to - from < 2 || bytes[from] != '[' || bytes[to - 1] != ']') {
            return 0;
        }
        long product = 1;
        int at = from + 1;
        while (at < to - 1) {
            int start = at;
            while (bytes[at] > ' ' && bytes[at] != ',' && at < to - 1) {
                at++;
            }
            if (at > start) {
                long factor = integer(bytes, start, at);
                product = factor == MISSING ? 0 : product * factor;
            }
            at++;
        }
        return product;
    }

    /** Beyond 64 bits nobody meant the low ones. */
    private static long integerOfDecimal(String text) {
        if (text.length() > MAX_DIGITS) {
            return MISSING;
        }
        int mark = Math.max(text.indexOf('e'), text.indexOf('E'));
        try {
            BigDecimal mantissa = new BigDecimal(mark < 0 ? text : text.substring(0, mark));
            int exponent = mark < 0 ? 0 : exponent(text, mark + 1);
            long leading = (long) mantissa.precision() - mantissa.scale() + exponent;
            if (mantissa.signum() == 0 || leading <= 0) {
                return 0;
            }
            if (leading > MAX_INTEGER_DIGITS) {
                return MISSING;
            }
            BigInteger whole = mantissa.scaleByPowerOfTen(exponent)
                    .setScale(0, RoundingMode.DOWN)
                    .unscaledValue();
            return whole.bitLength() > Long.SIZE ? MISSING : whole.longValue();
        } catch (NumberFormatException notANumber) {
            return MISSING;
        }
    }

    private static long hexadecimal(byte[] bytes, int from, int to) {
        long value = 0;
        for (int at = from; at < to; at++) {
            int digit = Character.digit(bytes[at], 16);
            if (digit < 0) {
                return MISSING;
            }
            value = (value << 4) | digit;
        }
        return value;
    }
}
