package dev.argus.cli;

import dev.argus.agent.AgentCheck;
import dev.argus.agent.CollectorSink;
import dev.argus.agent.LocalJobs;
import dev.argus.agent.host.HostAgent;
import dev.argus.agent.ship.ShipOptions;
import dev.argus.agent.ship.ShippingSink;
import dev.argus.cli.json.ChangeJson;
import dev.argus.cli.text.LiveText;
import dev.argus.cli.text.Look;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.NameTable;
import dev.argus.model.SafeText;
import dev.argus.ring.RingDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code agent}: one thread that looks, until somebody stops it. */
final class AgentCommand {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final long END_SECONDS = 5;

    private final Surroundings around;
    private final AgentArguments arguments;
    private final Map<String, String> watched = new HashMap<>();
    private @Nullable HostAgent agent;

    AgentCommand(Surroundings around, AgentArguments arguments) {
        this.around = around;
        this.arguments = arguments;
    }

    /** Says what can be seen and what is missing. */
    int check() throws IOException {
        AgentCheck check = AgentCheck.of(arguments.options(), System.nanoTime());
        StringBuilder text = new StringBuilder();
        check.lines().forEach(line -> text.append(line).append('\n'));
        print(text.toString());
        return check.complete() ? ExitCode.DONE : ExitCode.NOTHING_ANALYSED;
    }

    int run() throws IOException {
        Look look = Look.of(around.environment(), around.colour(arguments.noColour()));
        if (!rings(arguments.options().rings())) {
            return ExitCode.NOTHING_ANALYSED;
        }
        NameTable names = new NameTable();
        CollectorSink sink;
        try {
            sink = sink(names, look);
        } catch (IOException e) {
            note("cannot begin: " + Failures.reasonWithFile(e));
            return ExitCode.NOTHING_ANALYSED;
        }
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> end(stop, ended), "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        note("watching " + SafeText.of(arguments.options().rings().toString()));
        try (HostAgent host = new HostAgent(
                arguments.settings(), names, sink, System.currentTimeMillis() * MILLI, System.nanoTime())) {
            agent = host;
            watch(host, sink, stop);
        } finally {
            notices(sink);
            ended.countDown();
            removeHook(hook);
        }
        return ExitCode.DONE;
    }

    /** Makes the folder of the rings where it is missing, and says so: a folder that was mistyped would be watched for ever. */
    private boolean rings(Path folder) {
        String shown = "'" + SafeText.of(folder.toString()) + "'";
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return true; // whether it can be used is said by whoever reads it
        }
        Path above = folder.toAbsolutePath().getParent();
        if (above == null || !Files.isDirectory(above)) {
            note("cannot begin: there is no folder " + shown
                    + ", nor the one above it in which to make it; give the folder in"
                    + " which training processes write their rings, or none for the usual one");
            return false;
        }
        try {
            RingDirectory.prepare(folder);
            if (!arguments.usualRings()) {
                note("made the folder " + shown
                        + ", which was not there: processes write their rings into it when they are"
                        + " started with ARGUS_RING_DIR=" + SafeText.of(folder.toString()));
            }
            return true;
        } catch (IOException unusable) {
            note("cannot begin: folder " + shown + " cannot be made (" + Failures.reason(unusable)
                    + "); give one in which training processes write their rings");
            return false;
        }
    }

    private CollectorSink sink(NameTable names, Look look) throws IOException {
        Path excerpts = arguments.settings().excerpts();
        if (excerpts != null) {
            Files.createDirectories(excerpts);
        }
        ShipOptions ship = arguments.ship();
        if (ship == null) {
            return new LocalJobs(names, Thresholds.DEFAULT, options(), (job, change) -> say(job, change, look));
        }
        Path state = arguments.settings().state();
        if (state != null && ship.spool().startsWith(state)) {
            RingDirectory.prepare(state);
        }
        RingDirectory.prepare(ship.spool());
        return new ShippingSink(ship, names, System::nanoTime, System.currentTimeMillis() * MILLI);
    }

    private LiveOptions options() {
        return LiveOptions.DEFAULT.with(arguments.topology());
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // it is what ends us
        }
    }

    private static void end(CountDownLatch stop, CountDownLatch ended) {
        stop.countDown();
        try {
            ended.await(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch(HostAgent host, CollectorSink sink, CountDownLatch stop) {
        long begin = System.nanoTime();
        long next = begin;
        long noticed = begin - SECOND;
        boolean go = true;
        while (go && (arguments.seconds() == 0 || System.nanoTime() - begin < arguments.seconds() * SECOND)) {
            host.look(System.nanoTime());
            if (System.nanoTime() - noticed >= SECOND) {
                noticed = System.nanoTime();
                notices(sink);
            }
            next = Math.max(next + arguments.options().lookNanos(), System.nanoTime());
            try {
                go = !stop.await(next - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        host.hurry();
        host.look(System.nanoTime());
    }

    private void notices(CollectorSink sink) {
        if (agent != null) {
            agent.takeNotices().forEach(this::note);
        }
        if (sink instanceof LocalJobs local) {
            local.jobs().forEach((name, job) -> {
                if (job.shape() != null) {
                    String now = describe(job);
                    if (!now.equals(watched.put(name, now))) {
                        note((name.isEmpty() ? "" : "job " + SafeText.of(name, 80) + ": ") + now);
                    }
                }
            });
        }
    }

    private static String describe(LiveJob job) {
        int world = job.shape() == null ? 0 : job.shape().worldSize();
        int silent = job.silent().size();
        return "watching ranks " + job.declared() + " of " + world
                + (silent == 0 ? "" : "; nothing is heard of ranks " + job.silent());
    }

    private void say(String job, IncidentChange change, Look look) {
        HostAgent host = agent;
        Path excerpt = host == null || change.kind() != IncidentChange.Kind.OPENED
                ? null
                : host.excerpt(job, change.incident(), change.atNanos());
        try {
            print(
                    arguments.json()
                            ? ChangeJson.line(job, change, excerpt)
                            : LiveText.change(job, change, excerpt, look));
        } catch (IOException e) {
            note("cannot write to standard output: " + Failures.reason(e));
        }
    }

    private void note(String text) {
        around.err().println("argus: " + SafeText.sentence(text));
    }

    private void print(String text) throws IOException {
        around.out().write(text.getBytes(StandardCharsets.UTF_8));
        around.out().flush();
    }
}
