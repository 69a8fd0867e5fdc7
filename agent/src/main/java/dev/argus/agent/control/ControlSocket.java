package dev.argus.agent.control;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The agent's end: takes requests, one a line, and answers each with lines of which the last is {@code ok} or {@code error: ...}. No thread: whoever owns it polls
 * it, and nothing here waits.
 *
 * <p>Who may talk to it: whoever may enter the folder, which is the user alone (mode 0700). What comes is hostile all the same: a line has at most {@value #MOST_LINE}
 * bytes, an answer {@value #MOST_ANSWER}; at most {@value #MOST_CLIENTS} talk at a time, {@value #PATIENCE_NANOS} ns each without a word. Whatever is wrong is answered by an error line, or closed.
 */
public final class ControlSocket implements AutoCloseable {
    /** Longest request, bytes. */
    public static final int MOST_LINE = 4096;

    /** Longest answer, bytes. */
    public static final int MOST_ANSWER = 1 << 20;

    /** Begins the last line of an answer that failed. */
    public static final String ERROR = "error: ";

    /** Last line of an answer. */
    public static final String OK = "ok";

    static final int MOST_CLIENTS = 8;
    static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final String NAME = ".agent.sock";

    private final Path path;
    private final ServerSocketChannel server;
    private final List<Client> clients = new ArrayList<>();

    private static final class Client {
        final SocketChannel channel;
        final ByteBuffer in = ByteBuffer.allocate(MOST_LINE + 1);
        ByteBuffer out = ByteBuffer.allocate(0);

        @Nullable
        Future<List<String>> answer;

        boolean ended;
        long heardNanos;

        Client(SocketChannel channel, long nowNanos) {
            this.channel = channel;
            this.heardNanos = nowNanos;
        }
    }

    private ControlSocket(Path path, ServerSocketChannel server) {
        this.path = path;
        this.server = server;
    }

    /** Where the socket of the agent that reads a folder of rings lies. */
    public static Path of(Path rings) {
        return rings.resolve(NAME);
    }

    /**
     * Listens; what an agent left that was killed is replaced.
     *
     * @throws IOException if another agent listens there, or the path is too long for a socket (about 100 bytes)
     */
    public static ControlSocket open(Path rings) throws IOException {
        Path path = of(rings);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                if (answers(path)) {
                    throw new IOException(
                            "another agent runs in " + rings + "; stop it, or give another folder of rings");
                }
                Files.delete(path);
            }
            server.bind(UnixDomainSocketAddress.of(path), MOST_CLIENTS);
            server.configureBlocking(false);
            return new ControlSocket(path, server);
        } catch (IOException | RuntimeException failed) {
            server.close();
            throw failed instanceof IOException io ? io : new IOException(failed.getMessage(), failed);
        }
    }

    private static boolean answers(Path path) {
        try (SocketChannel other = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return other.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException nobody) {
            return false;
        }
    }

    /** True while somebody is connected. */
    public boolean isBusy() {
        return !clients.isEmpty();
    }

    /**
     * Takes what has come and sends what can be sent.
     *
     * @param handler answers a request, later if it must; what it throws as {@link IllegalArgumentException} becomes an error line
     * @param nowNanos a clock that does not go back
     */
    public void poll(Function<String, Future<List<String>>> handler, long nowNanos) {
        accept(nowNanos);
        for (Iterator<Client> all = clients.iterator(); all.hasNext(); ) {
            Client client = all.next();
            try {
                serve(client, handler, nowNanos);
            } catch (IOException gone) {
                client.ended = true;
            }
            boolean patient = nowNanos - client.heardNanos < PATIENCE_NANOS || client.answer != null;
            if (client.ended || !patient) {
                close(client.channel);
                all.remove();
            }
        }
    }

    private void accept(long nowNanos) {
        try {
            for (SocketChannel c = server.accept(); c != null; c = server.accept()) {
                if (clients.size() >= MOST_CLIENTS) {
                    close(c);
                } else {
                    c.configureBlocking(false);
                    clients.add(new Client(c, nowNanos));
                }
            }
        } catch (IOException none) {
            // the next look tries again
        }
    }

    private static void serve(Client client, Function<String, Future<List<String>>> handler, long nowNanos)
            throws IOException {
        Future<List<String>> due = client.answer;
        if (due != null && due.isDone()) {
            client.answer = null;
            reply(client, result(due));
        }
        if (client.out.hasRemaining() && client.channel.write(client.out) > 0) {
            client.heardNanos = nowNanos;
        }
        if (client.answer != null || client.out.hasRemaining()) {
            return; // one request at a time
        }
        int end = lineEnd(client.in);
        if (end < 0) {
            int n = client.channel.read(client.in);
            if (n < 0) {
                client.ended = true;
                return;
            }
            client.heardNanos = n > 0 ? nowNanos : client.heardNanos;
            end = lineEnd(client.in);
        }
        if (end >= 0) {
            client.answer = ask(handler, line(client.in, end));
            serveAnswered(client, nowNanos);
        } else if (!client.in.hasRemaining()) {
            reply(client, List.of(ERROR + "a request has at most " + MOST_LINE + " bytes"));
            client.channel.write(client.out);
            client.ended = true;
        }
    }

    private static void serveAnswered(Client client, long nowNanos) throws IOException {
        Future<List<String>> due = client.answer;
        if (due != null && due.isDone()) {
            client.answer = null;
            reply(client, result(due));
            client.channel.write(client.out);
            client.heardNanos = nowNanos;
        }
    }

    private static Future<List<String>> ask(Function<String, Future<List<String>>> handler, String request) {
        try {
            return handler.apply(request);
        } catch (IllegalArgumentException wrong) {
            return CompletableFuture.failedFuture(wrong);
        }
    }

    private static List<String> result(Future<List<String>> due) {
        try {
            List<String> lines = new ArrayList<>(due.get());
            lines.add(OK);
            return lines;
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            return List.of(ERROR + (cause == null ? failed : cause).getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(ERROR + "the agent stops");
        }
    }

    private static void reply(Client client, List<String> lines) {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            text.append(line.replaceAll("\\p{Cntrl}", " ")).append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MOST_ANSWER) {
            bytes = (ERROR + "the answer is too long; ask for less\n").getBytes(StandardCharsets.UTF_8);
        }
        client.out = ByteBuffer.wrap(bytes);
    }

    private static int lineEnd(ByteBuffer in) {
        for (int i = 0; i < in.position(); i++) {
            if (in.get(i) == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static String line(ByteBuffer in, int end) {
        byte[] bytes = new byte[end];
        in.get(0, bytes);
        String line = new String(bytes, StandardCharsets.UTF_8);
        in.flip().position(end + 1);
        in.compact();
        return line.strip();
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException ignored) {
            // it is gone
        }
    }

    @Override
    public void close() throws IOException {
        clients.forEach(c -> close(c.channel));
        clients.clear();
        server.close();
        Files.deleteIfExists(path);
    }
}
