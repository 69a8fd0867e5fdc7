package dev.argus.server.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.server.Samples;
import dev.argus.server.Served;
import dev.argus.storage.Rows;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.browser.Chromium;
import dev.argus.testkit.browser.Tab;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs, hosts, kernels, phases and stacks whose names would like to be markup: all views show them as text. */
@Requires(Need.CHROMIUM)
class HostilePageTest {
    @TempDir
    Path folder;

    private Served served;
    private Chromium browser;
    private Tab tab;

    @BeforeEach
    void start() throws Exception {
        served = new Served(folder.resolve("data"));
        Samples.fill(served.fleet, served.store, served.objects);
        String stacks = "rank 0001;Main<b>Thread;" + Samples.HOSTILE.replaceAll("[;\r\n]", " ")
                + " 12\nrank 0000;Main<b>Thread;<img src=x onerror=alert(1)> 9\nno stack\n";
        served.store.objects.add(new Rows.StoredObject(
                Samples.JOB, "stacks/a.collapsed", "live-1", "stacks", stacks.length(), Samples.EPOCH));
        served.objects.all.put("stacks/a.collapsed", stacks.getBytes(UTF_8));
        served.store.objects.add(
                new Rows.StoredObject(Samples.JOB, "timelines/b.pftrace", "live-1", "perfetto", 5, Samples.EPOCH));
        served.objects.all.put("timelines/b.pftrace", new byte[] {0x0a, 0x7f, 3, 4, 5});
        browser = Chromium.start(folder);
        tab = browser.tab();
    }

    @AfterEach
    void stop() {
        tab.close();
        browser.close();
        served.close();
    }

    private Tab at(String hash) throws Exception {
        return tab.go(served.at("/").toString() + hash)
                .until("document.querySelector('#page section') && document.getElementById('page').dataset.shown === "
                        + Tab.quoted(hash.isEmpty() ? "" : hash));
    }

    @Test
    void whatWouldLikeToBeMarkupIsText() throws Exception {
        String job = "#/job/" + URLEncoder.encode(Samples.JOB, UTF_8).replace("+", "%20");
        for (String hash : List.of(
                "",
                job,
                job + "/steps?incident=live-1",
                job + "/heat?incident=live-1",
                job + "/kernels?incident=live-1",
                job + "/waits",
                "#/incident/live-1",
                "#/incident/kept-1",
                "#/incident/live-1/stacks",
                "#/incident/live-1/timeline",
                "#/job/over",
                "#/job/over/heat",
                "#/job/over/waits",
                "#/job/over/kernels",
                "#/job/over/steps",
                "#/file")) {
            at(hash);
            tab.until("!/Reading\\.|Loading\\./.test(document.getElementById('page').innerText)");
            assertThat(tab.eval("document.querySelectorAll('#page script, #page img, #page b').length"))
                    .as(hash)
                    .isEqualTo("0");
            assertThat(tab.eval("document.getElementById('page').innerText"))
                    .as(hash)
                    .doesNotContain("\u202e", "undefined", "NaN", "[object");
            assertThat(tab.problems()).as(hash).isEmpty();
        }
        at("#/incident/live-1/stacks");
        assertThat(tab.eval("document.getElementById('stacks').innerText"))
                .contains("Main<b>Thread", "<script>alert", "1 line could not be read");
    }

    @Test
    void whatIsNotThereIsSaid() throws Exception {
        at("#/incident/nothing");
        assertThat(tab.eval("document.getElementById('page').innerText")).contains("Not found", "Try again");
        at("#/what/ever/%zz");
        assertThat(tab.eval("document.getElementById('page').innerText")).contains("Not found");
    }

    @Test
    void aServerThatIsGoneIsSaid() throws Exception {
        at("").until("document.getElementById('state').textContent.includes('live')");
        served.front.close();
        tab.until("document.getElementById('state').textContent.includes('connection lost')");
    }

    @Test
    void thePolicyRefusesWhatIsNotOfTheServer() throws Exception {
        at("");
        tab.eval(
                "(() => { const s = document.createElement('script'); s.textContent = 'window.bad = 1'; document.body.append(s); })()");
        assertThat(tab.eval("window.bad")).isEqualTo("undefined");
        assertThat(tab.problems()).anyMatch(p -> p.contains("Content Security Policy"));
    }

    @Test
    void withoutScriptsThereIsPlainText() throws Exception {
        assertThat(new String(served.get("/plain").body(), UTF_8)).contains("Argus: what makes jobs slow");
        assertThat(new String(served.get("/").body(), UTF_8)).contains("href=\"/plain\"");
    }
}
