package dev.argus.benchmarks.scale;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.Gap;
import dev.argus.model.NameTable;
import dev.argus.model.OwnTime;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The digests of one step of the whole job: lasting spread between ranks, noise from step to step, gaps with a heavy tail, and waits that
 * follow from who was late. Tensor-parallel collectives are not in them: their groups sit on one host, where the agent matches them.
 */
final class DigestMaker {
    private static final double COMPUTE_NANOS = 800e6;
    private static final double COPY_NANOS = 3e6;
    private static final double GAP_NANOS = 12e6;
    private static final double LASTING = 0.005;
    private static final double NOISE = 0.003;
    private static final long PIPE_BYTES = 64L << 20;
    private static final long PIPE_NANOS = 1_200_000;
    private static final long GRADIENT_BYTES = 512L << 20;
    private static final long GRADIENT_NANOS = 22_000_000;
    /** Of each transfer of gradients one in so many parts is not covered by compute. */
    private static final int EXPOSED_OF = 4;

    private static final int GRADIENTS = 4;
    private static final long STEP_NANOS = 1_150_000_000L;
    private static final long EPOCH = 1_790_000_000_000_000_000L;

    /**
     * How large a step is.
     *
     * @param microbatches microbatches of the pipeline
     * @param times durations and payloads, as a multiple of those of a step of 1.15 s
     */
    record Size(int microbatches, double times) {
        /** Steps of 1.15 s. */
        static final Size SECOND = new Size(8, 1);

        /** Typical time of a step. */
        double stepNanos() {
            return STEP_NANOS * times;
        }

        /** Typical time that the GPU computes in a step. */
        double computeNanos() {
            return COMPUTE_NANOS * times;
        }
    }

    private final ScaleJob job;
    private final Conditions conditions;
    private final Size size;
    private final int dpName;
    private final int ppName;
    private final int cover;
    private final long step;
    private final long[] compute;
    private final long[] idle;
    private final long[] latest;
    private final double[] slowest;
    private final long late;
    private final long checkpoint;
    private final long evaluation;

    DigestMaker(ScaleJob job, Conditions conditions, Size size, NameTable names, long step) {
        this.job = job;
        this.conditions = conditions;
        this.size = size;
        this.step = step;
        dpName = names.id("data parallel");
        ppName = names.id("pipeline");
        cover = names.id("aten::linear");
        compute = new long[job.ranks()];
        idle = new long[job.ranks()];
        latest = new long[ScaleJob.TP * ScaleJob.STAGES];
        slowest = new double[latest.length];
        checkpoint = Math.round(conditions.checkpoint(step) * size.stepNanos());
        evaluation = Math.round(conditions.evaluation(step) * size.stepNanos());
        long most = 0;
        for (int r = 0; r < compute.length; r++) {
            SplittableRandom random = new SplittableRandom(job.mixed(r, -1000 - step));
            double lasting = 1 + LASTING * new SplittableRandom(job.mixed(r, -1)).nextGaussian();
            double noise = 1 + NOISE * random.nextGaussian();
            double stage = 1 + 0.02 * (job.stage(r) % 3);
            double work = size.computeNanos() * stage * lasting * noise;
            compute[r] = Math.round(work * conditions.slowness(r, step));
            double pause = conditions.pause(r, step, random) * size.stepNanos();
            idle[r] = Math.round(GAP_NANOS * size.times() * (1 + 0.08 * random.nextGaussian()) + pause);
            latest[job.dpGroup(r)] = Math.max(latest[job.dpGroup(r)], own(r));
            slowest[job.dpGroup(r)] = Math.max(slowest[job.dpGroup(r)], conditions.transfer(r, step));
            most = Math.max(most, own(r));
        }
        double slow = Arrays.stream(slowest).max().orElse(1) - 1;
        late = Math.max(0, most - Math.round(1.06 * size.computeNanos() + GAP_NANOS * size.times()))
                + Math.round(slow * GRADIENTS * GRADIENT_NANOS * size.times() / EXPOSED_OF);
    }

    private long own(int rank) {
        return compute[rank] + idle[rank];
    }

    StepDigest of(int rank) {
        SplittableRandom random = new SplittableRandom(job.mixed(rank, -1_000_000 - step));
        long duration =
                Math.round(size.stepNanos()) + late + checkpoint + evaluation + random.nextLong(-300_000, 300_000);
        long start = EPOCH + Math.round(step * size.stepNanos()) + random.nextLong(200_000);
        long copy = Math.round(COPY_NANOS * size.times() * (1 + 0.05 * random.nextGaussian()));
        double cpu = 1 + 0.01 * new SplittableRandom(job.mixed(rank / ScaleJob.TP, -2)).nextGaussian();
        List<CollectiveStat> collectives = collectives(rank, start, random);
        long exposed = 0;
        for (CollectiveStat c : collectives) {
            exposed += c.exposedNanos();
        }
        double span = 740e6 * size.times() * cpu;
        long busy = compute[rank];
        List<PhaseTime> phases = new ArrayList<>(List.of(
                phase(Phase.FORWARD, 0.39 * span, busy * 0.33, random),
                phase(Phase.BACKWARD, 0.55 * span, busy * 0.64, random),
                phase(Phase.OPTIMIZER, 0.06 * span, busy * 0.03, random)));
        if (checkpoint > 0) {
            phases.add(new PhaseTime(Phase.CHECKPOINT, checkpoint, 0));
        }
        if (evaluation > 0) {
            phases.add(new PhaseTime(Phase.EVALUATION, evaluation, evaluation));
        }
        return new StepDigest(
                0,
                rank,
                step,
                start,
                duration,
                false,
                false,
                true,
                new OwnTime(busy + evaluation, copy, exposed, idle[rank] + checkpoint, (idle[rank] + checkpoint) / 2),
                copy,
                48L << 20,
                4800,
                4800L << 16,
                List.copyOf(phases),
                collectives,
                gaps(start, idle[rank] + checkpoint, random));
    }

    private static PhaseTime phase(Phase phase, double span, double busy, SplittableRandom random) {
        return new PhaseTime(phase, Math.round(span * (1 + 0.01 * random.nextGaussian())), Math.round(busy));
    }

    private List<Gap> gaps(long start, long idle, SplittableRandom random) {
        List<Gap> gaps = new ArrayList<>();
        long left = idle;
        for (int i = 0; i < 4; i++) {
            long nanos = left / 3;
            left -= nanos;
            gaps.add(new Gap(
                    start + random.nextLong(Math.round(size.stepNanos())),
                    nanos,
                    i < 2,
                    i == 3,
                    false,
                    cover,
                    SpanKind.OPERATOR));
        }
        return gaps;
    }

    private List<CollectiveStat> collectives(int rank, long start, SplittableRandom random) {
        List<CollectiveStat> list = new ArrayList<>();
        int stage = job.stage(rank);
        long at = start + 5_000_000L * (1 + stage);
        long apart = Math.round(size.stepNanos()) / (5L * size.microbatches());
        long sequence = step * 4 * size.microbatches();
        for (int m = 0; m < size.microbatches(); m++) {
            if (stage > 0) {
                list.add(pipe(CollectiveOp.RECV, rank, stage - 1, sequence++, at, 20, random));
            }
            if (stage < ScaleJob.STAGES - 1) {
                list.add(pipe(CollectiveOp.SEND, rank, stage + 1, sequence++, at + apart / 2, 21, random));
            }
            at += apart;
        }
        for (int m = 0; m < size.microbatches(); m++) {
            if (stage < ScaleJob.STAGES - 1) {
                list.add(pipe(CollectiveOp.RECV, rank, stage + 1, sequence++, at, 22, random));
            }
            if (stage > 0) {
                list.add(pipe(CollectiveOp.SEND, rank, stage - 1, sequence++, at + apart / 2, 23, random));
            }
            at += apart;
        }
        int group = job.dpGroup(rank);
        long wait = latest[group] - own(rank);
        SplittableRandom shared = new SplittableRandom(job.mixed(group, -2_000_000 - step));
        for (int i = 0; i < 5; i++) {
            CollectiveOp op =
                    i < 2 ? CollectiveOp.REDUCE_SCATTER : i == 2 ? CollectiveOp.ALL_REDUCE : CollectiveOp.ALL_GATHER;
            double nanos = i == 2
                    ? 60_000
                    : GRADIENT_NANOS * size.times() * slowest[group] * (1 + 0.02 * shared.nextGaussian());
            long late = (i == 0 ? wait : 0) + Math.round(3_000 * Math.abs(random.nextGaussian()));
            long duration = Math.round(nanos) + late;
            list.add(new CollectiveStat(
                    op,
                    dpName,
                    step * 5 + i,
                    i == 2 ? 4 : Math.round(GRADIENT_BYTES * size.times()),
                    -1,
                    24,
                    at,
                    duration,
                    late + duration / EXPOSED_OF,
                    false));
            at += duration + 50_000;
        }
        return list;
    }

    private CollectiveStat pipe(
            CollectiveOp op, int rank, int other, long sequence, long at, int stream, SplittableRandom random) {
        double wait = op == CollectiveOp.RECV ? -2e6 * size.times() * Math.log(1 - random.nextDouble()) : 0;
        double slow = Math.max(conditions.transfer(rank, step), conditions.transfer(job.rankOf(rank, other), step));
        long duration = Math.round(PIPE_NANOS * size.times() * slow * (1 + 0.02 * random.nextGaussian()) + wait);
        return new CollectiveStat(
                op,
                ppName,
                sequence,
                Math.round(PIPE_BYTES * size.times()),
                job.rankOf(rank, other),
                stream,
                at + random.nextLong(100_000),
                duration,
                duration / 2,
                false);
    }
}
