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
import java.util.List;
import java.util.SplittableRandom;

/**
 * The digests of one step of the whole job: lasting spread between ranks, noise from step to step, gaps with a heavy tail, and waits that
 * follow from who was late. Tensor-parallel collectives are not in them: their groups sit on one host, where the agent matches them.
 */
final class DigestMaker {
    private static final int MICROBATCHES = 8;
    private static final double COMPUTE_NANOS = 800e6;
    private static final double COPY_NANOS = 3e6;
    private static final double GAP_NANOS = 12e6;
    private static final double LASTING = 0.005;
    private static final double NOISE = 0.003;
    private static final long PIPE_BYTES = 64L << 20;
    private static final long PIPE_NANOS = 1_200_000;
    private static final long GRADIENT_BYTES = 512L << 20;
    private static final long GRADIENT_NANOS = 22_000_000;
    private static final long STEP_NANOS = 1_150_000_000L;
    private static final long EPOCH = 1_790_000_000_000_000_000L;

    private final ScaleJob job;
    private final int dpName;
    private final int ppName;
    private final int cover;
    private final long step;
    private final long[] compute;
    private final long[] latest;

    DigestMaker(ScaleJob job, NameTable names, long step) {
        this.job = job;
        this.step = step;
        dpName = names.id("data parallel");
        ppName = names.id("pipeline");
        cover = names.id("aten::linear");
        compute = new long[job.ranks()];
        latest = new long[ScaleJob.TP * ScaleJob.STAGES];
        for (int r = 0; r < compute.length; r++) {
            double lasting = 1 + LASTING * new SplittableRandom(job.mixed(r, -1)).nextGaussian();
            double noise = 1 + NOISE * new SplittableRandom(job.mixed(r, -1000 - step)).nextGaussian();
            double stage = 1 + 0.02 * (job.stage(r) % 3);
            compute[r] = Math.round(COMPUTE_NANOS * stage * lasting * noise * job.slowness(r));
            latest[job.dpGroup(r)] = Math.max(latest[job.dpGroup(r)], compute[r]);
        }
    }

    StepDigest of(int rank) {
        SplittableRandom random = new SplittableRandom(job.mixed(rank, -1_000_000 - step));
        long start = EPOCH + step * STEP_NANOS + random.nextLong(200_000);
        double tail = random.nextInt(30) == 0 ? Math.min(20e6, 2e6 / Math.sqrt(1 - random.nextDouble())) : 0;
        long idle = Math.round(GAP_NANOS * (1 + 0.08 * random.nextGaussian()) + tail);
        long copy = Math.round(COPY_NANOS * (1 + 0.05 * random.nextGaussian()));
        double cpu = 1 + 0.01 * new SplittableRandom(job.mixed(rank / ScaleJob.TP, -2)).nextGaussian();
        List<CollectiveStat> collectives = collectives(rank, start, random);
        long exposed = 0;
        for (CollectiveStat c : collectives) {
            exposed += c.exposedNanos();
        }
        long busy = compute[rank];
        return new StepDigest(
                0,
                rank,
                step,
                start,
                STEP_NANOS + random.nextLong(-300_000, 300_000),
                false,
                false,
                true,
                new OwnTime(busy, copy, exposed, idle, idle / 2),
                copy,
                48L << 20,
                4800,
                4800L << 16,
                List.of(
                        phase(Phase.FORWARD, 290e6 * cpu, busy * 0.33, random),
                        phase(Phase.BACKWARD, 410e6 * cpu, busy * 0.64, random),
                        phase(Phase.OPTIMIZER, 40e6 * cpu, busy * 0.03, random)),
                collectives,
                gaps(start, idle, random));
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
                    start + random.nextLong(STEP_NANOS), nanos, i < 2, i == 3, false, cover, SpanKind.OPERATOR));
        }
        return gaps;
    }

    private List<CollectiveStat> collectives(int rank, long start, SplittableRandom random) {
        List<CollectiveStat> list = new ArrayList<>();
        int stage = job.stage(rank);
        long at = start + 5_000_000L * (1 + stage);
        long apart = STEP_NANOS / (5 * MICROBATCHES);
        long sequence = step * 4 * MICROBATCHES;
        for (int m = 0; m < MICROBATCHES; m++) {
            if (stage > 0) {
                list.add(pipe(CollectiveOp.RECV, rank, stage - 1, sequence++, at, 20, random));
            }
            if (stage < ScaleJob.STAGES - 1) {
                list.add(pipe(CollectiveOp.SEND, rank, stage + 1, sequence++, at + apart / 2, 21, random));
            }
            at += apart;
        }
        for (int m = 0; m < MICROBATCHES; m++) {
            if (stage < ScaleJob.STAGES - 1) {
                list.add(pipe(CollectiveOp.RECV, rank, stage + 1, sequence++, at, 22, random));
            }
            if (stage > 0) {
                list.add(pipe(CollectiveOp.SEND, rank, stage - 1, sequence++, at + apart / 2, 23, random));
            }
            at += apart;
        }
        int group = job.dpGroup(rank);
        long wait = latest[group] - compute[rank];
        SplittableRandom shared = new SplittableRandom(job.mixed(group, -2_000_000 - step));
        for (int i = 0; i < 5; i++) {
            CollectiveOp op =
                    i < 2 ? CollectiveOp.REDUCE_SCATTER : i == 2 ? CollectiveOp.ALL_REDUCE : CollectiveOp.ALL_GATHER;
            double nanos = i == 2 ? 60_000 : GRADIENT_NANOS * (1 + 0.02 * shared.nextGaussian());
            long late = (i == 0 ? wait : 0) + Math.round(3_000 * Math.abs(random.nextGaussian()));
            long duration = Math.round(nanos) + late;
            list.add(new CollectiveStat(
                    op,
                    dpName,
                    step * 5 + i,
                    i == 2 ? 4 : GRADIENT_BYTES,
                    -1,
                    24,
                    at,
                    duration,
                    late + duration / 8,
                    false));
            at += duration + 50_000;
        }
        return list;
    }

    private CollectiveStat pipe(
            CollectiveOp op, int rank, int other, long sequence, long at, int stream, SplittableRandom random) {
        double wait = op == CollectiveOp.RECV ? -2e6 * Math.log(1 - random.nextDouble()) : 0;
        long duration = Math.round(PIPE_NANOS * (1 + 0.02 * random.nextGaussian()) + wait);
        return new CollectiveStat(
                op,
                ppName,
                sequence,
                PIPE_BYTES,
                job.rankOf(rank, other),
                stream,
                at + random.nextLong(100_000),
                duration,
                duration / 2,
                false);
    }
}
