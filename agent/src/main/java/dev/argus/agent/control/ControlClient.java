package dev.argus.agent.control;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The user's end of a {@link ControlSocket}: one request, its answer, within a time. */
public final class ControlClient {
    private ControlClient() {}

    /**
     * An answer.
     *
     * @param lines its lines but the last
     * @param error what went wrong, empty when nothing did
     */
    public record Answer(List<String> lines, String error) {
        /** Copies defensively. */
        public Answer {
            lines = List.copyOf(lines);
        }
    }

    /**
     * Asks the agent that reads a folder of rings.
     *
     * @throws IOException if none answers within the time
     */
    public static Answer ask(Path rings, String request, Duration patience) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = Selector.open()) {
            channel.connect(UnixDomainSocketAddress.of(ControlSocket.of(rings)));
            channel.configureBlocking(false);
            ByteBuffer out = ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8));
            ByteBuffer in = ByteBuffer.allocate(ControlSocket.MOST_ANSWER + 1);
            SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            while (true) {
                long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
                if (left <= 0) {
                    throw new IOException("no answer within " + patience.toSeconds() + " s");
                }
                selector.select(left);
                selector.selectedKeys().clear();
                if (out.hasRemaining()) {
                    channel.write(out);
                    key.interestOps(out.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
                    continue;
                }
                int n = channel.read(in);
                String text = new String(in.array(), 0, in.position(), StandardCharsets.UTF_8);
                if (isWhole(text)) {
                    return answer(text);
                }
                if (n < 0 || !in.hasRemaining()) {
                    throw new IOException("the answer was cut");
                }
            }
        }
    }

    private static boolean isWhole(String text) {
        if (!text.endsWith("\n")) {
            return false;
        }
        String last =
                text.substring(text.lastIndexOf('\n', text.length() - 2) + 1).stripTrailing();
        return last.equals(ControlSocket.OK) || last.startsWith(ControlSocket.ERROR);
    }

    private static Answer answer(String text) {
        List<String> lines = text.lines().toList();
        String last = lines.getLast();
        return new Answer(
                lines.subList(0, lines.size() - 1),
                last.equals(ControlSocket.OK) ? "" : last.substring(ControlSocket.ERROR.length()));
    }
}
