package dev.argus.benchmarks.scale;

import dev.argus.model.IncidentKind;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What befalls a healthy job in a day, and three faults late in it: a GPU that computes 10 % slower, an interface at 60 % of its
 * bandwidth, and pauses of 15 % of the step that come and go.
 */
final class SoakConditions implements Conditions {
    /** Steps between checkpoints, half an hour, and between evaluations, two hours. */
    private static final int CHECKPOINT_MINUTES = 30;

    private static final int EVALUATION_MINUTES = 120;
    private static final double CHECKPOINT = 1.5;
    private static final double EVALUATION = 4;

    /** Pauses have a Pareto tail of exponent 2 from here on, in one of so many cells, cut here; shares of the step. */
    private static final double PAUSE_FROM = 0.00174;

    private static final int PAUSE_OF = 30;
    private static final double PAUSE_MOST = 0.5;

    /** Rank 0 logs: a little in every step, more in each tenth. */
    private static final double LOGGING = 0.0015;

    private static final double SUMMARY = 0.015;
    private static final int SUMMARY_EVERY = 10;
    private static final double[] WARMUP = {1.2, 0.5, 0.2};

    /** Windows a fault lasts, and from its end to the next. */
    private static final int FAULT_WINDOWS = 8;

    private static final int REST_WINDOWS = 8;
    private static final double SLOWER = 1.1;
    private static final double BANDWIDTH = 0.6;
    private static final double STALL = 0.15;

    private final int stepsPerWindow;
    private final ScaleJob job;
    private final PlantedFault compute;
    private final PlantedFault link;
    private final PlantedFault stall;

    SoakConditions(ScaleJob job, int windows, int stepsPerWindow) {
        this.job = job;
        this.stepsPerWindow = stepsPerWindow;
        int from = windows - 3 * (FAULT_WINDOWS + REST_WINDOWS);
        int next = FAULT_WINDOWS + REST_WINDOWS;
        compute = new PlantedFault(
                "slowGpu",
                (int) (0.371 * job.ranks()),
                from,
                FAULT_WINDOWS,
                Set.of(IncidentKind.COMPUTE_STRAGGLER, IncidentKind.KERNEL_STRAGGLER));
        link = new PlantedFault(
                "slowLink",
                (int) (0.644 * job.ranks()),
                from + next,
                FAULT_WINDOWS,
                Set.of(IncidentKind.LINK_DEGRADED));
        stall = new PlantedFault(
                "flappingStall",
                (int) (0.123 * job.ranks()),
                from + 2 * next,
                FAULT_WINDOWS,
                Set.of(IncidentKind.CPU_STALL, IncidentKind.DATA_STALL));
    }

    List<PlantedFault> faults() {
        return List.of(compute, link, stall);
    }

    private boolean has(PlantedFault fault, int rank, long step) {
        return rank == fault.rank() && fault.in((int) (step / stepsPerWindow));
    }

    @Override
    public double slowness(int rank, long step) {
        return has(compute, rank, step) ? SLOWER : 1;
    }

    @Override
    public double transfer(int rank, long step) {
        return has(link, rank, step) ? 1 / BANDWIDTH : 1;
    }

    @Override
    public double pause(int rank, long step, SplittableRandom random) {
        double share = random.nextInt(PAUSE_OF) == 0
                ? Math.min(PAUSE_MOST, PAUSE_FROM / Math.sqrt(1 - random.nextDouble()))
                : 0;
        if (step < WARMUP.length) {
            share += WARMUP[(int) step];
        }
        if (rank == 0) {
            share += LOGGING + (step % SUMMARY_EVERY == 0 ? SUMMARY : 0);
        }
        if (has(stall, rank, step) && stalls(rank, step)) {
            share += STALL;
        }
        return share;
    }

    /** In half of the steps of each window, each time others. */
    private boolean stalls(int rank, long step) {
        int first = Math.floorMod(job.mixed(rank, -3_000_000 - step / stepsPerWindow), stepsPerWindow);
        return Math.floorMod(step - first, stepsPerWindow) < stepsPerWindow / 2;
    }

    private double every(int minutes, long step, double share) {
        long period = (long) minutes * stepsPerWindow;
        return step % period == period - 1 ? share : 0;
    }

    @Override
    public double checkpoint(long step) {
        return every(CHECKPOINT_MINUTES, step, CHECKPOINT);
    }

    @Override
    public double evaluation(long step) {
        return every(EVALUATION_MINUTES, step, EVALUATION);
    }
}
