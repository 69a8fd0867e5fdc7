package dev.argus.server.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.server.Served;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LivePageTest {
    /** Of the page, packed as it is sent. */
    private static final int MOST_BYTES = 300_000;

    @TempDir
    Path data;

    @Test
    void allFilesAreServedPackedTaggedAndSmall() throws Exception {
        try (Served served = new Served(data)) {
            List<String> paths = new LivePage(path -> java.util.Optional.empty()).paths();
            int bytes = 0;
            for (String path : paths) {
                HttpResponse<byte[]> answer = served.get(path, "Accept-Encoding", "gzip");
                assertThat(answer.statusCode()).as(path).isEqualTo(200);
                assertThat(answer.headers().firstValue("ETag")).as(path).isPresent();
                bytes += answer.body().length;
                String tag = answer.headers().firstValue("ETag").orElseThrow();
                assertThat(served.get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
            }
            assertThat(bytes).isLessThan(MOST_BYTES);
            assertThat(served.get("/").headers().firstValue("Content-Security-Policy"))
                    .get()
                    .asString()
                    .contains("default-src 'none'", "script-src 'self'")
                    .doesNotContain("unsafe");
            assertThat(served.get("/page/../page/app.js").statusCode()).isEqualTo(404);
            assertThat(served.get("/page/nothing.js").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void noScriptMakesMarkupOfText() throws Exception {
        try (Served served = new Served(data)) {
            for (String module : LivePage.MODULES) {
                assertThat(new String(served.get("/page/" + module + ".js").body(), UTF_8))
                        .as(module)
                        .doesNotContain(
                                "innerHTML",
                                "outerHTML",
                                "insertAdjacentHTML",
                                "document.write",
                                "eval(",
                                "new Function");
            }
        }
    }

    /** A module that is imported and not served would only be missed in a browser. */
    @Test
    void everyModuleThatIsImportedIsServed() throws Exception {
        TreeSet<String> imported = new TreeSet<>();
        try (Served served = new Served(data)) {
            for (String module : LivePage.MODULES) {
                Matcher from = Pattern.compile("from './([a-z]+)\\.js'")
                        .matcher(
                                new String(served.get("/page/" + module + ".js").body(), UTF_8));
                while (from.find()) {
                    imported.add(from.group(1));
                }
            }
        }
        imported.remove("look");
        imported.add("app");
        assertThat(imported).containsExactlyInAnyOrderElementsOf(LivePage.MODULES);
    }
}
