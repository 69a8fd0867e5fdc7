package dev.argus.benchmarks.scale;

import dev.argus.model.AgentRecord;
import dev.argus.model.GroupUse;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.model.TraceHeader;
import dev.argus.wire.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the agents of a made job ship to a server, step by step: each of 8 ranks a host says who it is and, every step, how it was spent; kernels once in
 * {@value ScaleData#STEPS} steps, as many as fill a minute.
 */
public final class ServerLoad {
    /** Steps behind each window of kernels. */
    public static final int WINDOW_STEPS = ScaleData.STEPS;

    private static final int MICROBATCHES = 2;
    private static final int VARIANTS = 16;
    private static final int WINDOWS = 2;
    private static final int KERNELS = 100;
    private static final long FIRST_STEP = 1000;

    private final ScaleJob job;
    private final Conditions conditions;
    private final NameTable names = new NameTable();
    private final DigestMaker.Size size;
    private final KernelBank bank;
    private final List<LoadHost> hosts = new ArrayList<>();
    private final Map<RankSet, String> printed = new HashMap<>();
    private long step = FIRST_STEP;
    private DigestMaker maker;

    /**
     * Of a job.
     *
     * @param ranks a multiple of 72
     * @param stepSeconds typical time of a step
     * @param healthy true for a job without slow ranks
     */
    public ServerLoad(String name, int ranks, double stepSeconds, boolean healthy) {
        this.job = ScaleJob.ofRanks(ranks);
        this.conditions = healthy ? new Conditions() {} : job;
        double times = stepSeconds * 1e9 / DigestMaker.Size.SECOND.stepNanos();
        this.size = new DigestMaker.Size(MICROBATCHES, times);
        KernelBank.Size unit = new KernelBank.Size(KERNELS, VARIANTS, WINDOWS, 1, 1);
        double shortest = 0.95 * size.computeNanos() / unit.nanosPerStep();
        this.bank =
                new KernelBank(job, conditions, new KernelBank.Size(KERNELS, VARIANTS, WINDOWS, 1, shortest), names);
        for (int h = 0; h < ranks / ScaleJob.TP; h++) {
            hosts.add(new LoadHost(name, "node" + h, new SessionId(job.mixed(h, 77), job.mixed(h, 78)), names));
        }
        this.maker = new DigestMaker(job, conditions, size, names, step);
    }

    /** The hosts. */
    public List<LoadHost> hosts() {
        return hosts;
    }

    /** The ranks that are slow, where the job is not healthy. */
    public RankSet slow() {
        return job.slow();
    }

    /** The step that is being made. */
    public long step() {
        return step;
    }

    /** All ranks say who they are. */
    public void declare(long nowNanos) {
        int dp = names.id("data parallel");
        int pp = names.id("pipeline");
        for (int h = 0; h < hosts.size(); h++) {
            List<AgentRecord> records = new ArrayList<>();
            for (int r = h * ScaleJob.TP; r < (h + 1) * ScaleJob.TP; r++) {
                records.add(declaration(r, dp, pp));
            }
            hosts.get(h).add(records, nowNanos);
        }
    }

    private RankDeclaration declaration(int rank, int dp, int pp) {
        int stageRanks = job.ranks() / ScaleJob.STAGES;
        RankSet inDp = members(IntStream.range(0, job.dp())
                .map(d -> rank % ScaleJob.TP + ScaleJob.TP * d + job.stage(rank) * stageRanks)
                .toArray());
        RankSet inPp = members(IntStream.range(0, ScaleJob.STAGES)
                .map(s -> rank % stageRanks + s * stageRanks)
                .toArray());
        TraceHeader header = new TraceHeader(
                rank,
                job.ranks(),
                "node" + rank / ScaleJob.TP,
                "nccl",
                List.<ProcessGroup>of(),
                "NVIDIA H100 80GB HBM3",
                ScaleJob.TP,
                "");
        return new RankDeclaration(
                0,
                rank,
                header,
                rank % ScaleJob.TP,
                "",
                true,
                List.of(
                        new GroupUse(dp, names.id(print(inDp)), inDp.size(), 5, false),
                        new GroupUse(pp, names.id(print(inPp)), inPp.size(), 8, true)),
                List.of(),
                1 + job.stage(rank));
    }

    private static RankSet members(int[] ranks) {
        return RankSet.of(ranks);
    }

    private String print(RankSet members) {
        return printed.computeIfAbsent(
                members, m -> m.stream().mapToObj(Integer::toString).collect(Collectors.joining(", ", "[", "]")));
    }

    /** Makes the records of the step for one host; hosts may be made by several threads, each by one. */
    public void make(int host, long nowNanos) {
        List<StepDigest> digests = new ArrayList<>();
        List<KernelWindow> windows = new ArrayList<>();
        for (int r = host * ScaleJob.TP; r < (host + 1) * ScaleJob.TP; r++) {
            digests.add(maker.of(r));
            if (step % WINDOW_STEPS == 0) {
                windows.add(bank.window(r, (int) (step / WINDOW_STEPS) % WINDOWS, step));
            }
        }
        hosts.get(host).add(LoadHost.step(digests, windows, nowNanos), nowNanos);
    }

    /** All hosts have made the step: on to the next one. */
    public void next() {
        step++;
        maker = new DigestMaker(job, conditions, size, names, step);
    }
}
