package dev.argus.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens a file in a browser without a window and says what came of it. Requests go nowhere: their proxy is a closed port. The browser's own log of the
 * network says which ones a page made.
 */
final class Browser {
    private static final int MOST_SECONDS = 120;
    private static final Pattern INITIATOR = Pattern.compile("\"initiator\":\"([^\"]*)\"");
    private static final Pattern URL = Pattern.compile("\"url\":\"([^\"]*)\"");

    /**
     * What came of a page.
     *
     * @param dom the document after its scripts ran, as markup
     * @param console what was written to the console: errors, and what the policy refused
     * @param requests addresses that the page asked for
     */
    record Seen(String dom, List<String> console, List<String> requests) {}

    private Browser() {}

    static Seen open(Path page, Path scratch, String... more) throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory(scratch, "profile");
        Path out = scratch.resolve("dom.html");
        Path err = scratch.resolve("log.txt");
        Path net = scratch.resolve("net.json");
        List<String> command = new ArrayList<>(List.of(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-default-apps",
                "--disable-sync",
                "--disable-extensions",
                "--no-pings",
                "--disable-features=OptimizationHints,MediaRouter,Translate",
                "--user-data-dir=" + profile,
                "--proxy-server=http://127.0.0.1:1",
                "--log-net-log=" + net,
                "--enable-logging=stderr",
                "--window-size=1240,2000",
                "--virtual-time-budget=4000"));
        command.addAll(List.of(more));
        command.add("--dump-dom");
        command.add(page.toUri().toString());
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(
                    "the browser did not end within " + MOST_SECONDS + " s; its log: " + Files.readString(err));
        }
        List<String> console = Files.readString(err, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(":CONSOLE"))
                .toList();
        return new Seen(Files.readString(out, StandardCharsets.UTF_8), console, requests(net));
    }

    /** One event a line; what the browser asks for itself has no page that it comes from. */
    private static List<String> requests(Path net) throws IOException {
        List<String> requests = new ArrayList<>();
        for (String line : Files.readAllLines(net, StandardCharsets.UTF_8)) {
            Matcher initiator = INITIATOR.matcher(line);
            Matcher url = URL.matcher(line);
            if (initiator.find() && !initiator.group(1).equals("not an origin") && url.find()) {
                requests.add(url.group(1));
            }
        }
        return requests;
    }
}
