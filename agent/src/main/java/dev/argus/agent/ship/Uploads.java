package dev.argus.agent.ship;

import dev.argus.model.SafeText;
import dev.argus.transport.ObjectPutter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brings excerpts to the server, on one thread of its own, each up to {@value #TRIES} times; at most {@value #MOST_WAITING} wait. What could not be brought stays where it lies.
 */
final class Uploads implements AutoCloseable {
    static final int MOST_WAITING = 16;
    static final int TRIES = 5;
    private static final long WAIT_SECONDS = 2;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final ShipOptions options;
    private final Queue<String> notices = new ConcurrentLinkedQueue<>();
    private final ThreadPoolExecutor thread;

    Uploads(ShipOptions options) {
        this.options = options;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                task -> {
                    Thread t = new Thread(task, "argus-uploads");
                    t.setDaemon(true);
                    return t;
                },
                (task, pool) -> notices.add("too many excerpts at a time: one stays on this host only"));
        thread.allowCoreThreadTimeOut(true);
    }

    /** Brings a file of a job, as its frames name it, later. */
    void put(String job, String name, Path file) {
        if (options.kafka() != null) {
            notices.add("excerpts stay on this host: only frames go through Kafka");
            return;
        }
        if (!ObjectPutter.isPossible(options.to())) {
            notices.add("excerpts stay on this host: " + options.to() + " does not end in /frames");
            return;
        }
        thread.execute(() -> bring(job, name, file));
    }

    private void bring(String job, String name, Path file) {
        String problem = "";
        try (ObjectPutter putter = new ObjectPutter(options.sender(job, 0), TIMEOUT)) {
            for (int i = 0; i < TRIES; i++) {
                try {
                    putter.put(name, file);
                    notices.add("brought " + name + " to the server");
                    return;
                } catch (IOException later) {
                    problem = String.valueOf(later.getMessage());
                }
                TimeUnit.SECONDS.sleep(WAIT_SECONDS << i);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return;
        } catch (IOException certificates) {
            problem = String.valueOf(certificates.getMessage());
        } catch (RuntimeException unforeseen) {
            problem = String.valueOf(unforeseen); // said as well: nobody else knows of it
        }
        notices.add("the excerpt " + SafeText.of(file.toString(), 200) + " stays on this host: "
                + SafeText.sentence(problem));
    }

    /** A line for an operator, or null. */
    @Nullable
    String notice() {
        return notices.poll();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
