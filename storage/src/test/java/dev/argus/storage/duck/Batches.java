package dev.argus.storage.duck;

import dev.argus.storage.Rows;
import dev.argus.storage.StoreBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Batches for tests, filled as a job of so many ranks would. */
final class Batches {
    static final long EPOCH = 1_790_000_000_000_000_000L;
    static final long SECOND = 1_000_000_000L;
    static final long HOUR = 3600 * SECOND;

    private Batches() {}

    static StoreBatch empty(long number, long atNanos) {
        return of(number, atNanos, List.of(), List.of(), List.of(), Map.of());
    }

    static StoreBatch of(
            long number,
            long atNanos,
            List<Rows.Step> steps,
            List<Rows.RankStep> rankSteps,
            List<Rows.Incident> incidents,
            Map<String, byte[]> state) {
        return new StoreBatch(
                number, atNanos, List.of(), List.of(), steps, List.of(), rankSteps, List.of(), incidents, List.of(),
                List.of(), state);
    }

    /** One step of a job with its phases and ranks; durations in the numbers of a healthy job. */
    static StoreBatch step(long number, long atNanos, String job, int ranks) {
        List<Rows.RankStep> rows = rankSteps(job, number, atNanos, ranks);
        Rows.Step step = new Rows.Step(job, 0, number, atNanos, 4 * SECOND, 4 * SECOND + 7, ranks - 1, ranks);
        Rows.Phase phase = new Rows.Phase(job, 0, number, "forward", SECOND, SECOND + 5, 0, ranks);
        return new StoreBatch(
                number,
                atNanos,
                List.of(new Rows.Job(job, 0, EPOCH, atNanos, ranks, ranks / 8, "tp=8")),
                List.of(),
                List.of(step),
                List.of(phase),
                rows,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Map.of("cursor", Long.toString(number).getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    static List<Rows.RankStep> rankSteps(String job, long step, long atNanos, int ranks) {
        Random random = new Random(step);
        List<Rows.RankStep> rows = new ArrayList<>(ranks);
        for (int rank = 0; rank < ranks; rank++) {
            long duration = 4 * SECOND + (long) (2e6 * random.nextGaussian());
            long compute = (long) (2.4e9 * (1 + 0.006 * random.nextGaussian()));
            long copy = (long) (2e7 * (1 + 0.05 * random.nextGaussian()));
            long comm = (long) ((duration - compute - copy) * 0.9);
            rows.add(new Rows.RankStep(
                    job,
                    0,
                    step,
                    rank,
                    atNanos + (long) (3e6 * random.nextGaussian()),
                    duration,
                    compute,
                    copy,
                    comm,
                    duration - compute - copy - comm));
        }
        return rows;
    }

    static Rows.Incident incident(String job, String id, String state, double gpuSeconds, String summary) {
        return new Rows.Incident(
                job,
                id,
                0,
                state.equals("resolved") ? "closed" : "opened",
                EPOCH,
                "compute-straggler",
                "rank",
                "critical",
                0.97,
                state,
                EPOCH,
                state.equals("resolved") ? EPOCH + SECOND : 0,
                3,
                9,
                0.12,
                gpuSeconds,
                "37",
                "host4",
                summary,
                "{\"id\":\"" + id + "\"}",
                0.3);
    }
}
