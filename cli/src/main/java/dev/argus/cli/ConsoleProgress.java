package dev.argus.cli;

import dev.argus.cli.text.ProgressLine;
import dev.argus.hostlocal.Progress;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Shows on the terminal how far the work is, once it has taken {@link #QUIET_TIME}; wipes its line at the end, and also when
 * the process is interrupted.
 *
 * <p>Threads: reports may come from any thread; one daemon thread writes.
 */
final class ConsoleProgress implements Progress, AutoCloseable {
    /** Work that is done by then shows nothing. */
    static final Duration QUIET_TIME = Duration.ofSeconds(2);

    private static final Duration TICK = Duration.ofMillis(250);
    private static final String WIPE = "\r\u001b[K";

    private final PrintStream terminal;
    private final int width;
    private final long startNanos = System.nanoTime();
    private final LongAdder read = new LongAdder();
    private final Thread writer;
    private final Thread wiper;
    private volatile long total;
    private volatile String what = "reading";
    private boolean shown; // guarded by this
    private boolean closed; // guarded by this

    private ConsoleProgress(PrintStream terminal, int width) {
        this.terminal = terminal;
        this.width = width;
        this.writer = Thread.ofPlatform().daemon().name("progress").unstarted(this::write);
        this.wiper = Thread.ofPlatform().name("progress-wipe").unstarted(this::stop);
    }

    static ConsoleProgress start(PrintStream terminal, int width) {
        ConsoleProgress progress = new ConsoleProgress(terminal, width);
        Runtime.getRuntime().addShutdownHook(progress.wiper);
        progress.writer.start();
        return progress;
    }

    @Override
    public void totalBytes(long bytes) {
        total = bytes;
    }

    @Override
    public void readBytes(long bytes) {
        read.add(bytes);
    }

    @Override
    public void phase(String words) {
        what = words;
    }

    @Override
    public void close() {
        stop();
        Runtime.getRuntime().removeShutdownHook(wiper);
    }

    private void write() {
        try {
            Thread.sleep(QUIET_TIME);
            while (show()) {
                Thread.sleep(TICK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean show() {
        if (closed) {
            return false;
        }
        String line = ProgressLine.of(what, read.sum(), total, System.nanoTime() - startNanos, width - 1);
        terminal.print(WIPE + line);
        terminal.flush();
        shown = true;
        return true;
    }

    private synchronized void stop() {
        if (shown && !closed) {
            terminal.print(WIPE);
            terminal.flush();
        }
        closed = true;
        writer.interrupt();
    }
}
