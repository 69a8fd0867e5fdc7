package dev.argus.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.RankState;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.browser.Chromium;
import dev.argus.testkit.browser.Tab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser against a whole server that watches a job with a slow rank. With {@code -Dargus.pictures=FOLDER} it leaves pictures of all views. */
@Requires(Need.CHROMIUM)
class PageTest {
    @TempDir
    private static Path folder = Path.of("");

    private static PlayedServer played;
    private static Chromium browser;
    private Tab tab;

    @BeforeAll
    static void start() throws Exception {
        played = new PlayedServer(folder.resolve("data"));
        browser = Chromium.start(folder);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (played != null) {
            played.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        tab = browser.tab();
    }

    /** Errors on the console, exceptions, refusals of the policy, requests elsewhere. */
    @AfterEach
    void nothingWentWrong() {
        assertThat(tab.problems()).isEmpty();
        tab.close();
    }

    private Tab at(String hash) throws IOException, InterruptedException {
        return tab.go(played.at("/" + hash).toString())
                .until("document.querySelector('#page section') && document.getElementById('page').dataset.shown === "
                        + Tab.quoted(hash.isEmpty() ? "" : hash));
    }

    private void picture(String name) throws IOException, InterruptedException {
        String where = System.getProperty("argus.pictures");
        if (where == null) {
            return;
        }
        Path to = Files.createDirectories(Path.of(where));
        tab.picture(to.resolve(name + "-light.png"));
        tab.eval("document.getElementById('theme').click()");
        tab.eval("new Promise((go) => setTimeout(go, 300))");
        tab.picture(to.resolve(name + "-dark.png"));
        tab.eval("document.getElementById('theme').click()");
        tab.eval("new Promise((go) => setTimeout(go, 300))");
    }

    private String text(String selector) throws IOException, InterruptedException {
        return tab.eval("document.querySelector(" + Tab.quoted(selector) + ").innerText")
                .replace('\u00a0', ' ');
    }

    @Test
    void threeClicksFromTheOverviewToTheStacks() throws Exception {
        at("").until("document.querySelector('li.incident a.sentence')");
        assertThat(text("#card")).contains("open incident");
        assertThat(text("#jobs")).contains(PlayedServer.JOB, "of", "ranks");
        assertThat(text("#incidents"))
                .contains(
                        "those that cost most now first",
                        "costs now: ",
                        " % of the step time, ",
                        "GPU-hours each hour");
        picture("overview");

        tab.click("li.incident a.sentence").until("document.querySelector('#why')");
        assertThat(text("#card h1")).contains("rank " + PlayedServer.SUSPECT);
        assertThat(text("#card")).contains("What to do", "Confidence", "GPU-", "Coverage");
        assertThat(text("#card"))
                .contains("Costs now", "of the step time, ", "Cost so far", " % of the time of the job")
                .doesNotContain("until it was over");
        assertThat(text("#life")).contains("Noticed", "began ", " % of the step time while it lasts");
        assertThat(text("#why")).contains("Threshold");
        assertThat(text("#life")).isNotEmpty();
        assertThat(text("#waits")).contains("rank " + PlayedServer.SUSPECT);
        picture("incident");

        tab.click("a[href$='/stacks']").until("document.querySelector('.flame .frame')");
        assertThat(text("#stacks")).contains("Suspects: rank " + PlayedServer.SUSPECT, "poll (selectors.py:416)");
        tab.eval("document.querySelector('.flame .frame[tabindex=\"0\"]').focus()");
        tab.press("ArrowDown").press("ArrowDown");
        assertThat(text("#stacks .readout")).contains("train (train.py:88)", "of the suspects", "of the peers");
        picture("stacks");
    }

    private String incident() {
        return played.server
                .fleet()
                .job(PlayedServer.JOB)
                .orElseThrow()
                .incidents()
                .getFirst()
                .id();
    }

    @Test
    void theHeatMapNamesTheCellUnderTheMouseAndTheKeys() throws Exception {
        at("#/job/" + PlayedServer.JOB + "/heat?incident=" + incident())
                .until("document.querySelector('.heat')?.dataset.state === 'whole'");
        int warm = Integer.parseInt(
                tab.eval(
                        "(() => { const c = document.querySelector('.heat canvas'); const p = c.getContext('2d')"
                                + ".getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 0; i < p.length; i += 4) if (p[i] - p[i + 2] > 60) n++; return n; })()"));
        assertThat(warm).as("pixels of the slow rank").isGreaterThan(1000);
        // The accused come first, and what is shown are the steps of the incident with some around them.
        tab.hover(".heat canvas", 400, 5);
        assertThat(text("#heat-readout")).contains("rank " + PlayedServer.SUSPECT, "step ", "own time", "peers");
        tab.eval("document.querySelector('.heat canvas').focus()");
        tab.until("!location.hash.includes('at=')");
        tab.press("0").until("location.hash.includes('at=all')");
        tab.press("i").until("!location.hash.includes('at=')");
        tab.press("Home").press("End");
        assertThat(text("#heat-readout")).contains("rank " + PlayedServer.SUSPECT, "accused");
        tab.press("Enter").until("document.querySelector('#cell dl')");
        assertThat(text("#cell")).contains("compute", "exposed communication");
        picture("heat");
        tab.press("+").press("+").press("a");
        tab.until("location.hash.includes('as=past') && location.hash.includes('at=')");
        String link = tab.eval("location.href");
        tab.go("about:blank").go(link).until("document.querySelector('.heat')?.dataset.state === 'whole'");
        tab.until("document.querySelector('#heat-readout').textContent.includes('accused')");
        assertThat(tab.eval("document.querySelectorAll('#heat select')[1].value"))
                .isEqualTo("past");
    }

    @Test
    void aRankIsFoundByTheKeyboardAndStaysInTheAddress() throws Exception {
        String job = "#/job/" + PlayedServer.JOB;
        at(job).until("document.querySelector('#chart svg')");
        look("9999");
        assertThat(text("#find-said")).contains("There is no rank 9999 here. The job has ranks 0 to ");
        look("nobody");
        assertThat(text("#find-said")).contains("Nothing in this job is called", "ranks 0 to ", "host");
        look("a".repeat(9000));
        assertThat(text("#find-said")).contains("longer than 300 characters");
        look("rank " + PlayedServer.SUSPECT).until("document.querySelector('#found table')");
        assertThat(text("#found h2")).startsWith("Rank " + PlayedServer.SUSPECT + " on ");
        assertThat(text("#found tbody")).contains("accused", "x");
        assertThat(text("#found")).contains("Peers, which do the same work", "other ranks", "own time");
        assertThat(tab.eval("document.activeElement.id")).isEqualTo("found-heat");
        picture("found");
        String link = tab.eval("location.href");
        assertThat(link).contains("find=rank+" + PlayedServer.SUSPECT);
        tab.go("about:blank").go(link).until("document.querySelector('#found table')");

        tab.eval("document.querySelector('#found-heat').focus()");
        tab.press("Enter").until("document.querySelector('.heat')?.dataset.state === 'whole'");
        tab.until(
                "document.querySelector('#heat-readout').textContent.startsWith('rank " + PlayedServer.SUSPECT + " ')");
        assertThat(text("#heat .legend")).contains("what you look for");
        assertThat(accentPixels()).as("a mark at the row").isGreaterThan(20);
        look("5").until("document.querySelector('#heat-readout').textContent.startsWith('rank 5 ')");
        tab.until("location.hash.includes('find=5') && location.hash.includes('cell=5%2C')");
        picture("heat-found");
        tab.press("o").until("location.hash.includes('by=host')");
        assertThat(text("#heat-readout")).startsWith("rank 5 ");
        tab.press("/").press("Escape").until("!location.hash.includes('find=')");
        tab.until("!document.querySelector('#heat .legend').textContent.includes('what you look for')");

        at("#/incident/" + incident()).until("document.querySelector('#why')");
        String host = Objects.requireNonNull(played.server
                        .fleet()
                        .job(PlayedServer.JOB)
                        .orElseThrow()
                        .shape())
                .hostOf(PlayedServer.SUSPECT);
        look(host.toUpperCase(Locale.ROOT).replaceFirst("(\\d+)", "00$1"))
                .until("document.querySelector('#found table')");
        assertThat(text("#found h2"))
                .as("zeros before a number do not matter, and a name stands as it is")
                .startsWith(host + ": ");
        look(host).until("document.activeElement.id === 'found-heat'"); // what was found before had a table, too
        assertThat(text("#found")).contains("accused by this incident", "on a host of the accused");
        tab.press("Enter").until("document.querySelector('.heat')?.dataset.state === 'whole'");
        assertThat(tab.eval("location.hash")).contains("incident=", "find=" + host);
    }

    /** Types into the field that the key leads to, and sends it off. */
    private Tab look(String text) throws Exception {
        tab.press("/").until("document.activeElement.matches('.find input')");
        tab.eval("document.activeElement.value = " + Tab.quoted(text));
        return tab.press("Enter").until("location.hash.includes('find=')");
    }

    private int accentPixels() throws Exception {
        return Integer.parseInt(
                tab.eval(
                        "(() => { const c = document.querySelector('.heat .over'), p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0;"
                                + " for (let i = 0; i < p.length; i += 4) if (p[i + 3] > 200 && p[i + 2] - p[i] > 90) n++; return n; })()"));
    }

    @Test
    void whatNoPhaseCoversIsAChoiceWherePhasesAreRecorded() throws Exception {
        String job = "#/job/" + PlayedServer.JOB;
        at(job).until("document.querySelector('#phases table')");
        assertThat(text("#phases"))
                .contains(
                        "outside phases",
                        "Outside phases: time of the step that no phase covers.",
                        "A phase holds the waits for other ranks within it");
        at("").until("document.querySelector('#jobs')");
        tab.press("/").until("document.querySelector('#notice').textContent");
        assertThat(text("#notice")).contains("found in a job");
        at(job).until("document.querySelector('#phases table')");
        tab.click("#phases a").until("document.querySelector('.heat')?.dataset.state === 'whole'");
        assertThat(tab.eval("document.querySelector('#heat select').value")).isEqualTo("outside");
        assertThat(tab.eval("document.querySelectorAll('#heat select')[1].value"))
                .isEqualTo("time");
        tab.eval("document.querySelector('.heat canvas').focus()");
        tab.press("End");
        assertThat(text("#heat-readout")).contains("us of time outside phases (what no phase covers)");
        picture("heat-outside");
        tab.press("m").until("location.hash.includes('show=own') && location.hash.includes('as=ratio')");
    }

    @Test
    void stepsKernelsWaitsAndTheTimelineAreLinks() throws Exception {
        String of = "?incident=" + incident();
        String job = "#/job/" + PlayedServer.JOB;
        at(job + "/steps" + of).until("document.querySelector('#steps svg .main')");
        tab.eval("document.querySelector('#steps svg').focus()");
        tab.press("End");
        assertThat(text("#step-readout")).contains("step 41,", "on most ranks", "on the slowest");
        picture("steps");
        at(job + "/kernels" + of).until("document.querySelector('#pictures .plots svg, #pictures .note')");
        assertThat(text("#pictures")).contains("rank " + PlayedServer.SUSPECT);
        assertThat(text("#ranking")).contains("longer");
        assertThat(text("#ranking h2")).contains("in the last window of each that began in steps ");
        picture("kernels");
        at(job + "/waits" + of).until("document.querySelector('#waits table')");
        picture("waits");
        at("#/incident/" + incident() + "/timeline").until("document.querySelector('#timeline canvas')");
        tab.eval("document.querySelector('#timeline canvas').focus()");
        tab.press("ArrowDown").press(".");
        assertThat(text("#timeline")).contains("Steps 0 to 5 recorded, of an incident in steps ", ": none of its own");
        assertThat(text("#slice-readout")).contains("rank 000");
        tab.press("ArrowUp");
        toACollective();
        assertThat(text("#slice-readout"))
                .contains(String.format("rank %04d", PlayedServer.SUSPECT), "AllReduce", "came last of those drawn");
        tab.press("ArrowDown").press("ArrowDown");
        toACollective();
        assertThat(text("#slice-readout"))
                .contains(
                        "rank 0001",
                        "AllReduce",
                        "of which",
                        String.format("waiting for rank %04d", PlayedServer.SUSPECT));
        assertThat(text("#files")).contains("download", "leaves this host");
        picture("timeline");
        at(job).until("document.querySelector('#chart svg')");
        picture("job");
        at("#/file");
        picture("file");
    }

    /** On to the next collective of the track. */
    private void toACollective() throws Exception {
        for (int i = 0; i < 20 && !text("#slice-readout").contains("AllReduce"); i++) {
            tab.press(".");
        }
    }

    @Test
    void aStepIsSeenSoonAfterItCame() throws Exception {
        at("#/job/" + PlayedServer.JOB).until("document.getElementById('state').textContent.includes('live')");
        long step = played.step();
        tab.until("document.getElementById('card').textContent.includes('" + String.format("%,d", step) + "')");
        at("#/job/" + PlayedServer.JOB + "/waits").until("document.querySelector('#waits table')");
        assertThat(text("#waits tbody")).contains("\u25b6 rank " + PlayedServer.SUSPECT);
        assertThat(text("#waits")).contains("accused by an open incident");
        at("#/job/" + PlayedServer.JOB + "/heat").until("document.querySelector('.heat')?.dataset.state === 'whole'");
        assertThat(text("#heat .legend")).contains("ranks accused by open incidents");
        assertThat(tab.eval("document.querySelectorAll('#heat select')[2].value"))
                .isEqualTo("rank");
        picture("heat-job");
        played.step();
        tab.until("/newer step/.test(document.getElementById('heat').textContent)");
    }

    /** Missing is not healthy: a job that was killed while an incident went on is not green anywhere, and has no now. */
    @Test
    void aJobThatIsKilledHasNoNow() throws Exception {
        try (PlayedServer other = new PlayedServer(folder.resolve("killed"))) {
            String at = other.at("/").toString();
            other.end(RankState.ProcessState.GONE);
            tab.go(at).until("document.getElementById('page')?.innerText.includes('Going on when their job ended')");
            assertThat(text("#card h1"))
                    .isEqualTo(
                            "No job goes on now: 1 job ended, 1 of them with an incident going on, 1 without having said so");
            assertThat(tab.eval("document.getElementById('card').className")).isEqualTo("card warn");
            assertThat(text("#jobs"))
                    .contains(
                            "ended: ", "gone without having said that they end", "0 of ", "have ended", "the last was ")
                    .doesNotContain(" the usual ");
            assertThat(text("#incidents"))
                    .contains("its job ended while it was going on", "cost while it lasted: ", "No job goes on.")
                    .doesNotContain("costs now");
            picture("overview-killed");
            tab.click("li.incident a.sentence").until("document.querySelector('#why')");
            assertThat(text("#card"))
                    .contains("over: its job ended while it was going on, which was noticed ", "Cost while it lasted")
                    .contains("0 of ", "; ended: 0-")
                    .doesNotContain("Costs now", "when the last step that it touched ended");
            picture("incident-killed");
            tab.go(at + "#/job/" + PlayedServer.JOB).until("document.querySelector('#phases')");
            assertThat(text("#card"))
                    .contains("ended: ", ", its last, ", "0 of ")
                    .doesNotContain(" the usual ");
            assertThat(text("#phases")).contains("Phases of the last step that was seen", "waits for its own GPU");
            picture("job-killed");
            tab.go("about:blank").until("location.href === 'about:blank'"); // it listens no longer when its server goes
        }
    }

    /** A record has no now. */
    @Test
    void aVerdictFromAFileSaysNothingOfNow() throws Exception {
        at("#/file");
        tab.eval("""
                (() => {
                  const incident = {id: 'a', kind: 'link-degraded', scope: 'link', severity: 'critical', confidence: 0.97, levels: ['L1', 'L2'], state: 'ongoing', sinceEpochNanos: (Date.now() - 475 * 86400000) * 1e6, untilEpochNanos: null,
                    attempt: 0, ranks: [3], gpus: [{rank: 3, host: 'n0', index: 3, uuid: null}], hosts: ['n0'], groups: [], steps: [275, 280], kernels: [], direction: null, summary: 'the link of rank 3 is slow', explanation: '', advice: 'replace it', evidence: [],
                    cost: {stepRatio: 0.3, gpuSeconds: 17.8, duringRatio: 0.391}};
                  const verdict = {schema: 'argus.verdict/1', job: {ranks: 8, hosts: 1, steps: [270, 280]}, quality: {ranksRead: 8, ranksExpected: 8}, incidents: [incident], observations: []};
                  const data = new DataTransfer();
                  data.items.add(new File([JSON.stringify(verdict)], 'verdict.json', {type: 'application/json'}));
                  document.querySelector('#open').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
                })()""");
        tab.until("document.getElementById('page').innerText.includes('the link of rank 3 is slow')");
        assertThat(text("#page"))
                .contains("going on where the record ends", "Cost while it lasted", "steps 275 to 280", "39.1 %")
                .doesNotContain("Costs now", " days", "Cost so far");
        picture("file-verdict");
    }

    @Test
    void theKeyboardIsEnough() throws Exception {
        at("").until("document.querySelector('li.incident a.sentence')");
        for (int i = 0;
                i < 20 && !"true".equals(tab.eval("document.activeElement.matches('li.incident a.sentence')"));
                i++) {
            tab.press("Tab");
        }
        tab.press("Enter").until("document.querySelector('#why')");
        for (int i = 0;
                i < 40 && !"true".equals(tab.eval("document.activeElement.matches('a[href$=\"/stacks\"]')"));
                i++) {
            tab.press("Tab");
        }
        tab.press("Enter").until("document.querySelector('.flame .frame')");
        tab.press("Escape").until("document.querySelector('#why')");
        tab.press("Escape").until("document.querySelector('#jobs')");
        tab.press("?").until("document.getElementById('help').open");
        picture("keys");
        tab.press("Escape").until("!document.getElementById('help').open");
        tab.press("?").until("document.getElementById('help').open");
        tab.eval("location.hash = '#/file'");
        tab.until(
                "!document.getElementById('help').open && document.getElementById('page').dataset.shown === '#/file'");
        String theme = tab.eval("document.documentElement.dataset.theme");
        tab.press("t");
        assertThat(tab.eval("document.documentElement.dataset.theme")).isNotEqualTo(theme);
        tab.press("t");
    }

    @Test
    void nothingSticksOutOfANarrowScreen() throws Exception {
        tab.size(400, 800);
        String job = "#/job/" + PlayedServer.JOB;
        String of = "?incident=" + incident();
        for (String hash : new String[] {
            "", job, "#/incident/" + incident(), job + "/heat" + of, job + "/steps" + of, job + "/kernels" + of
        }) {
            at(hash);
            tab.until("!/Working|Loading/.test(document.getElementById('page').innerText)");
            picture("narrow-" + hash.replaceAll("\\?.*", "").replaceAll(".*/", ""));
            assertThat(tab.eval("document.documentElement.scrollWidth <= innerWidth"))
                    .as(hash + " " + tab.eval("document.documentElement.scrollWidth"))
                    .isEqualTo("true");
        }
    }
}
