package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, from a file, with names in its traces that would like to be markup. */
@Requires(Need.CHROMIUM)
class HtmlBrowserTest {
    private static final String KERNEL =
            "nvjet_tst_</script><img src=http://argus.invalid/k onerror=alert(1)>\u2028&amp;";

    /** Does what a person at the keyboard does, and leaves what the page says in the title. */
    private static final String KEYS = """
            <script>setTimeout(() => {
              const said = [];
              const press = (node, key) => node.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
              const map = document.querySelector('#heat .heat canvas');
              map.focus();
              said.push(document.activeElement === map);
              press(map, 'ArrowDown'); press(map, 'ArrowDown'); press(map, 'ArrowDown'); press(map, 'ArrowDown'); press(map, 'End');
              said.push(document.querySelector('#heat .readout').textContent);
              press(map, 'a');
              said.push([...document.querySelectorAll('#heat select')].map((s) => s.value).join());
              const steps = document.querySelector('#steps svg');
              press(steps, 'End');
              said.push(document.querySelector('#steps .readout').textContent);
              document.querySelector('.bar button').click();
              said.push(document.documentElement.dataset.theme);
              document.title = said.join('|');
            }, 200);</script>
            """;

    @TempDir
    private Path folder = Path.of("");

    private Path page() throws IOException {
        Path job = folder.resolve("job");
        String[] simulate = {
            "simulate",
            "--out",
            job.toString(),
            "--kind",
            "compute",
            "--ranks",
            "8",
            "--rank",
            "3",
            "--factor",
            "1.4",
            "--onset",
            "104",
            "--first-step",
            "100",
            "--steps",
            "12",
            "--noise",
            "quiet",
            "--dialect",
            "plain",
            "--seed",
            "11"
        };
        assertThat(Run.with(Diagnoser.LOCAL, Map.of(), simulate).exitCode()).isZero();
        try (Stream<Path> traces = Files.list(job.resolve("traces"))) {
            for (Path trace : traces.toList()) {
                rename(trace);
            }
        }
        Path page = folder.resolve("report.html");
        String[] diagnose = {"diagnose", job.toString(), "--format", "html", "--out", page.toString()};
        assertThat(Run.with(Diagnoser.LOCAL, Map.of(), diagnose).exitCode()).isZero();
        return page;
    }

    /** Gives the GEMMs a hostile name. */
    private static void rename(Path trace) throws IOException {
        String text;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(trace))) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String hostile = KERNEL.replace("\u2028", "\\u2028");
        String renamed = text.replaceAll("\"(?:nvjet_tst|ampere_bf16)_", "\"" + hostile + "_");
        assertThat(renamed).isNotEqualTo(text);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(trace))) {
            out.write(renamed.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void opensFromAFileWithoutAnErrorAndWithoutARequest() throws IOException, InterruptedException {
        Browser.Seen seen = Browser.open(page(), folder);
        assertThat(seen.console()).isEmpty();
        assertThat(seen.requests()).isEmpty();
        assertThat(seen.dom())
                .contains("id=\"card\"", "id=\"why\"", "id=\"steps\"", "id=\"heat\"", "id=\"waits\"", "id=\"kernels\"")
                .contains("SLOW: rank 3 costs this job")
                .contains("<canvas")
                .as("the hostile name is shown, as text")
                .contains("&lt;/script&gt;&lt;img src=http://argus.invalid/k onerror=alert(1)&gt;")
                .doesNotContain("<img");
    }

    @Test
    void worksFromTheKeyboard() throws IOException, InterruptedException {
        String text = Files.readString(page());
        String open = text.replaceAll("<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "")
                .replace("</body>", KEYS + "</body>");
        Path copy = folder.resolve("keys.html");
        Files.writeString(copy, open);
        Browser.Seen seen = Browser.open(copy, folder);
        assertThat(seen.console()).isEmpty();
        String title = seen.dom().replaceAll("(?s).*<title>(.*?)</title>.*", "$1");
        List<String> said = List.of(title.replace("&nbsp;", " ").split("\\|"));
        assertThat(said).hasSize(5);
        assertThat(said.get(0)).isEqualTo("true");
        assertThat(said.get(1)).contains("rank 3", "step 111", "the peers’ median", "accused");
        assertThat(said.get(2)).isEqualTo("own,absolute,rank");
        assertThat(said.get(3)).startsWith("step 111: ");
        assertThat(said.get(4)).isEqualTo("dark");
    }

    /** Against its peers a link is grey, for it slows all of them: the map begins with the rank's own past. */
    @Test
    void aSlowLinkHasColours() throws IOException, InterruptedException {
        Path job = folder.resolve("nic");
        run("simulate", "--kind", "nic", "--topology", "tp=8,dp=4,pp=2", "--seed", "1", "--out", job.toString());
        String look = """
                const map = document.querySelector('#heat .heat canvas');
                const pixels = map.getContext('2d').getImageData(0, 0, map.width, map.height).data;
                let warm = 0;
                for (let i = 0; i < pixels.length; i += 4) if (pixels[i] - pixels[i + 2] > 80) warm++;
                document.title = [...document.querySelectorAll('#heat select')].map((s) => s.value).join() + '|' + (warm > 2000);
                """;
        Browser.Seen seen = Browser.open(with(report(job), look), folder);
        assertThat(seen.console()).isEmpty();
        assertThat(title(seen)).isEqualTo("communication,past,rank|true");
    }

    /** Without a step there is nothing to draw but who waits for whom. */
    @Test
    void aHangShowsWhoIsWaitedFor() throws IOException, InterruptedException {
        Path dumps = Files.createDirectory(folder.resolve("dumps"));
        for (int rank = 0; rank < 8; rank++) {
            int called = rank == 5 ? 40 : 41;
            Files.writeString(
                    dumps.resolve("dump_" + rank),
                    ("{'pg_config':{'0':{'name':'0','desc':'default_pg','ranks':[0,1,2,3,4,5,6,7]},'"
                                    + (rank + 1) + "':{'name':'" + (rank + 1) + "','desc':'own','ranks':[" + rank
                                    + "]}},'pg_status':{'0':{'last_enqueued_collective':" + called
                                    + ",'last_completed_collective':40},'1':{'last_enqueued_collective':1,'last_completed_collective':1}},'entries':["
                                    + (rank == 5
                                            ? ""
                                            : "{'pg_id':0,'process_group':['0','default_pg'],'profiling_name':'nccl:all_reduce',"
                                                    + "'is_p2p':false,'state':'scheduled','time_created_ns':1700000000000000041,"
                                                    + "'collective_seq_id':41}")
                                    + "]}")
                            .replace('\'', '"'));
        }
        Browser.Seen seen = Browser.open(report(dumps), folder);
        assertThat(seen.console()).isEmpty();
        assertThat(seen.dom())
                .contains("id=\"hang\"", "8 members, 1 of them waited for", "<span class=\"missing\"", "\u27155</span>")
                .contains("No steps: a flight record tells how far each rank came");
    }

    @Test
    void nothingSticksOutOfANarrowScreen() throws IOException, InterruptedException {
        String look = "document.title = document.documentElement.scrollWidth <= innerWidth"
                + " ? 'fits' : document.documentElement.scrollWidth + ' of ' + innerWidth;";
        Browser.Seen seen = Browser.open(with(page(), look), folder, "--window-size=500,900");
        assertThat(title(seen)).isEqualTo("fits");
    }

    private static void run(String... args) {
        assertThat(Run.with(Diagnoser.LOCAL, Map.of(), args).exitCode()).isZero();
    }

    private Path report(Path job) {
        Path page = folder.resolve("report.html");
        run("diagnose", job.toString(), "--format", "html", "--out", page.toString());
        return page;
    }

    /** The page with a script of the test's own behind it. */
    private Path with(Path page, String script) throws IOException {
        String open = Files.readString(page)
                .replaceAll("<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "")
                .replace("</body>", "<script>setTimeout(() => {" + script + "}, 200);</script></body>");
        return Files.writeString(folder.resolve("with.html"), open);
    }

    private static String title(Browser.Seen seen) {
        return seen.dom().replaceAll("(?s).*<title>(.*?)</title>.*", "$1");
    }

    /** What these tests would see if the page did what it must not. */
    @Test
    void seesErrorsRequestsAndRefusals() throws IOException, InterruptedException {
        Path bad = folder.resolve("bad.html");
        Files.writeString(
                bad, "<!DOCTYPE html><title>x</title><img src=\"http://argus.invalid/x\"><script>nowhere();</script>");
        Browser.Seen seen = Browser.open(bad, folder);
        assertThat(seen.requests()).anyMatch(line -> line.contains("argus.invalid"));
        assertThat(seen.console()).anyMatch(line -> line.contains("nowhere"));

        Path refused = folder.resolve("refused.html");
        Files.writeString(refused, Files.readString(page()).replace("</body>", "<script>nowhere();</script></body>"));
        assertThat(Browser.open(refused, folder).console()).anyMatch(line -> line.contains("Content Security Policy"));
    }
}
