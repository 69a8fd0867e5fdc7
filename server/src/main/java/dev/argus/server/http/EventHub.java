package dev.argus.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Live events for many clients (server-sent events). The newest events stay in memory, so that a client that comes back with {@code Last-Event-ID} gets what it
 * missed; when that is not there any more, or of another life of the server, it first gets the event {@code reset}: read everything anew.
 *
 * <p>Never waits for a client: one whose queue is full is dropped, and comes back by itself. Bounds: events and their bytes, clients, and the queue of each.
 *
 * <p>Thread-safe.
 */
public final class EventHub implements AutoCloseable {
    /** Media type of event streams. */
    public static final String TYPE = "text/event-stream";

    private static final int RETRY_MILLIS = 3_000;

    private final String life;
    private final Bounds bounds;
    private final ArrayDeque<Event> kept = new ArrayDeque<>();
    private final Set<Client> clients = new LinkedHashSet<>();
    private long keptBytes;
    private long last;
    private long dropped;
    private boolean ended;

    /**
     * How much there may be.
     *
     * @param clients clients at a time
     * @param events events kept
     * @param bytes their bytes
     * @param queue events that may wait for one client
     * @param heartbeat time without an event after which a sign of life is sent
     */
    public record Bounds(int clients, int events, long bytes, int queue, Duration heartbeat) {
        /** 64 clients, 4,096 events of 8 MiB together, 256 waiting for one client, a sign of life each 15 s. */
        public static final Bounds DEFAULT = new Bounds(64, 4096, 8L << 20, 256, Duration.ofSeconds(15));
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Event(long number, String topic, byte[] bytes) {}

    private static final Event END = new Event(0, "", new byte[0]);

    private final class Client {
        private final @Nullable String topic;
        private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(bounds.queue() + 1);

        private Client(@Nullable String topic) {
            this.topic = topic;
        }

        private boolean wants(Event event) {
            return topic == null || topic.equals(event.topic());
        }
    }

    /**
     * A hub without events.
     *
     * @param life tells this life of the server from others; letters and digits
     */
    public EventHub(String life, Bounds bounds) {
        this.life = life;
        this.bounds = bounds;
    }

    /**
     * Sends an event to whoever listens.
     *
     * @param type its type, a word
     * @param topic what it is about; clients may listen to one topic alone
     * @param data one line of text, such as JSON
     */
    public synchronized void publish(String type, String topic, String data) {
        String text = "id: " + life + "-" + ++last + "\nevent: " + type + "\ndata: " + data + "\n\n";
        Event event = new Event(last, topic, text.getBytes(StandardCharsets.UTF_8));
        kept.add(event);
        keptBytes += event.bytes().length;
        while (kept.size() > bounds.events() || (keptBytes > bounds.bytes() && kept.size() > 1)) {
            keptBytes -= kept.remove().bytes().length;
        }
        clients.removeIf(client -> client.wants(event) && !offered(client, event));
    }

    private boolean offered(Client client, Event event) {
        if (client.queue.size() < bounds.queue() && client.queue.offer(event)) {
            return true;
        }
        dropped++;
        client.queue.clear();
        client.queue.add(END);
        return false;
    }

    /** Clients that listen. */
    public synchronized int clients() {
        return clients.size();
    }

    /** Clients dropped so far because they were too slow. */
    public synchronized long dropped() {
        return dropped;
    }

    /**
     * Answers a client that wants to listen.
     *
     * @param topic the only topic wanted, or null for all
     * @throws Problem if there are too many clients
     */
    public Answer listen(Call call, @Nullable String topic) throws Problem {
        String from = call.header("Last-Event-ID");
        synchronized (this) {
            if (clients.size() >= bounds.clients()) {
                throw Problem.later("too many clients listen to events");
            }
        }
        return Answer.stream(TYPE, (out, goesOn) -> serve(new Client(topic), from, out, goesOn))
                .header("X-Accel-Buffering", "no");
    }

    private void serve(Client client, @Nullable String from, OutputStream out, Runnable goesOn) throws IOException {
        List<Event> missed = new ArrayList<>();
        boolean whole;
        synchronized (this) {
            if (ended || clients.size() >= bounds.clients()) {
                return;
            }
            whole = missed(client, from, missed);
            clients.add(client);
        }
        try {
            write(out, "retry: " + RETRY_MILLIS + "\n: listening\n\n");
            if (!whole) {
                write(out, "event: reset\ndata: {}\n\n");
            }
            for (Event event : missed) {
                out.write(event.bytes());
            }
            out.flush();
            goesOn.run();
            while (true) {
                Event event = client.queue.poll(bounds.heartbeat().toMillis(), TimeUnit.MILLISECONDS);
                goesOn.run();
                if (event == null) {
                    write(out, ": \n\n");
                } else if (event.bytes().length == 0) {
                    return;
                } else {
                    out.write(event.bytes());
                }
                out.flush();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (this) {
                clients.remove(client);
            }
        }
    }

    /** Collects what a client has missed; false when not all of it is there. */
    private boolean missed(Client client, @Nullable String from, List<Event> missed) {
        if (from == null || from.isEmpty()) {
            return true;
        }
        String number = from.startsWith(life + "-") ? from.substring(life.length() + 1) : "";
        if (!number.matches("[0-9]{1,18}") || Long.parseLong(number) > last) {
            return false;
        }
        long seen = Long.parseLong(number);
        kept.stream().filter(e -> e.number() > seen && client.wants(e)).forEach(missed::add);
        return seen == last || (!kept.isEmpty() && kept.getFirst().number() <= seen + 1);
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Ends all streams. */
    @Override
    public synchronized void close() {
        ended = true;
        for (Client client : clients) {
            client.queue.clear();
            client.queue.add(END);
        }
    }
}
