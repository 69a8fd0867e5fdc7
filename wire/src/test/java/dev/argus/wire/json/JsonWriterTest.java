package dev.argus.wire.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class JsonWriterTest {
    private final StringBuilder out = new StringBuilder();

    @Test
    void writesNestedValues() throws IOException {
        JsonWriter json = new JsonWriter(out, 0);
        json.beginObject()
                .name("a")
                .beginArray()
                .value(1)
                .value("x")
                .nullValue()
                .value(true)
                .endArray();
        json.name("b").beginObject().endObject().name("c").value((String) null).endObject();
        assertThat(out).hasToString("{\"a\":[1,\"x\",null,true],\"b\":{},\"c\":null}");
    }

    @Test
    void breaksLinesDownToADepth() throws IOException {
        JsonWriter json = new JsonWriter(out, 2);
        json.beginObject().name("a").beginArray();
        json.beginArray().value(1).value(2).endArray().beginArray().endArray();
        json.endArray().name("b").beginArray().endArray().endObject();
        assertThat(out).hasToString("{\n \"a\":[\n  [1,2],\n  []\n ],\n \"b\":[]\n}");
    }

    @Test
    void numbersAreExactAndFinite() throws IOException {
        JsonWriter json = new JsonWriter(out, 0).beginArray();
        json.value(Long.MAX_VALUE).value(Long.MIN_VALUE).value(0.1).value(8.1e7).value(Double.NaN);
        json.value(Double.NEGATIVE_INFINITY).endArray();
        assertThat(out).hasToString("[9223372036854775807,-9223372036854775808,0.1,8.1E7,null,null]");
    }

    @Test
    void escapesWhatIsNoPlainCharacter() throws IOException {
        new JsonWriter(out, 0).value("\"\\/\b\f\n\r\t\u0000\u001f\u007f\u0085é\u2028\u2029\ud800x\udc00😀\ud83d");
        assertThat(out)
                .hasToString(
                        "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\\u007f\\u0085é\\u2028\\u2029\\ud800x\\udc00😀\\ud83d\"");
    }

    @Test
    void everyStringComesBack() throws IOException {
        long seed = 20261129;
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            char[] chars = new char[random.nextInt(20)];
            for (int i = 0; i < chars.length; i++) {
                chars[i] = (char) (random.nextBoolean() ? random.nextInt(256) : 0xd700 + random.nextInt(0x1000));
            }
            String text = new String(chars);
            out.setLength(0);
            new JsonWriter(out, 0).value(text);
            assertThat(JsonMapper.shared().readTree(out.toString()).stringValue())
                    .as("seed %d round %d", seed, round)
                    .isEqualTo(text);
        }
    }

    @Test
    void refusesWrongNesting() {
        assertThatThrownBy(() -> new JsonWriter(out, 0).endArray()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new JsonWriter(out, 0).beginObject().value(1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new JsonWriter(out, 0).beginArray().name("a"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new JsonWriter(out, 0).beginObject().name("a").endObject())
                .isInstanceOf(IllegalStateException.class);
    }
}
