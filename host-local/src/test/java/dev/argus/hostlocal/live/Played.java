package dev.argus.hostlocal.live;

import dev.argus.digest.AssembledTrace;
import dev.argus.engine.Thresholds;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.StepDigest;
import dev.argus.model.TraceHeader;
import dev.argus.simulator.RecordOutput;
import dev.argus.simulator.RecordSink;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** A simulated job, reported step by step as its hosts would. */
final class Played {
    static final long STEP_NANOS = 1_000_000_000L;

    final NameTable names = new NameTable();
    final Map<Integer, RankDeclaration> ranks = new TreeMap<>();
    final TreeMap<Long, Map<Integer, RankStep>> steps = new TreeMap<>();
    final LiveJob job;
    long nowNanos = STEP_NANOS;
    private final Map<Integer, RankState> said = new TreeMap<>();
    private long stoodNanos;

    Played(Scenario scenario) {
        Map<List<Long>, KernelWindow> windows = new HashMap<>();
        List<StepDigest> digests = new ArrayList<>();
        RecordOutput.deliver(Simulation.run(scenario), names, new RecordSink() {
            @Override
            public void rank(int rank, TraceHeader header, AssembledTrace trace) {
                ranks.put(rank, trace.declaration(0, rank, header, ""));
            }

            @Override
            public void digest(StepDigest digest) {
                digests.add(digest);
            }

            @Override
            public void kernels(KernelWindow window) {
                windows.put(List.of((long) window.rank(), window.window()), window);
            }

            @Override
            public void shape(JobShape shape) {}
        });
        for (StepDigest d : digests) {
            steps.computeIfAbsent(d.step(), s -> new TreeMap<>())
                    .put(d.rank(), new RankStep(d, windows.get(List.of((long) d.rank(), d.step()))));
        }
        job = new LiveJob(names, Thresholds.DEFAULT, LiveOptions.DEFAULT);
    }

    void declareAll() {
        ranks.values().forEach(d -> job.declare(d, nowNanos));
    }

    /** All steps begin later: the job makes them again. */
    void later(long nanos) {
        steps.values().forEach(of -> of.replaceAll((rank, s) -> new RankStep(later(s.digest(), nanos), s.kernels())));
    }

    /** The same for some ranks only: their clocks are wrong. */
    void later(long nanos, IntPredicate of) {
        steps.values()
                .forEach(all -> all.replaceAll(
                        (rank, s) -> of.test(rank) ? new RankStep(later(s.digest(), nanos), s.kernels()) : s));
    }

    static StepDigest later(StepDigest d, long nanos) {
        return new StepDigest(
                d.attempt(),
                d.rank(),
                d.step(),
                d.startNanos() + nanos,
                d.durationNanos(),
                d.last(),
                d.partial(),
                d.gpu(),
                d.own(),
                d.hostToDeviceNanos(),
                d.hostToDeviceBytes(),
                d.kernelCount(),
                d.workItems(),
                d.phases(),
                d.collectives(),
                d.gaps());
    }

    /** A step of all ranks. */
    Map<Integer, RankStep> of(long step) {
        return Objects.requireNonNull(steps.get(step), () -> "step " + step + " was not simulated");
    }

    /** One rank's step. */
    RankStep of(long step, int rank) {
        return Objects.requireNonNull(of(step).get(rank));
    }

    /** What a rank declares. */
    RankDeclaration declaration(int rank) {
        return Objects.requireNonNull(ranks.get(rank));
    }

    /** All ranks report one step, and time goes on. */
    List<IncidentChange> step(long step) {
        of(step).values().forEach(s -> job.take(s, nowNanos));
        nowNanos += STEP_NANOS;
        return job.tick(nowNanos).changes();
    }

    /** The same from the first step to one. */
    List<IncidentChange> until(long last) {
        List<IncidentChange> all = new ArrayList<>();
        for (long step : steps.headMap(last, true).keySet()) {
            all.addAll(step(step));
        }
        return all;
    }

    /** What a rank says of itself, and says again every second while the job stands. */
    void say(RankState state) {
        job.take(state, nowNanos);
        said.put(state.rank(), state);
    }

    /** Second after second passes until so many are over, and all say what they said before; time itself stays. */
    List<IncidentChange> stand(int seconds) {
        List<IncidentChange> all = new ArrayList<>();
        stoodNanos = Math.max(stoodNanos, nowNanos);
        while (stoodNanos < nowNanos + seconds * STEP_NANOS) {
            stoodNanos += STEP_NANOS;
            said.values().forEach(s -> job.take(at(s, stoodNanos), stoodNanos));
            all.addAll(job.tick(stoodNanos).changes());
        }
        return all;
    }

    /** All say what they said before, by their own clocks at one time, heard at another. */
    void sayAgain(long atNanos, long heardNanos) {
        said.values().forEach(s -> job.take(at(s, atNanos), heardNanos));
    }

    /** The same, said later. */
    static RankState at(RankState s, long nanos) {
        return new RankState(
                s.attempt(),
                s.rank(),
                nanos,
                s.process(),
                s.heartbeatNanos(),
                s.begunStep(),
                s.begunNanos(),
                s.endedStep(),
                s.endedNanos(),
                s.doing(),
                s.doingSinceNanos());
    }
}
