package dev.argus.agent.host;

import dev.argus.agent.AgentOptions;
import dev.argus.agent.Collector;
import dev.argus.agent.CollectorSink;
import dev.argus.agent.RankReport;
import dev.argus.agent.Tuning;
import dev.argus.agent.control.ControlRequest;
import dev.argus.agent.control.ControlSocket;
import dev.argus.agent.history.ExcerptNote;
import dev.argus.agent.history.Excerpts;
import dev.argus.agent.history.Excerpts.Wish;
import dev.argus.agent.history.Excerpts.Written;
import dev.argus.agent.history.RawHistory;
import dev.argus.agent.ship.ShippingSink;
import dev.argus.hostlocal.live.ExcerptChoice;
import dev.argus.model.AgentCommand;
import dev.argus.model.AgentCommand.Retune;
import dev.argus.model.AgentCommand.SendExcerpt;
import dev.argus.model.Incident;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import dev.argus.ring.RingDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The agent of a host, whole: the collector, its history of raw events, the answers to whoever asks it, and either a diagnosis here or the way to a server.
 * What cannot be had (a folder that is not writable, a socket that another agent has) is said once and done without; the socket is tried again.
 *
 * <p>One thread, which calls {@link #look} every {@link AgentOptions#lookNanos()}.
 */
public final class HostAgent implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;
    private static final long SHIP_MILLIS = 3000;

    /** Nobody notices that he is answered so much later. */
    private static final long POLL_NANOS = 390_000_000L;

    /** How often a socket that could not be opened is tried again: somebody may have mended the folder. */
    private static final long CONTROL_NANOS = 5 * SECOND;

    private final HostAgentSettings settings;
    private final CollectorSink sink;
    private final @Nullable ShippingSink ship;
    private final Collector collector;
    private final @Nullable RawHistory history;
    private final @Nullable Excerpts excerpts;
    private @Nullable ControlSocket control;

    /** Why there is no socket, so that it is said once. */
    private String uncontrolled = "";

    private long controlTriedMono;
    private final List<String> notices = new ArrayList<>();
    private final Set<String> said = new HashSet<>();
    private final List<Asked> pending = new ArrayList<>();
    private final long beganMono;
    private long nowMono;
    private long polledMono;

    /** An excerpt on its way, and the command of a server that it answers, or null. */
    private record Asked(String job, @Nullable SendExcerpt command, CompletableFuture<Written> written) {}

    /**
     * Begins to watch.
     *
     * @param sink takes what is collected; when it ships, it is closed with this agent
     * @param epochNanos now, nanoseconds since the Unix epoch
     * @param nowMono now, CLOCK_MONOTONIC nanoseconds
     */
    public HostAgent(HostAgentSettings settings, NameTable names, CollectorSink sink, long epochNanos, long nowMono) {
        this.settings = settings;
        this.sink = sink;
        this.ship = sink instanceof ShippingSink shipping ? shipping : null;
        this.beganMono = nowMono;
        this.nowMono = nowMono;
        this.polledMono = nowMono - POLL_NANOS;
        Path state = state();
        this.history = state == null || settings.historyBytes() == 0 ? null : history(state, names);
        this.excerpts = history == null ? null : new Excerpts(history);
        this.controlTriedMono = nowMono;
        this.control = settings.control() ? control() : null;
        Path attempts = state == null || ship == null ? null : state.resolve("attempts");
        this.collector = new Collector(settings.options(), names, sink, history, attempts, epochNanos, nowMono);
    }

    private @Nullable Path state() {
        Path state = settings.state();
        if (state == null) {
            return null;
        }
        try {
            RingDirectory.prepare(state);
            return state;
        } catch (IOException unusable) {
            note("no history of raw events, and no excerpts: " + unusable.getMessage());
            return null;
        }
    }

    private @Nullable RawHistory history(Path state, NameTable names) {
        try {
            Path folder = state.resolve("history");
            RingDirectory.prepare(folder);
            RingDirectory.prepare(state.resolve("excerpts"));
            return RawHistory.open(folder, settings.historyBytes(), names);
        } catch (IOException unusable) {
            note("no history of raw events, and no excerpts: " + unusable.getMessage());
            return null;
        }
    }

    private @Nullable ControlSocket control() {
        try {
            RingDirectory.prepare(settings.options().rings());
            ControlSocket open = ControlSocket.open(settings.options().rings());
            if (!uncontrolled.isEmpty()) {
                note("'argus agent ctl' reaches this agent now");
            }
            uncontrolled = "";
            return open;
        } catch (IOException unusable) {
            String why = String.valueOf(unusable.getMessage());
            if (!why.equals(uncontrolled)) {
                note("'argus agent ctl' does not reach this agent: " + why + "; tried again each "
                        + CONTROL_NANOS / SECOND + " s");
            }
            uncontrolled = why;
            return null;
        }
    }

    /**
     * Looks once: at stacks, and in rounds of a second at everything.
     *
     * @param monoNanos CLOCK_MONOTONIC nanoseconds
     */
    public void look(long monoNanos) {
        nowMono = monoNanos;
        if (collector.look(monoNanos)) {
            round(monoNanos);
        }
        if (ship != null) {
            ship.takeCommands().forEach(this::obey);
            ship.takeNotices().forEach(this::note);
        }
        if (control == null && settings.control() && monoNanos - controlTriedMono >= CONTROL_NANOS) {
            controlTriedMono = monoNanos;
            control = control();
        }
        if (control != null && (control.isBusy() || monoNanos - polledMono >= POLL_NANOS)) {
            polledMono = monoNanos;
            control.poll(this::answer, monoNanos);
        }
    }

    /** The next look is at everything: the last one, or one that somebody waits for. */
    public void hurry() {
        collector.hurry();
    }

    private void round(long monoNanos) {
        if (history != null) {
            history.tick(collector.epochNanos(monoNanos));
            history.problems().forEach(this::once);
        }
        settle();
        collector.problems().forEach(p -> once(p.detail()));
    }

    private void note(String line) {
        notices.add(SafeText.sentence(line));
    }

    private void once(String line) {
        if (said.add(line)) {
            note(line);
        }
    }

    /** Lines for an operator since the last call. */
    public List<String> takeNotices() {
        List<String> taken = List.copyOf(notices);
        notices.clear();
        return taken;
    }

    // ---------------------------------------------------------------- what a server asks

    private void obey(AgentCommand command) {
        switch (command) {
            case Retune retune -> {
                int asked = collector.tune(here(retune.job()), retune.ranks(), Tuning.of(retune));
                note("the server asks " + asked + " processes to record otherwise (command " + retune.id() + ")");
            }
            case SendExcerpt wanted -> {
                CompletableFuture<Written> written = excerpts == null
                        ? CompletableFuture.completedFuture(
                                new Written(Path.of(""), RankSet.EMPTY, 0, 0, "this agent keeps no history"))
                        : excerpts.write(new Wish(
                                folder().resolve(Excerpts.fileName("command-" + wanted.id())),
                                here(wanted.job()),
                                wanted.attempt(),
                                wanted.ranks(),
                                wanted.fromNanos(),
                                wanted.toNanos(),
                                List.of()));
                pending.add(new Asked(wanted.job(), wanted, written));
            }
        }
    }

    /** What the processes of this host call a job that a server names. */
    private String here(String inFrames) {
        for (RankReport r : collector.ranks()) {
            if (ShippingSink.isSame(inFrames, r.job())) {
                return r.job();
            }
        }
        return inFrames;
    }

    private Path folder() {
        Path state = settings.state();
        Path chosen = settings.excerpts();
        return chosen != null ? chosen : state == null ? Path.of("") : state.resolve("excerpts");
    }

    private void settle() {
        for (Iterator<Asked> all = pending.iterator(); all.hasNext(); ) {
            Asked asked = all.next();
            if (asked.written().isDone()) {
                all.remove();
                answer(
                        asked,
                        asked.written()
                                .exceptionally(failed -> new Written(
                                        Path.of(""), RankSet.EMPTY, 0, 0, String.valueOf(failed.getMessage())))
                                .join());
            }
        }
    }

    private void answer(Asked by, Written written) {
        note(written.problem().isEmpty() ? words(written) : "no excerpt: " + written.problem());
        SendExcerpt command = by.command();
        if (command != null && ship != null) {
            ExcerptNote note = new ExcerptNote(
                    command.id(),
                    command.attempt(),
                    command.fromNanos(),
                    command.toNanos(),
                    written.slices(),
                    written.bytes(),
                    written.file().toString(),
                    written.problem(),
                    written.ranks());
            ship.record(by.job(), note.record(), command.attempt(), collector.epochNanos(nowMono));
            if (written.problem().isEmpty()) {
                ship.upload(by.job(), Excerpts.fileName("command-" + command.id() + "-" + ship.host()), written.file());
            }
        }
    }

    private static String words(Written w) {
        return "wrote " + w.file() + ": " + w.slices() + " slices of ranks " + w.ranks() + ", "
                + (w.bytes() + 1023) / 1024 + " KiB";
    }

    // ---------------------------------------------------------------- incidents

    /**
     * Begins to write the excerpt of an incident that opens: its suspects and peers of theirs that run here ({@link ExcerptChoice}).
     *
     * @return where it will lie, or null when there will be none
     */
    public @Nullable Path excerpt(String job, Incident incident, long nowNanos) {
        Path folder = settings.excerpts();
        if (folder == null || history == null || excerpts == null) {
            return null;
        }
        ExcerptChoice choice = ExcerptChoice.of(incident, null, history.ranks(job), nowNanos);
        if (choice.ranks().isEmpty()) {
            return null;
        }
        Path file = folder.resolve(Excerpts.fileName(incident.id()));
        CompletableFuture<Written> written = excerpts.write(
                new Wish(file, job, -1, choice.ranks(), choice.fromNanos(), choice.toNanos(), List.of(incident)));
        pending.add(new Asked(job, null, written));
        return file;
    }

    // ---------------------------------------------------------------- what a user asks

    private Future<List<String>> answer(String line) {
        return switch (ControlRequest.parse(line)) {
            case ControlRequest.Status status ->
                CompletableFuture.completedFuture(
                        AgentStatus.lines(settings, collector, ship, history, sink, nowMono, nowMono - beganMono));
            case ControlRequest.Set set -> {
                int asked = collector.tune(null, set.ranks(), set.tuning());
                if (asked == 0) {
                    throw new IllegalArgumentException("no process of ranks " + set.ranks()
                            + " runs here now; those that start later will be asked");
                }
                yield CompletableFuture.completedFuture(List.of("asked " + asked + " processes"));
            }
            case ControlRequest.Excerpt wanted -> excerptOf(wanted);
        };
    }

    private Future<List<String>> excerptOf(ControlRequest.Excerpt wanted) {
        if (excerpts == null) {
            throw new IllegalArgumentException(
                    "this agent keeps no history (--history-mib 0, or its folder is not usable)");
        }
        long now = collector.epochNanos(nowMono);
        Path file = folder().resolve(Excerpts.fileName("asked-" + now / SECOND));
        return excerpts.write(new Wish(file, null, -1, wanted.ranks(), now - wanted.seconds() * SECOND, now, List.of()))
                .thenApply(w -> {
                    if (!w.problem().isEmpty()) {
                        throw new IllegalStateException(w.problem());
                    }
                    return List.of(words(w));
                });
    }

    /** The collector. */
    public Collector collector() {
        return collector;
    }

    /** Ends: what is on its way is sent and written as far as some seconds are enough; the rest of what ships stays in the spool. */
    @Override
    public void close() {
        settle();
        quietly(ship == null ? null : () -> ship.close(SHIP_MILLIS));
        if (ship != null) {
            ship.takeNotices().forEach(this::note);
        }
        quietly(control);
        quietly(excerpts);
        settle();
        quietly(history);
        quietly(collector);
    }

    private void quietly(@Nullable AutoCloseable part) {
        try {
            if (part != null) {
                part.close();
            }
        } catch (Exception e) {
            note("not closed in order: " + e.getMessage());
        }
    }
}
