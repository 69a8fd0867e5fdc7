package dev.argus.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.Incident;
import dev.argus.model.NameTable;
import dev.argus.ring.RingDirectory;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A real training job of four processes on this machine, under the Python producer, and an agent that watches it. */
final class Training implements AutoCloseable {
    static final int RANKS = 4;
    private static final long LOOK_MILLIS = 50;

    /**
     * A change as it was heard.
     *
     * @param change what
     * @param newest newest step that all ranks had made by then
     */
    record Heard(IncidentChange change, long newest) {
        Incident incident() {
            return change.incident();
        }

        @Override
        public String toString() {
            return change.kind() + " at step " + newest + ": "
                    + incident().kind().text() + ", " + incident().summary();
        }
    }

    final List<Heard> heard = new ArrayList<>();
    private final Path rings;
    private final Path said;
    private final Process job;
    private final Collector collector;
    private final LocalJobs jobs;
    private final long until;

    /**
     * Starts job and agent.
     *
     * @param folder an empty folder
     * @param seconds how long it may take
     * @param arguments of the example, beside the number of ranks
     */
    Training(Path folder, int seconds, LiveOptions options, String... arguments) throws IOException {
        rings = Files.createDirectory(
                folder.resolve("rings"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        said = folder.resolve("said");
        NameTable names = new NameTable();
        jobs = new LocalJobs(
                names, Thresholds.DEFAULT, options, (job, change) -> heard.add(new Heard(change, newestStep())));
        long mono = System.nanoTime();
        collector = new Collector(AgentOptions.of(rings), names, jobs, System.currentTimeMillis() * 1_000_000L, mono);
        until = mono + TimeUnit.SECONDS.toNanos(seconds);
        Path python = Shared.repository().resolve("producers/python");
        List<String> command = new ArrayList<>(List.of(
                "/usr/bin/python3", python.resolve("examples/train_ddp.py").toString(), "--ranks", "" + RANKS));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
        builder.environment().putAll(Map.of("ARGUS", "1", "ARGUS_RING_DIR", rings.toString(), "ARGUS_JOB", "live"));
        job = builder.start();
    }

    long newestStep() {
        LiveJob live = jobs.jobs().get("live");
        return live == null ? -1 : live.newestStep();
    }

    /** Host pids of the ranks, as far as they have rings. */
    Map<Integer, Long> pids() throws IOException {
        Map<Integer, Long> pids = new TreeMap<>();
        for (RingDirectory.Entry e :
                RingDirectory.of(rings).list(System.nanoTime()).rings()) {
            pids.put(e.header().rank(), e.hostProcess());
        }
        return pids;
    }

    /** Watches until the job has made a step; then the caller does something to it. */
    void untilStep(long step) throws InterruptedException {
        while (newestStep() < step && job.isAlive() && System.nanoTime() < until) {
            look();
        }
    }

    /** Watches until something was heard, the job has ended, or the time is over. */
    void until(Consumer<List<Heard>> assertion) throws InterruptedException {
        while (System.nanoTime() < until) {
            look();
            if (holds(assertion)) {
                return;
            }
            if (!job.isAlive()) {
                break;
            }
        }
        assertion.accept(heard);
    }

    /** True when the job has ended. */
    boolean ended() {
        return !job.isAlive();
    }

    /** Watches for a while. */
    void watch(long nanos) throws InterruptedException {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < nanos) {
            look();
        }
    }

    private boolean holds(Consumer<List<Heard>> assertion) {
        try {
            assertion.accept(heard);
            return true;
        } catch (AssertionError notYet) {
            return false;
        }
    }

    private void look() throws InterruptedException {
        collector.look(System.nanoTime());
        Thread.sleep(LOOK_MILLIS);
    }

    /** What the job printed and what the agent could not do, for messages. */
    String told() throws IOException {
        return "heard: " + heard + "\nnewest step: " + newestStep() + "\nproblems: " + collector.problems()
                + "\nlosses: " + jobs.losses() + "\njob: " + Files.readString(said, UTF_8);
    }

    @Override
    public void close() {
        job.descendants().forEach(ProcessHandle::destroyForcibly);
        job.destroyForcibly();
        collector.close();
    }
}
