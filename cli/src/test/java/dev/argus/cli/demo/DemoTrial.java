package dev.argus.cli.demo;

import dev.argus.agent.CollectorSink;
import dev.argus.cli.text.Look;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.FlightRecord;
import dev.argus.model.NameTable;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.StackRecord;
import dev.argus.ring.RingDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A demonstration without a server, without threads and without a clock: time is what is given to its parts. Begun by itself it prints what is said:
 * {@code DemoTrial FOLDER RANKS SEED SECONDS}.
 */
final class DemoTrial {
    private static final long SECOND = 1_000_000_000L;
    private static final long EPOCH = 1_800_000_000L * SECOND;
    private static final long BEGIN = 1000 * SECOND;

    private final List<String> lines = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final DemoJudge.Summary summary;
    private final Counted counted;
    private double firstRight = -1;
    private long now = BEGIN;
    private long jobNanos;
    private long watchNanos;

    DemoTrial(DemoOptions options, Path folder, int seconds) throws IOException {
        this(options, folder, seconds, 1);
    }

    /** @param slower how many times too seldom the agent looks */
    DemoTrial(DemoOptions options, Path folder, int seconds, int slower) throws IOException {
        DemoEar ear = new DemoEar();
        NameTable names = new NameTable();
        RingDirectory.prepare(folder);
        Path rings = folder.resolve("rings");
        counted = new Counted(new DemoWithoutServer(ear).sink(names, folder, EPOCH));
        try (DemoJob job = new DemoJob(options, rings, BEGIN, EPOCH);
                DemoWatch watch = new DemoWatch(
                        job,
                        ear,
                        rings,
                        names,
                        counted,
                        folder.resolve("agent"),
                        new DemoInText(Look.PLAIN),
                        this::line,
                        notices::add,
                        EPOCH,
                        BEGIN)) {
            for (int turn = 0; now < BEGIN + seconds * SECOND; turn++) {
                now += DemoWatch.LOOK_NANOS;
                long from = System.nanoTime();
                job.until(now, EPOCH + now - BEGIN);
                long played = System.nanoTime();
                if (turn % slower == 0) {
                    watch.look(now);
                }
                jobNanos += played - from;
                watchNanos += System.nanoTime() - played;
            }
            notices.addAll(watch.problems());
            if (job.lost() > 0) {
                notices.add(job.lost() + " records lost");
            }
            summary = watch.summary();
        }
    }

    private void line(String line) {
        if (firstRight < 0 && line.startsWith("RIGHT:")) {
            firstRight = (now - BEGIN) / 1e9;
        }
        lines.add(line);
    }

    /** What was said. */
    List<String> lines() {
        return lines;
    }

    /** What went wrong beside. */
    List<String> notices() {
        return notices;
    }

    DemoJudge.Summary summary() {
        return summary;
    }

    /** Seconds from the beginning to the first right verdict, -1 without. */
    double firstRightSeconds() {
        return firstRight;
    }

    /** Steps of ranks, and those of them that were not whole. */
    long[] steps() {
        return new long[] {counted.steps, counted.partial};
    }

    public static void main(String[] args) throws IOException {
        DemoOptions options = DemoOptions.of(Integer.parseInt(args[1]), Long.parseLong(args[2]), 0, 0);
        DemoTrial trial = new DemoTrial(options, Path.of(args[0]), Integer.parseInt(args[3]));
        trial.lines.forEach(l -> System.out.print(l.lines().findFirst().orElse("") + "\n"));
        System.out.printf(
                "%s; first right after %.1f s; %d steps of ranks, %d partial; job %.1f s, agent and diagnosis %.1f s; %s%n",
                trial.summary,
                trial.firstRight,
                trial.counted.steps,
                trial.counted.partial,
                trial.jobNanos / 1e9,
                trial.watchNanos / 1e9,
                trial.notices);
    }

    /** Counts what goes through. */
    private static final class Counted implements CollectorSink {
        private final CollectorSink to;
        private long steps;
        private long partial;

        Counted(CollectorSink to) {
            this.to = to;
        }

        @Override
        public void declare(String job, RankDeclaration declaration, long nowNanos) {
            to.declare(job, declaration, nowNanos);
        }

        @Override
        public void step(String job, RankStep step, long nowNanos) {
            steps++;
            partial += step.digest().partial() ? 1 : 0;
            to.step(job, step, nowNanos);
        }

        @Override
        public void state(String job, RankState state, long nowNanos) {
            to.state(job, state, nowNanos);
        }

        @Override
        public void flight(String job, FlightRecord flight, long nowNanos) {
            to.flight(job, flight, nowNanos);
        }

        @Override
        public void stacks(String job, StackRecord record, long nowNanos) {
            to.stacks(job, record, nowNanos);
        }

        @Override
        public void lost(String job, int rank, String reason, long count, long nowNanos) {
            to.lost(job, rank, reason, count, nowNanos);
        }

        @Override
        public void overhead(String job, OverheadReading reading, long nowNanos) {
            to.overhead(job, reading, nowNanos);
        }

        @Override
        public void tick(long nowNanos) {
            to.tick(nowNanos);
        }
    }
}
