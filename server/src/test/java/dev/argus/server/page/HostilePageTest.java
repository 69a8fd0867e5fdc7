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
                job + "/kernels?incident=kept-1",
                job + "/waits?incident=live-1",
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
    void theMapOfAJobThatIsOverIsWhatWasKept() throws Exception {
        at("#/job/over/heat").until("document.querySelector('.heat[data-state=whole]') !== null");
        assertThat(tab.eval("document.getElementById('page').innerText"))
                .contains("not watched any more", "held against all others")
                .doesNotContain("could not be loaded", "No step of its ranks");
        assertThat(tab.problems()).isEmpty();
    }

    /** The morning after: the incident is over, and the windows it was seen in are in no memory any more. */
    @Test
    void kernelsOfAnIncidentThatIsOverAreThoseThatWereKeptWithIt() throws Exception {
        at("#/job/" + URLEncoder.encode(Samples.JOB, UTF_8).replace("+", "%20") + "/kernels?incident=kept-1")
                .until("document.querySelector('#pictures .plots svg')");
        assertThat(tab.eval("document.getElementById('pictures').innerText"))
                .contains("Kept with the incident, as of ");
        assertThat(tab.problems()).isEmpty();
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

    /** Medians by selection against sorting, folding against looking at every cell. */
    @Test
    void mapsAreHeldAgainstPeersAndFoldedSoThatTheWorstStays() throws Exception {
        at("");
        String said = tab.eval("""
                import('/page/heatdata.js').then(async ({medians, pyramid, MISSING}) => {
                  let seed = 7;
                  const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; };
                  const rows = 333, columns = 70, codes = Uint16Array.from({length: rows * columns}, () => random(20) === 0 ? 0 : 20000 + random(300));
                  codes[100 * columns + 7] = 29000;
                  const map = {ranks: Int32Array.from({length: rows}, (_, i) => i), steps: Float64Array.from({length: columns}, (_, i) => i), codes};
                  const middle = await medians(map, (rank) => rank % 3), wrong = [];
                  for (let c = 0; c < columns; c++) for (let s = 0; s < 3; s++) {
                    const all = [...map.ranks].filter((r) => r % 3 === s).map((r) => codes[r * columns + c]).filter((v) => v).sort((a, b) => a - b);
                    if (middle.of[middle.set[s]][c] !== all[(all.length - 1) >> 1]) wrong.push('median of set ' + s + ' in ' + c);
                  }
                  const order = [...map.ranks].reverse(), folded = await pyramid(map, order, middle);
                  folded.levels.forEach(({rows: n, cells}, k) => {
                    for (let r = 0; r < n; r++) for (let c = 0; c < columns; c++) {
                      let most = MISSING;
                      for (let i = r << k; i < Math.min(rows, (r + 1) << k); i++) {
                        const code = codes[order[i] * columns + c];
                        if (code) most = Math.max(most, Math.max(-8192, Math.min(8192, code - middle.of[middle.set[order[i]]][c])));
                      }
                      if (cells[r * columns + c] !== most) wrong.push('level ' + k + ' row ' + r + ' column ' + c);
                    }
                  });
                  return folded.levels.length + ' levels, wrong: ' + wrong.slice(0, 5);
                })""");
        assertThat(said).isEqualTo("4 levels, wrong: ");
    }

    /** Of two ranks the slow one is the one that stands out, whichever it is. */
    @Test
    void ofTwoPeersTheSlowOneStandsOut() throws Exception {
        at("");
        String said = tab.eval("""
                import('/page/heatdata.js').then(async ({medians, pyramid}) => {
                  const map = {ranks: Int32Array.of(0, 1), steps: Float64Array.of(0, 1), codes: Uint16Array.of(20000, 26000, 27000, 21000)};
                  const folded = await pyramid(map, [0, 1], await medians(map, () => 0));
                  return [...folded.levels[0].cells].join(',');
                })""");
        assertThat(said).isEqualTo("0,5000,7000,0");
    }

    /** What is held open without new evidence costs nothing now and says when it was last seen; not of another attempt, whose steps have other numbers. Nothing is said of now where there is no now. */
    @Test
    void onlyWhatIsSeenCostsNow() throws Exception {
        at("");
        String said = tab.eval("""
                import('/page/words.js').then(({lasting, RECORD}) => {
                  const incident = {state: 'ongoing', steps: [10, 1979], attempt: 0}, job = {live: true, ended: false, heardEpochNanos: Date.now() * 1e6, newestStep: 1995, attempt: 0};
                  return [[{}, job], [{}, {...job, newestStep: 1982}], [{state: 'resolved'}, job], [{}, {...job, attempt: 1}], [{steps: null}, job], [{}, {...job, newestStep: null}],
                    [{}, {...job, heardEpochNanos: (Date.now() - 77000) * 1e6}], [{}, {...job, ended: true}], [{state: 'resolved', endedWithJob: true}, {...job, ended: true}],
                    [{state: 'resolved', endedWithJob: true}, {...job, attempt: 1}], [{}, {...job, live: false}], [{}, null], [{}, undefined], [{}, RECORD], [{state: 'resolved'}, RECORD]]
                    .map(([more, j]) => { const {word, cost} = lasting({...incident, ...more}, j); return word + ': ' + cost; }).join('|');
                })""");
        assertThat(said.split("\\|"))
                .containsExactly(
                        "not over yet, last seen in step 1,979, not seen for 16 steps: Cost while seen",
                        "going on: Costs now",
                        "over: Cost while it lasted",
                        "going on: Costs now",
                        "going on: Costs now",
                        "going on: Costs now",
                        "going on when the job was last heard, 77 seconds ago: Cost when last heard",
                        "its job ended while it was going on: Cost while it was seen",
                        "over: its job ended while it was going on: Cost while it lasted",
                        "over: its attempt ended while it was going on: Cost while it lasted",
                        "not over when its job was last watched: Cost while it was seen",
                        "not over when its job was last watched: Cost while it was seen",
                        "not over when its job was last watched: Cost while it was seen",
                        "going on where the record ends: Cost while it lasted",
                        "over within the record: Cost while it lasted");
    }

    /** A timeline opens at the first step of the incident that was recorded, where it has one. */
    @Test
    void timelinesOpenAtTheFirstLateStep() throws Exception {
        at("");
        String said = tab.eval("""
                import('/page/timeline.js').then(({stepsIn}) => {
                  const slices = [7, 8, 9, 10, 11].map((n) => ({name: 'step ' + n, start: 100 * n, end: 100 * n + 99})), processes = [{tracks: [{slices}]}, {tracks: [{slices: [{name: 'step 10', start: 990, end: 1120}, {name: 'a step 3', start: 0, end: 1}]}]}];
                  return [[10, 19], [11, 19], [1, 9], [20, 30], null].map((steps) => { const {all, at, first} = stepsIn(processes, {steps}); return [all[0], all.at(-1), at, first?.start, first?.end].join(); }).join('|');
                })""");
        assertThat(said).isEqualTo("7,11,10,990,1120|7,11,11,1100,1199|7,11,7,700,799|7,11,,,|7,11,,,");
    }

    /** A job of which ranks say nothing does not look healthy; one whose ranks all report does. */
    @Test
    void silentRanksAreNotHealth() throws Exception {
        at("");
        String said = tab.eval("""
                import('/page/overview.js').then(({jobState}) => {
                  const job = {live: true, heardEpochNanos: 0, ranks: 16, reporting: 16, silent: 0, newestStep: 9, standing: false};
                  return [[{}, []], [{silent: 2, reporting: 14}, []], [{silent: 0, reporting: 0}, []], [{silent: 9, reporting: 7}, []], [{newestStep: null, reporting: 3}, []],
                    [{silent: 1, reporting: 15}, [{severity: 'warning'}]], [{}, [{severity: 'warning'}, {severity: 'critical'}]],
                    [{gone: 1, reporting: 15}, []], [{gone: 1, silent: 1, reporting: 14}, []], [{gone: 16, reporting: 0, ended: true, saidEnd: true}, []], [{gone: 16, reporting: 0, ended: true, ending: '16 are gone'}, []]].map(([more, open]) => jobState({...job, ...more}, open).join(' ')).join('|');
                })""");
        assertThat(said)
                .isEqualTo(
                        "good \u2713 nothing found|warn ? 2 ranks silent|bad ? all 16 ranks silent|bad ? 9 ranks silent"
                                + "|warn \u2026 no step has ended yet|warn ! 1 incident, 1 rank silent|bad ! 2 incidents"
                                + "|warn ? 1 rank ended|warn ? 2 ranks silent or ended|ended \u25a1 ended|warn \u25a1 ended: 16 are gone");
    }

    /** Of an incident: its steps and the rows near its suspects; all where it accuses nobody or its steps are not there. */
    @Test
    void mapsOpenAtTheIncident() throws Exception {
        at("");
        String said = tab.eval("""
                import('/page/heatstart.js').then(({accusedOf, nearness, opening}) => {
                  const shape = {worldSize: 1000, hostOf: (r) => 'n' + Math.floor(r / 8), peersOf: (r) => Math.floor(r / 500)};
                  const steps = Float64Array.from({length: 400}, (_, i) => 100 + i), shown = (incident, ordered) => {
                    const accused = accusedOf(incident, shape), near = nearness(accused, shape), ranks = [...Array(1000).keys()];
                    if (ordered) ranks.sort((a, b) => near(a) - near(b) || a - b);
                    const {view, inside} = opening(ranks, steps, incident, accused, ordered ? near : null);
                    return [ranks[0], view.top, view.bottom, view.left, view.right, inside].join();
                  };
                  return [shown({ranks: [700], steps: [200, 229]}, true), shown({ranks: [], hosts: ['n3'], steps: [200, 209]}, true), shown({ranks: [700], steps: [200, 229]}, false),
                    shown({ranks: [], steps: [200, 209]}, false), shown({ranks: [5], steps: [1, 9]}, true), shown(undefined, false)].join('|');
                })""");
        assertThat(said)
                .isEqualTo("700,0,40,88,142,true|24,0,40,88,122,true|0,692,709,88,142,true|0,0,1000,88,122,true"
                        + "|5,0,40,0,400,false|0,0,1000,0,400,true");
    }

    /** Ranks one by one are written as ranges; ticks are round; times have their zone. */
    @Test
    void numbersAreWrittenForPeople() throws Exception {
        at("");
        String said = tab.eval("""
                import('/page/words.js').then(({compact, round, clock, confidence}) => [compact('of ranks 0,1,2,3,4,5,6,7,16 alone'), compact('1,2,3'), compact('4,3,2,1'), round(0, 3.13, 5).map((v) => v.toFixed(1)).join(),
                  round(3, 51, 4, 1).join(), clock(new Date(0)).replace('\u00a0', ' '), confidence(0.96).split(' (')[0]].join('|'))""");
        assertThat(said)
                .isEqualTo(
                        "of ranks 0-7,16 alone|1,2,3|4,3,2,1|0.0,1.0,2.0,3.0|20,40|1970-01-01 00:00:00 UTC|almost certain");
    }

    /** What ends before its time, or is none, is an error that says so. */
    @Test
    void mapsThatAreCutAreRefused() throws Exception {
        at("");
        String said = tab.eval("""
                import('/page/heatdata.js').then(({decode}) => {
                  const whole = [65, 82, 71, 72, 1, 1, 0, 2, 0, 2, 2, 10, 2, 1, 0, 2, 0, 3, 0, 4, 0], said = [decode(Uint8Array.from(whole).buffer).codes.join()];
                  for (let n = 0; n < whole.length; n++) try { decode(Uint8Array.from(whole.slice(0, n)).buffer); said.push('took ' + n); } catch (e) { if (!(e instanceof RangeError)) said.push(String(e)); }
                  try { decode(Uint8Array.from([65, 82, 71, 72, 2]).buffer); } catch (e) { said.push(e.message); }
                  return said.join('|');
                })""");
        assertThat(said).isEqualTo("1,2,3,4|the heat map is of version 2, expected 1");
    }

    @Test
    void withoutScriptsThereIsPlainText() throws Exception {
        assertThat(new String(served.get("/plain").body(), UTF_8)).contains("Argus: what makes jobs slow");
        assertThat(new String(served.get("/").body(), UTF_8)).contains("href=\"/plain\"");
    }
}
