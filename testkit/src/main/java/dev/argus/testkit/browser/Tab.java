package dev.argus.testkit.browser;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A page that is driven as a person would: by keys and the mouse; and asked by expressions. Remembers what went wrong in it ({@link #problems}): errors on the console, exceptions, what its
 * policy refused, answers with an error, and requests to other machines.
 */
public final class Tab implements AutoCloseable {
    private static final long ANSWER_SECONDS = 120;
    private static final Pattern ID = Pattern.compile("^\\{\"id\":(\\d+)");
    private static final Pattern METHOD = Pattern.compile("^\\{\"method\":\"([A-Za-z.]+)\"");
    private static final Pattern URL = Pattern.compile("\"url\":\"([^\"]*)\"");
    private static final Map<String, Integer> CODES = Map.ofEntries(
            Map.entry("Enter", 13),
            Map.entry("Tab", 9),
            Map.entry("Escape", 27),
            Map.entry("Backspace", 8),
            Map.entry("ArrowLeft", 37),
            Map.entry("ArrowUp", 38),
            Map.entry("ArrowRight", 39),
            Map.entry("ArrowDown", 40),
            Map.entry("Home", 36),
            Map.entry("End", 35));

    private final WebSocket socket;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<String>> asked = new ConcurrentHashMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    Tab(HttpClient client, URI at) throws IOException, InterruptedException {
        try {
            socket = client.newWebSocketBuilder().buildAsync(at, new Ear()).get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException("the browser does not listen", failed);
        }
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            send(domain + ".enable", "{}");
        }
    }

    private final class Ear implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                String message = text.toString();
                text.setLength(0);
                heard(message);
            }
            from.request(1);
            return null;
        }
    }

    private void heard(String message) {
        Matcher id = ID.matcher(message);
        if (id.find()) {
            CompletableFuture<String> answer = asked.remove(Integer.parseInt(id.group(1)));
            if (answer != null) {
                answer.complete(message);
            }
            return;
        }
        Matcher method = METHOD.matcher(message);
        if (!method.find()) {
            return;
        }
        switch (method.group(1)) {
            case "Runtime.exceptionThrown" -> problems.add(message);
            case "Runtime.consoleAPICalled" -> {
                if (message.contains("\"type\":\"error\"") || message.contains("\"type\":\"assert\"")) {
                    problems.add(message);
                }
            }
            case "Log.entryAdded" -> {
                if (message.contains("\"level\":\"error\"") || message.contains("\"source\":\"security\"")) {
                    problems.add(message);
                }
            }
            case "Network.requestWillBeSent" -> {
                Matcher url = URL.matcher(message.substring(Math.max(0, message.indexOf("\"request\":"))));
                if (url.find()) {
                    requests.add(url.group(1));
                }
            }
            default -> {}
        }
    }

    private String send(String method, String params) throws IOException, InterruptedException {
        int number = numbers.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        asked.put(number, answer);
        socket.sendText("{\"id\":" + number + ",\"method\":\"" + method + "\",\"params\":" + params + "}", true)
                .join();
        try {
            return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException("no answer to " + method, failed);
        }
    }

    /** Goes to an address; returns at once. */
    public Tab go(String url) throws IOException, InterruptedException {
        send("Page.navigate", "{\"url\":" + quoted(url) + "}");
        return this;
    }

    /** Runs a script before any other of each page that is opened from here on. */
    public Tab first(String script) throws IOException, InterruptedException {
        send("Page.addScriptToEvaluateOnNewDocument", "{\"source\":" + quoted(script) + "}");
        return this;
    }

    /** The value of an expression as text; of a promise, when it is there. */
    public String eval(String expression) throws IOException, InterruptedException {
        String answer = send(
                "Runtime.evaluate",
                "{\"awaitPromise\":true,\"returnByValue\":true,\"userGesture\":true,\"expression\":"
                        + quoted("(async () => String(await (" + expression + ")))()") + "}");
        int at = answer.indexOf("\"value\":\"");
        if (at < 0 || answer.contains("\"exceptionDetails\":")) {
            throw new IOException(expression + " failed: " + answer);
        }
        return unquoted(answer, at + "\"value\":\"".length());
    }

    /** Waits until an expression is true. */
    public Tab until(String expression) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
        while (!"true".equals(eval("Boolean(" + expression + ")"))) {
            if (System.nanoTime() > end) {
                throw new AssertionError("never true: " + expression + "\nproblems: " + problems + "\npage: "
                        + eval("document.body ? document.body.innerText.slice(0, 3000) : ''"));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return this;
    }

    /** Presses and releases a key: a name such as {@code Enter}, or one character. */
    public Tab press(String key) throws IOException, InterruptedException {
        String text = key.length() == 1 ? key : key.equals("Enter") ? "\r" : "";
        String event = ",\"key\":" + quoted(key) + ",\"windowsVirtualKeyCode\":"
                + CODES.getOrDefault(key, (int) Character.toUpperCase(key.charAt(0)))
                + (text.isEmpty() ? "" : ",\"text\":" + quoted(text)) + "}";
        send("Input.dispatchKeyEvent", "{\"type\":\"" + (text.isEmpty() ? "rawKeyDown" : "keyDown") + "\"" + event);
        send("Input.dispatchKeyEvent", "{\"type\":\"keyUp\",\"key\":" + quoted(key) + "}");
        return this;
    }

    /** Moves the mouse to the middle of an element, and presses it there. */
    public Tab click(String selector) throws IOException, InterruptedException {
        until("document.querySelector(" + quoted(selector) + ")");
        String[] at = eval("(() => { const e = document.querySelector(" + quoted(selector)
                        + "); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); return (b.x + b.width / 2) + ' ' + (b.y + b.height / 2); })()")
                .split(" ", -1);
        return mouse(at[0], at[1], "mousePressed").mouse(at[0], at[1], "mouseReleased");
    }

    /** Moves the mouse to a place of an element, given in pixels from its upper left corner. */
    public Tab hover(String selector, double x, double y) throws IOException, InterruptedException {
        until("document.querySelector(" + quoted(selector) + ")");
        String[] at = eval("(() => { const e = document.querySelector(" + quoted(selector)
                        + "); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); return (b.x + "
                        + x + ") + ' ' + (b.y + " + y + "); })()")
                .split(" ", -1);
        return mouse(at[0], at[1], "mouseMoved");
    }

    private Tab mouse(String x, String y, String type) throws IOException, InterruptedException {
        send(
                "Input.dispatchMouseEvent",
                "{\"type\":\"" + type + "\",\"x\":" + x + ",\"y\":" + y + ",\"button\":\""
                        + (type.equals("mouseMoved") ? "none" : "left") + "\",\"clickCount\":1}");
        return this;
    }

    /** The size of the window, in pixels. */
    public Tab size(int width, int height) throws IOException, InterruptedException {
        send(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\":" + width + ",\"height\":" + height + ",\"deviceScaleFactor\":1,\"mobile\":false}");
        return this;
    }

    /** A picture of the whole page, as a PNG file. */
    public void picture(Path to) throws IOException, InterruptedException {
        String answer = send("Page.captureScreenshot", "{\"format\":\"png\",\"captureBeyondViewport\":true}");
        int at = answer.indexOf("\"data\":\"") + "\"data\":\"".length();
        Files.write(to, Base64.getDecoder().decode(answer.substring(at, answer.indexOf('"', at))));
    }

    /** What went wrong so far, as the browser tells it. */
    public List<String> problems() {
        List<String> all = new java.util.ArrayList<>(problems);
        requests.stream()
                .filter(url -> url.startsWith("http") && !url.startsWith("http://127.0.0.1:"))
                .forEach(url -> all.add("asked for " + url));
        return all;
    }

    /** Forgets what went wrong so far. */
    public void forget() {
        problems.clear();
        requests.clear();
    }

    /** Closes the page, and with it its connections: a browser has six to a server. */
    @Override
    public void close() {
        try {
            send("Page.close", "{}");
        } catch (IOException gone) {
            // that is what was wanted
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        socket.abort();
    }

    /** As a string of JSON. */
    public static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                default -> {
                    if (c < 0x20 || Character.isSurrogate(c) || c == 0x2028 || c == 0x2029) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    private static String unquoted(String json, int from) {
        StringBuilder out = new StringBuilder();
        for (int i = from; json.charAt(i) != '"'; i++) {
            char c = json.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            c = json.charAt(++i);
            switch (c) {
                case 'n' -> out.append('\n');
                case 't' -> out.append('\t');
                case 'r' -> out.append('\r');
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'u' -> {
                    out.append((char) Integer.parseInt(json.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> out.append(c);
            }
        }
        return out.toString();
    }
}
