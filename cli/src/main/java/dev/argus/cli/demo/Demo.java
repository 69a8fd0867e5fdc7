package dev.argus.cli.demo;

import dev.argus.cli.text.Look;
import dev.argus.model.NameTable;
import dev.argus.ring.RingDirectory;
import dev.argus.simulator.RingOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A demonstration: a server, a job of simulated GPUs that writes real rings, and a real agent that reads them. Faults come and go; what is said of them is printed,
 * and then what was injected.
 *
 * <p>Everything it makes lies in folders of its own and goes with it.
 */
public final class Demo {
    private static final long MILLI = 1_000_000L;
    private static final long PLAY_MILLIS = 200;
    private static final long JOIN_MILLIS = 3000;

    private final DemoOptions options;
    private final DemoServer.Starter starter;
    private final Path temp;
    private final DemoVoice voice;
    private final Consumer<String> out;
    private final Consumer<String> notices;
    private final AtomicReference<String> broken = new AtomicReference<>("");

    /**
     * A demonstration that has not begun.
     *
     * @param starter starts the server
     * @param temp folder for temporary files
     * @param json true to speak in lines of JSON
     * @param look how text looks
     * @param out takes what is said, whole lines
     * @param notices takes lines about the demonstration itself
     */
    public Demo(
            DemoOptions options,
            DemoServer.Starter starter,
            Path temp,
            boolean json,
            Look look,
            Consumer<String> out,
            Consumer<String> notices) {
        this.options = options;
        this.starter = starter;
        this.temp = temp;
        this.voice = json ? new DemoInJson() : new DemoInText(look);
        this.out = out;
        this.notices = notices;
    }

    /**
     * Runs until the time is over, somebody stops it, or it breaks.
     *
     * @param stop counted down when it is to end
     * @throws IOException if it cannot begin
     * @throws IllegalStateException if it breaks
     */
    public void run(CountDownLatch stop) throws IOException {
        DemoEar ear = new DemoEar();
        NameTable names = new NameTable();
        try (DemoFolders folders = new DemoFolders(temp, RingOutput.bytes(options.ranks()))) {
            RingDirectory.prepare(folders.data());
            RingDirectory.prepare(folders.state());
            try (DemoServer server = starter.start(folders.data(), options.port(), ear, notices);
                    DemoJob job = new DemoJob(options, folders.rings(), System.nanoTime(), epochNanos());
                    DemoWatch watch = new DemoWatch(
                            job,
                            ear,
                            folders.rings(),
                            names,
                            server.sink(names, folders.state().resolve("spool"), epochNanos()),
                            folders.state(),
                            voice,
                            out,
                            notices,
                            epochNanos(),
                            System.nanoTime())) {
                out.accept(voice.started(
                        options, job.layout().hosts(), job.stepSeconds(), server.address(), server.tokenFile()));
                play(job, watch, stop);
            }
        }
        if (!broken.get().isEmpty()) {
            throw new IllegalStateException(broken.get());
        }
    }

    private static long epochNanos() {
        return System.currentTimeMillis() * MILLI;
    }

    private void play(DemoJob job, DemoWatch watch, CountDownLatch stop) {
        CountDownLatch over = new CountDownLatch(1);
        Thread player = Thread.ofPlatform().name("demo-job").start(() -> play(job, over));
        try {
            watch(watch, stop);
        } finally {
            over.countDown();
            join(player);
        }
        watch.problems().forEach(notices);
        out.accept(voice.ended(watch.summary()));
    }

    private void play(DemoJob job, CountDownLatch over) {
        try {
            do {
                job.until(System.nanoTime(), epochNanos());
            } while (!over.await(PLAY_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            broken.set("the simulated job broke off: " + e);
        }
    }

    private void watch(DemoWatch watch, CountDownLatch stop) {
        long begin = System.nanoTime();
        long end = options.seconds() == 0 ? Long.MAX_VALUE : begin + TimeUnit.SECONDS.toNanos(options.seconds());
        long next = begin;
        boolean go = true;
        while (go && System.nanoTime() < end && broken.get().isEmpty()) {
            watch.look(System.nanoTime());
            next = Math.max(next + DemoWatch.LOOK_NANOS, System.nanoTime());
            try {
                go = !stop.await(next - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
