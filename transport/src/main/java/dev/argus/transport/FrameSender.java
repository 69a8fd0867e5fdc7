package dev.argus.transport;

import dev.argus.model.AgentCommand;
import dev.argus.model.SafeText;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import dev.argus.wire.WireException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is in a spool, one shipment at a time, session by session, oldest first, until the receiver says that it is safe there; and
 * hands on the commands that come back.
 *
 * <p>What the server, or whatever stands before it, may do wrong costs time, never frames: a frame is given up only when a receiver of this session
 * refuses exactly that frame, when it alone is too large, or when names it builds on are lost. Waits grow with each failure and follow
 * {@code Retry-After}; a receiver that has no room says how long it wants to be left alone, and gets less at once the next time.
 *
 * <p>Owns two threads once {@link #start}ed, one that sends and one that forces the spool to the disk once a second, however long the other waits; never holds up who
 * appends to the spool.
 */
public final class FrameSender implements AutoCloseable {
    private static final long SYNC_EACH_MILLIS = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final SenderSettings settings;
    private final Spool spool;
    private final Predicate<AgentCommand> commands;
    private final Poster poster;
    private final LongSupplier nanoTime;
    private final Backoff backoff;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Map<SessionId, Progress> progress = new HashMap<>();
    private int mostBytes;

    /** Frames sent at once: fewer while the receiver takes only some of them, for what it does not take was sent in vain. */
    private int mostFrames;

    private long lastCommand;
    private long shipments;
    private long sentBytes;
    private long done;
    private long foreign;
    private final Map<String, Long> troubles = new TreeMap<>();
    private String problem = "";

    /** The wait of the last shipment was asked for, or is due to a failure. */
    private boolean mustWait;

    /** There was no frame that the receiver has not taken. */
    private boolean nothingLeft;

    private volatile SenderStatus status = new SenderStatus(0, 0, 0, 0, 0, "", Map.of());
    private volatile boolean stopping;

    /** How many appends had been seen when there was nothing left to send. */
    private volatile long caughtUpWith = -1;

    private @Nullable Thread thread;
    private @Nullable Thread forcing;

    /** How far one session is. */
    private static final class Progress {
        long received;
        long postedNanos;
        boolean posted;

        /** Refused as a whole: left alone until then, so that other sessions go on. */
        long parkedUntilNanos;

        boolean parked;

        /** The frame whose names were asked for; they go along with it. */
        long namesFor;

        /** All names have been sent, to readers that cannot ask; and when. */
        boolean namesTold;

        long namesNanos;
    }

    /**
     * To a server.
     *
     * @param commands takes commands for this job, each once, on the sender's thread; must not block for long. False where there is no room: then it and those behind it are asked for again
     * @throws IOException if the certificates cannot be read
     */
    public FrameSender(SenderSettings settings, Spool spool, Predicate<AgentCommand> commands) throws IOException {
        this(settings, spool, commands, new HttpPoster(settings, InstantSource.system()));
    }

    /**
     * By another way than HTTP.
     *
     * @param commands takes commands for this job, each once, on the sender's thread; must not block for long. False where there is no room: then it and those behind it are asked for again
     * @param poster the way; closed with this
     */
    public FrameSender(SenderSettings settings, Spool spool, Predicate<AgentCommand> commands, Poster poster) {
        this(settings, spool, commands, poster, System::nanoTime);
    }

    FrameSender(
            SenderSettings settings,
            Spool spool,
            Predicate<AgentCommand> commands,
            Poster poster,
            LongSupplier nanoTime) {
        this.settings = settings;
        this.spool = spool;
        this.commands = commands;
        this.poster = poster;
        this.nanoTime = nanoTime;
        this.mostBytes = settings.mostBytes();
        this.mostFrames = settings.mostFrames();
        this.backoff = new Backoff(settings.backoffFrom(), settings.backoffTo(), new SplittableRandom(settings.seed()));
    }

    /** How it goes; from any thread. */
    public SenderStatus status() {
        return status;
    }

    /** True when the receiver has taken every frame that was in the spool; it may not have made all of them safe yet. From any thread. */
    public boolean caughtUp() {
        return caughtUpWith == spool.appended();
    }

    /** Begins to send, on a thread of its own. */
    public synchronized void start() {
        if (thread == null && !stopping) {
            thread = started(this::run, "argus-frame-sender");
            forcing = started(this::force, "argus-spool-sync");
        }
    }

    private static Thread started(Runnable what, String name) {
        Thread t = new Thread(what, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    /** Never interrupted: that would close the file which is being forced. */
    private void force() {
        try {
            while (!stopped.await(SYNC_EACH_MILLIS, TimeUnit.MILLISECONDS)) {
                try {
                    spool.sync();
                } catch (RuntimeException | OutOfMemoryError unforeseen) {
                    // the next second forces what is written then; without this thread nothing would be
                }
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!stopping) {
                long seen = spool.appended();
                mustWait = false;
                nothingLeft = false;
                long wait = onceWhateverHappens();
                if (nothingLeft && !mustWait) {
                    caughtUpWith = seen;
                }
                if (mustWait) {
                    sleep(wait); // a new frame is no reason to come back sooner
                } else {
                    spool.await(seen, wait);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whoever is handed a command, or whatever is on the way, may have a fault of its own: it costs time, as what a server does wrong, and so does a want of memory; it does not end this thread unseen. */
    private long onceWhateverHappens() throws InterruptedException {
        try {
            return once();
        } catch (RuntimeException | OutOfMemoryError unforeseen) {
            return failed("sending failed in a way that was not foreseen: " + unforeseen, Poster.NO_WAIT);
        }
    }

    private void sleep(long millis) throws InterruptedException {
        long end = nanoTime.getAsLong() + millis * NANOS_PER_MILLI;
        for (long left = millis; left > 0 && !stopping; left = (end - nanoTime.getAsLong()) / NANOS_PER_MILLI) {
            spool.await(spool.appended(), left);
        }
    }

    /** Posts at most one shipment. Returns the milliseconds until there may be something to do. */
    long once() throws InterruptedException {
        long now = nanoTime.getAsLong();
        List<SessionId> sessions = spool.sessions();
        progress.keySet().retainAll(sessions);
        SessionId live = spool.live();
        for (SessionId session : sessions) {
            Progress p = progress.computeIfAbsent(session, s -> new Progress());
            p.parked &= p.parkedUntilNanos - now > 0;
            if (p.parked) {
                continue;
            }
            List<SpoolEntry> entries = spool.read(session, p.received, mostFrames, mostBytes);
            if (!entries.isEmpty()) {
                return ship(session, p, entries, session.equals(live));
            }
        }
        nothingLeft = progress.values().stream().noneMatch(p -> p.parked);
        long wait = settings.pollEach().toMillis();
        for (SessionId session : sessions) {
            Progress p = progress.computeIfAbsent(session, s -> new Progress());
            long due = settings.pollEach().toMillis() - (now - p.postedNanos) / NANOS_PER_MILLI;
            if (!p.parked && !poster.answersPolls()) {
                continue;
            }
            if (p.parked) {
                due = Math.max(1, (p.parkedUntilNanos - now) / NANOS_PER_MILLI);
            } else if (!p.posted || due <= 0) {
                return ship(session, p, List.of(), session.equals(live));
            }
            wait = Math.min(wait, due);
        }
        return wait;
    }

    private long ship(SessionId session, Progress p, List<SpoolEntry> entries, boolean live)
            throws InterruptedException {
        long first = entries.isEmpty() ? 0 : entries.getFirst().counter();
        boolean repeat = first > 0 && repeatsNames(p);
        List<byte[]> names =
                repeat || (first > 0 && p.namesFor == first) ? spool.namesBefore(session, first) : List.of();
        long floor = Math.max(1, spool.floor(session));
        Shipment shipment = new Shipment(
                session,
                settings.job(),
                settings.host(),
                floor,
                Math.max(floor, p.received + 1),
                live,
                lastCommand,
                names,
                entries.stream()
                        .map(e -> new Shipment.Numbered(e.counter(), e.frame()))
                        .toList());
        byte[] bytes = shipment.encode();
        p.postedNanos = nanoTime.getAsLong();
        p.posted = true;
        try {
            Poster.Answer answer = poster.post(shipment, bytes);
            long before = shipments;
            long wait = answered(session, p, entries, answer, bytes.length);
            if (repeat && shipments > before) {
                p.namesTold = true;
                p.namesNanos = p.postedNanos;
            }
            publish();
            return wait;
        } catch (WayException known) {
            troubles.merge(known.trouble(), 1L, Long::sum);
            progress.values().forEach(q -> q.namesTold = false); // who reads there may begin anew, too
            return failed(String.valueOf(known.getMessage()), Poster.NO_WAIT);
        } catch (IOException | WireException failed) {
            return failed(String.valueOf(failed.getMessage()), Poster.NO_WAIT);
        }
    }

    private boolean repeatsNames(Progress p) {
        long each = poster.namesEachNanos();
        return each > 0 && (!p.namesTold || nanoTime.getAsLong() - p.namesNanos >= each);
    }

    private long answered(SessionId session, Progress p, List<SpoolEntry> entries, Poster.Answer answer, int bytes) {
        ShipmentReply reply = replyOf(answer);
        if (reply != null && reply.session().equals(session)) {
            if (session.equals(spool.live()) && reply.received() > spool.last(session)) {
                return failed(
                        "the reply says that frame " + reply.received() + " was received, the last one is "
                                + spool.last(session),
                        answer.waitMillis());
            }
            shipments++;
            sentBytes += bytes;
            return replied(session, p, entries, reply, answer.waitMillis());
        }
        if (answer.status() == 413 && !entries.isEmpty()) {
            if (entries.size() == 1) {
                spool.giveUp(session, entries.getFirst().counter(), SpoolLoss.TOO_LARGE);
            }
            int sent = entries.stream().mapToInt(e -> e.frame().length).sum();
            mostBytes = Math.max(SenderSettings.LEAST_BYTES, Math.min(mostBytes, sent) / 2);
            return failed("the server takes smaller shipments only", answer.waitMillis());
        }
        return failed(
                reply != null && !reply.reason().isEmpty() ? reply.reason() : explained(answer.status()),
                answer.waitMillis());
    }

    /** A reply, whatever the status; null when the body is none. */
    private static @Nullable ShipmentReply replyOf(Poster.Answer answer) {
        try {
            return ShipmentReply.decode(answer.body());
        } catch (WireException somethingElse) {
            return null;
        }
    }

    private static String explained(int status) {
        String what = switch (status) {
            case 401 -> ": the server does not know the token; look at the file given with --token-file";
            case 403 -> ": the token is not for this job; give one issued for it with --token-file";
            case 404, 405 -> ": no receiver of frames at this address";
            case 301, 302, 303, 307, 308 -> ": the server wants to send us elsewhere; give that address";
            case 429, 503 -> ": the server has too much to do";
            case 200 -> ", but what came back is no reply; is it another server?";
            default -> "";
        };
        return "status " + status + what;
    }

    private long replied(
            SessionId session, Progress p, List<SpoolEntry> entries, ShipmentReply reply, long retryAfter) {
        long before = p.received;
        p.received = reply.received();
        spool.acknowledged(session, reply.durable());
        obey(reply.commands());
        long at = reply.at();
        long wait = Math.max(reply.waitMillis(), Math.max(0, retryAfter));
        switch (reply.verdict()) {
            case ACCEPTED, DUPLICATE -> {
                if (!entries.isEmpty() && reply.received() < entries.getLast().counter()) {
                    return failed("the reply says that all was taken, and that it was not", wait);
                }
                p.namesFor = 0;
                mostBytes = (int) Math.min(settings.mostBytes(), mostBytes + (long) mostBytes / 8);
                mostFrames = (int) Math.min(settings.mostFrames(), 2L * mostFrames);
                problem = "";
                backoff.reset();
            }
            case REWIND -> {
                problem = "";
                wait = Math.max(
                        wait, entries.isEmpty() ? 0 : settings.backoffFrom().toMillis() / 8);
            }
            case NAMES_MISSING -> {
                if (p.namesFor == at && at > 0) {
                    spool.giveUp(session, at, SpoolLoss.NAMES_LOST);
                }
                p.namesFor = at;
            }
            case OVERLOADED -> {
                problem = reply.reason();
                long taken = entries.stream()
                        .filter(e -> e.counter() > before && e.counter() <= reply.received())
                        .count();
                mostFrames = (int) Math.max(1, Math.min(mostFrames, taken));
                if (taken > 0) {
                    backoff.reset();
                }
                long own = backoff.next();
                wait = wait > 0 // the receiver knows how long
                        ? backoff.drawn(Math.max(wait, settings.backoffFrom().toMillis()))
                        : own;
            }
            case REFUSED -> {
                problem = reply.reason();
                if (at > 0) {
                    spool.giveUp(session, at, SpoolLoss.REFUSED);
                } else {
                    p.parked = true;
                    p.parkedUntilNanos =
                            nanoTime.getAsLong() + settings.backoffTo().toNanos();
                }
            }
        }
        mustWait |= wait > 0;
        return wait;
    }

    private void obey(List<AgentCommand> received) {
        for (AgentCommand command : received) {
            if (command.id() <= lastCommand) {
                continue;
            }
            if (command.job().equals(settings.job())) {
                if (!commands.test(command)) {
                    return; // the server says it again, and those behind it
                }
                done++;
            } else {
                foreign++;
            }
            lastCommand = command.id();
        }
    }

    private long failed(String why, long retryAfter) {
        problem = SafeText.sentence(why);
        long wait = Math.max(backoff.next(), retryAfter);
        mustWait = true;
        publish();
        return wait;
    }

    private void publish() {
        status = new SenderStatus(shipments, backoff.failures(), sentBytes, done, foreign, problem, troubles);
    }

    /** Stops after the request in progress, or interrupts it when it takes longer than a request may. */
    @Override
    public void close() {
        close(settings.requestTimeout());
    }

    /** Stops after the request in progress, or interrupts it when it takes longer than this. */
    public void close(Duration patience) {
        stopping = true;
        stopped.countDown();
        spool.wake();
        Thread t;
        Thread f;
        synchronized (this) {
            t = thread;
            f = forcing;
        }
        try {
            if (t != null) {
                t.join(patience);
                t.interrupt();
                t.join();
            }
            if (f != null) {
                f.join(patience);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            poster.close();
        }
    }
}
