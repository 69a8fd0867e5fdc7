package dev.argus.testkit.browser;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running browser without a window, software rendering. Its profile is new; requests to other machines go to a closed port. Pages of it are driven one by one ({@link Tab}).
 *
 * <p>Closing it ends the process it started, and no other.
 */
public final class Chromium implements AutoCloseable {
    private static final long START_SECONDS = 120;
    private static final long END_SECONDS = 20;
    private static final Pattern SOCKET = Pattern.compile("\"webSocketDebuggerUrl\":\\s*\"([^\"]+)\"");

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    private Chromium(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts one.
     *
     * @param scratch folder for its profile and its log
     * @param more options for the browser
     */
    public static Chromium start(Path scratch, String... more) throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory(scratch, "profile");
        Path log = profile.resolve("log.txt");
        List<String> command = new ArrayList<>(List.of(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-default-apps",
                "--disable-sync",
                "--disable-extensions",
                "--disable-popup-blocking",
                "--no-pings",
                "--disable-features=OptimizationHints,MediaRouter,Translate",
                "--user-data-dir=" + profile,
                "--proxy-server=http://127.0.0.1:1",
                "--proxy-bypass-list=127.0.0.1",
                "--remote-debugging-port=0",
                "--window-size=1280,900"));
        command.addAll(List.of(more));
        command.add("about:blank");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Path told = profile.resolve("DevToolsActivePort");
        for (long i = 0; i < START_SECONDS * 20; i++) {
            if (!process.isAlive()) {
                throw new IOException("the browser ended with " + process.exitValue() + ": " + Files.readString(log));
            }
            List<String> lines = Files.exists(told) ? Files.readAllLines(told) : List.of();
            if (lines.size() > 1) {
                return new Chromium(process, Integer.parseInt(lines.getFirst()));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        end(process);
        throw new IOException(
                "the browser did not start within " + START_SECONDS + " s; its log: " + Files.readString(log));
    }

    /** Opens an empty tab. */
    public Tab tab() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        String answer = client.send(request, BodyHandlers.ofString()).body();
        Matcher socket = SOCKET.matcher(answer);
        if (!socket.find()) {
            throw new IOException("the browser opened no tab: " + answer);
        }
        return new Tab(client, URI.create(socket.group(1)));
    }

    /** Bytes of memory of the largest process that shows pages: what a heavy page takes, shared parts of the browser included. -1 where the system does not tell. */
    public long largestPageBytes() {
        return process.descendants().mapToLong(Chromium::residentBytes).max().orElse(-1);
    }

    private static long residentBytes(ProcessHandle of) {
        try {
            Path folder = Path.of("/proc", Long.toString(of.pid()));
            if (!Files.readString(folder.resolve("cmdline")).contains("--type=renderer")) {
                return -1;
            }
            for (String line : Files.readAllLines(folder.resolve("status"))) {
                if (line.startsWith("VmRSS:")) {
                    return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
        } catch (IOException gone) {
            return -1;
        }
        return -1;
    }

    @Override
    public void close() {
        end(process);
    }

    private static void end(Process process) {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            // its helpers write into the profile as long as they live
            children.forEach(ProcessHandle::destroyForcibly);
            for (ProcessHandle child : children) {
                child.onExit().get(END_SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException lingering) {
            // whoever removes the profile will say so
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
