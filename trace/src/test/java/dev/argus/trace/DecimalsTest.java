package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Numbers against {@link BigDecimal}, through the scanner, as files have them. */
class DecimalsTest {
    private static long scan(String number) {
        byte[] bytes = ("[" + number + " ]").getBytes(StandardCharsets.ISO_8859_1);
        JsonScanner in = new JsonScanner(new ByteArrayInputStream(bytes), 16);
        in.peek();
        in.take();
        in.peek();
        in.mark();
        in.scalarOrText();
        long value = Decimals.nanos(in.bytes(), in.base() + in.textFrom(), in.base() + in.textTo());
        assertThat(in.nextElement()).as(number).isFalse();
        return value;
    }

    private static long expected(String number) {
        BigInteger nanos = new BigDecimal(number)
                .movePointRight(3)
                .setScale(0, RoundingMode.HALF_EVEN)
                .toBigInteger();
        if (nanos.compareTo(BigInteger.valueOf(Long.MAX_VALUE)) >= 0) {
            return Decimals.HUGE;
        }
        return nanos.compareTo(BigInteger.valueOf(-Long.MAX_VALUE)) <= 0 ? -Decimals.HUGE : nanos.longValueExact();
    }

    @RepeatedTest(1_000)
    void plainDecimals(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        long unscaled = random.nextLong(-9_999_999_999_999_999L, 10_000_000_000_000_000L) >> random.nextInt(50);
        String number = BigDecimal.valueOf(unscaled, random.nextInt(10)).toPlainString();
        assertThat(scan(number)).as(number).isEqualTo(expected(number));
    }

    @RepeatedTest(1_000)
    void exponents(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        String number =
                BigDecimal.valueOf(random.nextLong(), random.nextInt(-30, 31)).toString();
        assertThat(scan(number)).as(number).isEqualTo(expected(number));
    }

    @RepeatedTest(1_000)
    void integersKeepAll64Bits(RepetitionInfo run) {
        long bits = new Random(run.getCurrentRepetition()).nextLong();
        byte[] digits = Long.toUnsignedString(bits).getBytes(StandardCharsets.ISO_8859_1);
        assertThat(Decimals.integer(digits, 0, digits.length)).isEqualTo(bits);
    }

    @Test
    void integersOfAnyFormKeepAllDigits() {
        assertThat(integer("1.7514108360e18")).isEqualTo(1_751_410_836_000_000_000L);
        assertThat(integer("1751410836000000001.0")).isEqualTo(1_751_410_836_000_000_001L);
        assertThat(integer("18446744073709551615E0")).isEqualTo(-1);
        assertThat(integer("1.9999")).isEqualTo(1);
        assertThat(integer("-1.9999")).isEqualTo(-1);
        assertThat(integer("0.9999999999e0")).isZero();
        assertThat(integer("0e999999999")).isZero();
        assertThat(integer("1e-999999999")).isZero();
        assertThat(integer("1e20")).isEqualTo(Decimals.MISSING);
        assertThat(integer("1e999999999")).isEqualTo(Decimals.MISSING);
        assertThat(integer("1.5x")).isEqualTo(Decimals.MISSING);
        assertThat(integer("0." + "1".repeat(Decimals.MAX_DIGITS))).isEqualTo(Decimals.MISSING);
    }

    private static long integer(String printed) {
        return Decimals.integer(printed.getBytes(StandardCharsets.ISO_8859_1), 0, printed.length());
    }

    @Test
    void workedExamples() {
        assertThat(scan("100.7")).isEqualTo(100_700);
        assertThat(scan("0.2")).isEqualTo(200);
        assertThat(scan("1.0005")).isEqualTo(1_000);
        assertThat(scan("1.0015")).isEqualTo(1_002);
        assertThat(scan("4.458e3")).isEqualTo(4_458_000);
        assertThat(scan("1751410839690164.648")).isEqualTo(1_751_410_839_690_164_648L);
    }

    @Test
    void whatIsNoNumberIsMissingAndWhatIsTooLargeIsHuge() {
        assertThat(scan("null")).isEqualTo(Decimals.MISSING);
        assertThat(scan("NaN")).isEqualTo(Decimals.MISSING);
        assertThat(scan("true")).isEqualTo(Decimals.MISSING);
        assertThat(scan("{}")).isEqualTo(Decimals.MISSING);
        assertThat(scan("1e")).isEqualTo(Decimals.MISSING);
        assertThat(scan("\"12.5\"")).isEqualTo(12_500);
        assertThat(scan("Infinity")).isEqualTo(Decimals.HUGE);
        assertThat(scan("-1e999999999999")).isEqualTo(-Decimals.HUGE);
        assertThat(scan("1e-999999999999")).isZero();
        assertThat(scan("9".repeat(900))).isEqualTo(Decimals.HUGE);
        assertThat(scan("9".repeat(100_000))).isEqualTo(Decimals.MISSING);
        assertThat(scan("0".repeat(40) + "7")).isEqualTo(7_000);
    }

    @RepeatedTest(2_000)
    void thePlainWayAndTheSlowOneAgree(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(24); i >= 0; i--) {
            text.append("01234567890123456789012345678901234567899...-e+x ".charAt(random.nextInt(49)));
        }
        byte[] bytes = (text + "12345678").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(Decimals.nanos(bytes, 0, text.length()))
                .as("%s", text)
                .isEqualTo(Decimals.nanosOfMicros(bytes, 0, text.length()));
    }

    @Test
    void productsOfLists() {
        assertThat(product("[132, 1, 2]")).isEqualTo(264);
        assertThat(product("[\n 4,\n 5 ]")).isEqualTo(20);
        assertThat(product("[]")).isEqualTo(1);
        assertThat(product("[,3]")).isEqualTo(3);
        assertThat(product("[3,x]")).isZero();
        assertThat(product("[3,[4]]")).isZero();
        assertThat(product("7")).isZero();
        assertThat(product("[")).isZero();
    }

    private static long product(String list) {
        return Decimals.product(list.getBytes(StandardCharsets.ISO_8859_1), 0, list.length());
    }
}
