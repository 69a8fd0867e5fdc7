package dev.argus.benchmarks;

import dev.argus.testkit.Need;
import dev.argus.testkit.browser.Chromium;
import dev.argus.testkit.browser.Tab;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/**
 * The page of a server in a real browser without a window, which draws by software: the heat map of 12,960 ranks by 1,000 steps, from the first byte of the page to the picture, and how it
 * moves.
 */
@SuppressWarnings("InlineFormatString") // the script is told apart from what is put into it
final class UiBench implements Bench {
    private static final int RANKS = 12_960;
    private static final int STEPS = 1_000;
    private static final int LOADS = 3;
    private static final int FRAMES = 60;

    /** Turns the wheel, or presses a key, once for each picture that the browser shows; says how many pictures the map drew in how many milliseconds. */
    private static final String MOVE = """
            new Promise((done) => {
              const box = document.querySelector('.heat'), map = box.querySelector('canvas'), at = map.getBoundingClientRect();
              map.focus();
              const before = Number(box.dataset.frames), begun = performance.now();
              let n = 0;
              const next = () => {
                if (n++ === %d) { done((Number(box.dataset.frames) - before) + ' ' + (performance.now() - begun)); return; }
                map.dispatchEvent(new WheelEvent('wheel', {deltaY: %s, shiftKey: %s, clientX: at.x + at.width / 2, clientY: at.y + at.height / 3, bubbles: true, cancelable: true}));
                requestAnimationFrame(next);
              };
              requestAnimationFrame(next);
            })""";

    @Override
    public String name() {
        return "ui";
    }

    @Override
    public String about() {
        return "the page of a server in a browser: heat map of 12,960 ranks by 1,000 steps";
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, InterruptedException, CannotMeasure {
        if (!Need.CHROMIUM.isMet()) {
            throw new CannotMeasure("there is no browser: " + Need.CHROMIUM.remedy());
        }
        request.progress().accept("making a job of " + RANKS + " ranks");
        try (Scratch scratch = new Scratch();
                MadeServer server = new MadeServer(scratch.folder("data"), new MadeFleet(RANKS, STEPS));
                Chromium browser = Chromium.start(scratch.folder("browser"))) {
            List<Figure> figures = new ArrayList<>();
            figures.add(weight(server));
            List<Double> first = new ArrayList<>();
            List<Double> whole = new ArrayList<>();
            for (int i = -1; i < LOADS; i++) { // the first warms the server up
                request.progress().accept("loading the map");
                try (Tab tab = browser.tab()) {
                    load(server, tab);
                    if (i >= 0) {
                        first.add(Double.parseDouble(tab.eval("document.querySelector('.heat').dataset.first")) / 1e3);
                        whole.add(Double.parseDouble(tab.eval("document.querySelector('.heat').dataset.whole")) / 1e3);
                    }
                }
            }
            String how =
                    "headless browser, software rendering, the server in the same machine; from the start of the navigation to ";
            figures.add(Figure.median(
                    "firstPaintSeconds", "s", first, how + "the first picture (newest 64 steps)", Bar.atMost(1)));
            figures.add(Figure.median("wholeMapSeconds", "s", whole, how + "the picture of all steps", null));
            try (Tab tab = browser.tab()) {
                load(server, tab);
                request.progress().accept("zooming and moving");
                figures.add(rate("zoomFramesPerSecond", tab, "nearer and farther", List.of("-100", "100"), false));
                tab.press("0");
                for (int i = 0; i < 8; i++) {
                    tab.eval(
                            "document.querySelector('.heat canvas').dispatchEvent(new KeyboardEvent('keydown', {key: '+', bubbles: true}))");
                }
                figures.add(rate("panFramesPerSecond", tab, "down and up the ranks", List.of("100", "-100"), true));
                long bytes = browser.largestPageBytes();
                if (bytes > 0) {
                    figures.add(Figure.single(
                            "pageMemoryBytes",
                            "B",
                            (double) bytes,
                            "resident memory of the process that shows the page, the browser's own part of it included",
                            Bar.atMost(500e6)));
                }
                if (!tab.problems().isEmpty()) {
                    request.progress().accept("the page said: " + tab.problems());
                }
            }
            return figures;
        }
    }

    private static void load(MadeServer server, Tab tab) throws IOException, InterruptedException {
        tab.go(server.address() + "#/job/" + MadeFleet.JOB + "/heat")
                .until("document.querySelector('.heat')?.dataset.state === 'whole'");
    }

    private static Figure rate(String name, Tab tab, String what, List<String> turns, boolean shift)
            throws IOException, InterruptedException {
        List<Double> rates = new ArrayList<>();
        for (String turn : turns) {
            String[] said = tab.eval(MOVE.formatted(FRAMES, turn, shift)).split(" ", -1);
            rates.add(1000 * Double.parseDouble(said[0]) / Double.parseDouble(said[1]));
        }
        return Figure.median(
                name,
                "1/s",
                rates,
                "pictures of the map while the wheel turns " + FRAMES + " times, " + what
                        + "; software rendering; the browser shows at most 60 a second",
                Bar.atLeast(30));
    }

    private static Figure weight(MadeServer server) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String path : server.page.paths()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + path.substring(1)))
                    .header("Accept-Encoding", "gzip")
                    .build();
            all.write(client.send(request, BodyHandlers.ofByteArray()).body());
        }
        return Figure.count(
                "pageBytes", "B", all.size(), "all files of the page as they are sent, packed", Bar.atMost(300e3));
    }
}
