package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The inputs are what CPython's own pickler writes. */
class PickleTest {
    /** Of one dict of all plain values ({@link #expected}), by protocols 0 to 5. */
    private static final String[] PROTOCOLS = {
        "286470300a56610a70310a286c70320a49310a61492d320a614937303030300a614c313039393531313632373737364c0a61"
                + "4c2d313138303539313632303731373431313330333432344c0a6146322e350a614e614930310a614930300a612874612849"
                + "310a7470330a612849310a49320a7470340a612849310a49320a49330a7470350a612849310a49320a49330a49340a747036"
                + "0a617356746578740a70370a56e95c7530303061275c7530303563780a70380a7356620a70390a28647031300a49310a5678"
                + "0a7031310a734e28647031320a73732e",
        "7d71002858010000006171015d7102284b014afeffffff4a701101004c313039393531313632373737364c0a4c2d31313830"
                + "3539313632303731373431313330333432344c0a4740040000000000004e4930310a4930300a29284b01747103284b014b02"
                + "747104284b014b024b03747105284b014b024b034b047471066558040000007465787471075806000000c3a90a275c787108"
                + "58010000006271097d710a284b01580100000078710b4e7d710c75752e",
        "80027d71002858010000006171015d7102284b014afeffffff4a701101008a060000000000018a090000000000000000c047"
                + "40040000000000004e8889294b018571034b014b028671044b014b024b03877105284b014b024b034b047471066558040000"
                + "007465787471075806000000c3a90a275c78710858010000006271097d710a284b01580100000078710b4e7d710c75752e",
        "80037d71002858010000006171015d7102284b014afeffffff4a701101008a060000000000018a090000000000000000c047"
                + "40040000000000004e8889294b018571034b014b028671044b014b024b03877105284b014b024b034b047471066558040000"
                + "007465787471075806000000c3a90a275c78710858010000006271097d710a284b01580100000078710b4e7d710c75752e",
        "80049577000000000000007d94288c0161945d94284b014afeffffff4a701101008a060000000000018a0900000000000000"
                + "00c04740040000000000004e8889294b0185944b014b0286944b014b024b038794284b014b024b034b047494658c04746578"
                + "74948c06c3a90a275c78948c0162947d94284b018c0178944e7d9475752e",
        "80059577000000000000007d94288c0161945d94284b014afeffffff4a701101008a060000000000018a0900000000000000"
                + "00c04740040000000000004e8889294b0185944b014b0286944b014b024b038794284b014b024b034b047494658c04746578"
                + "74948c06c3a90a275c78948c0162947d94284b018c0178944e7d9475752e",
    };

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static @Nullable Object read(byte[] bytes) {
        try {
            return Pickle.read(new ByteArrayInputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Map<Object, @Nullable Object> expected() {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        map.put(
                "a",
                Arrays.asList(
                        1L,
                        -2L,
                        70000L,
                        1L << 40,
                        BigInteger.ONE.shiftLeft(70).negate(),
                        2.5,
                        null,
                        true,
                        false,
                        List.of(),
                        List.of(1L),
                        List.of(1L, 2L),
                        List.of(1L, 2L, 3L),
                        List.of(1L, 2L, 3L, 4L)));
        map.put("text", "é\n'\\x");
        Map<@Nullable Object, Object> inner = new LinkedHashMap<>();
        inner.put(1L, "x");
        inner.put(null, Map.of());
        map.put("b", inner);
        return map;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void everyProtocolGivesTheSameValues(int which) {
        assertThat(read(hex(PROTOCOLS[which]))).isEqualTo(expected());
    }

    @Test
    void bytesAndSets() {
        Object bytes = read(hex("8005951b000000000000005d9428430261629443037a7a7a949601000000000000007194652e"));
        assertThat(bytes).asInstanceOf(LIST).containsExactly(latin("ab"), latin("zzz"), latin("q"));
        Object sets = read(hex("80049512000000000000005d94288f94284b0190288c0161949194652e"));
        assertThat(sets).isEqualTo(List.of(Set.of(1L), Set.of("a")));
    }

    /** {@code os.system('echo')} by protocols 0, 2 and 4, a set of protocol 2, and the others by hand. */
    @ParameterizedTest
    @CsvSource({
        "63706f7369780a73797374656d0a70300a28566563686f0a70310a7470320a5270330a2e, GLOBAL, 0",
        "800263706f7369780a73797374656d0a710058040000006563686f71018571025271032e, GLOBAL, 2",
        "8004951f000000000000008c05706f736978948c0673797374656d9493948c046563686f94859452942e, STACK_GLOBAL, 28",
        "8002635f5f6275696c74696e5f5f0a7365740a71005d71014b01618571025271032e, GLOBAL, 2",
        "80024e29522e, REDUCE, 4",
        "80024e7d622e, BUILD, 4",
        "286f2e, OBJ, 1",
        "2869613a620a, INST, 1",
        "80024e29812e, NEWOBJ, 4",
        "8002500a, PERSID, 2",
        "80024e512e, PERSID, 3",
        "800282012e, EXT, 2",
        "8005972e, BUFFER, 2",
    })
    void codeIsRefusedByNameAndPlace(String digits, String name, long place) {
        assertThatThrownBy(() -> read(hex(digits)))
                .isInstanceOfSatisfying(
                        PickleError.class, e -> assertThat(e.offset()).isEqualTo(place))
                .hasMessageStartingWith(name + " names code or objects: refused");
    }

    @Test
    void cutAnywhereItIsRefused() {
        for (String digits : PROTOCOLS) {
            byte[] whole = hex(digits);
            for (int n = 0; n < whole.length; n++) {
                byte[] cut = Arrays.copyOf(whole, n);
                assertThatThrownBy(() -> read(cut)).as("%d bytes", n).isInstanceOf(PickleError.class);
            }
        }
    }

    /** It may hold itself; nobody asks for its hash or its text. */
    @Test
    void aListThatHoldsItself() {
        Object list = read(hex("80025d71006800612e"));
        assertThat(list).asInstanceOf(LIST).hasSize(1);
        assertThat(((List<?>) Objects.requireNonNull(list)).getFirst()).isSameAs(list);
    }

    @ParameterizedTest
    @CsvSource({
        "'X\\xff\\xff\\xff\\x7f', a text of",
        "'\\x8d\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff', a text of",
        "'\\x8b\\xff\\xff\\xff\\x7f', a number of",
        "'K\\x01s.', empty stack",
        "'a.', empty stack",
        "'e.', not opened",
        "'(0.', empty stack",
        "'NK\\x01a.', no list",
        "'N(NNu.', no dict",
        "'}(Nu.', even number",
        "'}]Ns.', key",
        "'h\\x07.', refers to entry 7",
        "'NN.', 2 values",
        "'(N.', open marks",
        "'\\x80\\x09.', protocol 9",
        "'\\xfe', unknown",
        "'Iabc\n.', none",
        "'Sabc\n.', without quotes",
    })
    void damageIsNamed(String text, String expected) {
        byte[] bytes = latin(PickleText.quoted("'" + text.replace("'", "\\'") + "'"));
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(PickleError.class).hasMessageContaining(expected);
    }

    @Test
    void boundsHold() {
        assertThatThrownBy(() -> read(latin("(".repeat(PickleStack.MAX_MARKS + 1))))
                .hasMessageContaining("nested deeper");
        byte[] lists = latin("]".repeat(PickleStack.MAX_CONTAINERS + 1));
        assertThatThrownBy(() -> Pickle.read(new ByteArrayInputStream(lists), Long.MAX_VALUE))
                .hasMessageContaining("lists and dicts");
    }

    /** A byte of the file may make a hundred of the heap: what values need is counted, and refused before it is too much. */
    @ParameterizedTest
    @ValueSource(strings = {"}", "]", "N)", "K\u0001\u0094", "\u008c\u0001x"})
    void whatValuesNeedIsBounded(String op) {
        byte[] many = latin("(" + op.repeat(100_000) + "l.");
        assertThatThrownBy(() -> Pickle.read(new ByteArrayInputStream(many), 1 << 20))
                .isInstanceOf(PickleError.class)
                .hasMessageContaining("more than 1 MiB of the heap");
        assertThatCode(() -> Pickle.read(new ByteArrayInputStream(many), 64 << 20))
                .doesNotThrowAnyException();
    }
}
