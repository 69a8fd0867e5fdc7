package dev.argus.cli.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Strings from outside stay strings. */
class MarkupTest {
    private static final List<String> HOSTILE = List.of(
            "</script><script>alert(1)</script>",
            "<!--<script>",
            "]]>",
            "<img src=x onerror=alert(1)>",
            "&lt;b&gt; & \u2028 \u2029",
            "a\"b'c\\d",
            "\ud83d\ude00 \u0000 \u001b[31m");

    @Test
    void jsonInAScriptCannotEndItAndReadsBackExactly() throws IOException {
        StringBuilder out = new StringBuilder();
        JsonWriter json = new JsonWriter(Markup.jsonInScript(out), 0);
        json.beginArray();
        for (String text : HOSTILE) {
            json.value(text);
        }
        json.endArray();
        assertThat(out.toString()).doesNotContain("<", ">", "&", "\u2028", "\u2029");
        String[] back = JsonMapper.shared().readValue(out.toString(), String[].class);
        assertThat(back).containsExactlyElementsOf(HOSTILE);
    }

    @Test
    void singleCharactersAreEscapedToo() throws IOException {
        StringBuilder out = new StringBuilder();
        for (char c : "<>&\u2028\u2029x".toCharArray()) {
            Markup.jsonInScript(out).append(c);
        }
        assertThat(out.toString()).isEqualTo("\\u003c\\u003e\\u0026\\u2028\\u2029x");
    }

    @Test
    void textCanBeNoTagAndNoEndOfAnAttribute() {
        assertThat(Markup.text("<a href=\"x\" b='y'>&")).isEqualTo("&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
    }
}
