package dev.argus.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Opens a file in a browser without a window and says what came of it. Every request to any host goes to a proxy of ours, which answers none and
 * remembers all.
 */
final class Browser {
    private static final int MOST_SECONDS = 120;

    /**
     * What came of a page.
     *
     * @param dom the document after its scripts ran, as markup
     * @param console what was written to the console: errors, and what the policy refused
     * @param requests first lines of all requests to hosts
     */
    record Seen(String dom, List<String> console, List<String> requests) {}

    private Browser() {}

    static Seen open(Path page, Path scratch, String... more) throws IOException, InterruptedException {
        List<String> requests = Collections.synchronizedList(new ArrayList<>());
        try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> listen(proxy, requests));
            Path profile = Files.createTempDirectory(scratch, "profile");
            Path out = scratch.resolve("dom.html");
            Path err = scratch.resolve("log.txt");
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
                    "--proxy-server=http://127.0.0.1:" + proxy.getLocalPort(),
                    "--proxy-bypass-list=<-loopback>",
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
            return new Seen(Files.readString(out, StandardCharsets.UTF_8), console, List.copyOf(requests));
        }
    }

    private static void listen(ServerSocket proxy, List<String> requests) {
        while (!proxy.isClosed()) {
            try (Socket socket = proxy.accept();
                    InputStream in = socket.getInputStream()) {
                byte[] begin = new byte[200];
                int n = in.read(begin);
                requests.add(new String(begin, 0, Math.max(0, n), StandardCharsets.ISO_8859_1)
                        .lines()
                        .findFirst()
                        .orElse("nothing"));
            } catch (IOException e) {
                // closed: the browser has ended, or hung up
            }
        }
    }
}
