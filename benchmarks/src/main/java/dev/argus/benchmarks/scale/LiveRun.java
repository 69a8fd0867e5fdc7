package dev.argus.benchmarks.scale;

import com.sun.management.ThreadMXBean;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.hostlocal.live.LiveTick;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.GroupUse;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.PackedKernels;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.StreamKernel;
import dev.argus.model.TraceHeader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.Deflater;

/**
 * A large job as a server hosts it: declared, then step after step through {@link LiveJob} on one thread, with a window of kernels a minute, written down each minute. Prints what
 * it costs. Arguments: ranks (a multiple of 72), minutes, kernels.
 */
public final class LiveRun {
    private static final int STEPS = 15;
    private static final long STEP_NANOS = 4_000_000_000L;
    private static final long EPOCH = 1_790_000_000_000_000_000L;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final NameTable names = new NameTable();
    private final ScaleJob made;
    private final SoakConditions conditions;
    private final DigestMaker.Size size = new DigestMaker.Size(8, STEP_NANOS / DigestMaker.Size.SECOND.stepNanos());
    private final KernelBank kernels;
    private LiveJob job;

    private LiveRun(int ranks, int minutes, int kernelCount) {
        made = ScaleJob.ofRanks(ranks);
        conditions = new SoakConditions(made, Math.max(minutes, 50), STEPS);
        KernelBank.Size unit = new KernelBank.Size(kernelCount, 8, 8, STEPS, 1);
        double shortest = 0.95 * size.computeNanos() / unit.nanosPerStep();
        kernels = new KernelBank(made, conditions, new KernelBank.Size(kernelCount, 8, 8, STEPS, shortest), names);
        job = new LiveJob(names, Thresholds.DEFAULT, LiveOptions.DEFAULT);
    }

    private List<RankDeclaration> declarations() {
        JobShape shape = made.shape(names);
        List<RankDeclaration> all = new ArrayList<>();
        RankSet world = RankSet.range(0, made.ranks() - 1);
        for (int r = 0; r < made.ranks(); r++) {
            List<ProcessGroup> groups = new ArrayList<>();
            List<GroupUse> uses = new ArrayList<>();
            groups.add(new ProcessGroup("default_pg", "default_pg", world.size(), RankSet.of(world.toArray()), true));
            for (Map.Entry<Integer, Integer> e : shape.groupOf().get(r).entrySet()) {
                RankSet members =
                        RankSet.of(shape.groups().get(e.getValue()).ranks().toArray()); // as decoded: its own
                String name = names.name(e.getKey());
                String what = name.equals("pipeline") ? "PIPELINE" : "DATA";
                groups.add(new ProcessGroup(name, what + "_MODEL_PARALLEL_GROUP", members.size(), members, true));
                uses.add(new GroupUse(e.getKey(), -1, members.size(), 100, what.equals("PIPELINE")));
            }
            TraceHeader header = new TraceHeader(
                    r,
                    made.ranks(),
                    "node" + r / ScaleJob.TP,
                    "nccl",
                    groups,
                    "NVIDIA H100 80GB HBM3",
                    8,
                    "made",
                    Map.of("cuda_driver_version", "12080"));
            all.add(new RankDeclaration(0, r, header, r % ScaleJob.TP, "GPU-" + r, true, uses, List.of(), 7));
        }
        return all;
    }

    private RankStep[] step(long step) {
        DigestMaker maker = new DigestMaker(made, conditions, size, names, step);
        boolean window = step % STEPS == STEPS - 1;
        RankStep[] all = new RankStep[made.ranks()];
        IntStream.range(0, all.length).forEach(r -> {
            KernelWindow w = window ? packed(kernels.window(r, (int) (step / STEPS), step)) : null;
            all[r] = new RankStep(maker.of(r), w);
        });
        return all;
    }

    private static KernelWindow packed(KernelWindow w) {
        PackedKernels.Builder of = new PackedKernels.Builder(w.kernels().size());
        for (StreamKernel k : w.kernels()) {
            of.add(k);
        }
        return w.with(of.build());
    }

    private static long cpu() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private void run(int minutes) {
        long now = EPOCH;
        List<RankDeclaration> said = declarations();
        long before = cpu();
        for (RankDeclaration d : said) {
            job.declare(d, now);
        }
        print("declared %d ranks: %.2f s", said.size(), (cpu() - before) / 1e9);
        before = cpu();
        for (RankDeclaration d : said) {
            job.declare(d, now);
        }
        print("declared again: %.2f s", (cpu() - before) / 1e9);
        said = List.of();
        before = cpu();
        job.tick(now);
        print("first tick, which makes the shape: %.2f s", (cpu() - before) / 1e9);
        for (int minute = 0; minute < minutes; minute++) {
            now = minute(minute, minutes, now);
        }
    }

    private long minute(int minute, int minutes, long from) {
        long now = from;
        double taking = 0;
        double ticking = 0;
        double windows = 0;
        List<Double> conclusions = new ArrayList<>();
        for (int s = 0; s < STEPS; s++) {
            long number = (long) minute * STEPS + s;
            RankStep[] all = step(number);
            now += STEP_NANOS;
            long before = cpu();
            for (RankStep r : all) {
                job.take(r, now);
            }
            taking += cpu() - before;
            Arrays.fill(all, null);
            for (int t = 0; t < 4; t++) {
                long at = now + t * STEP_NANOS / 4;
                before = cpu();
                LiveTick tick = job.tick(at);
                double took = cpu() - before;
                if (tick.concluded()) {
                    conclusions.add(took / 1e9);
                    job.spent((long) took);
                } else if (s == STEPS - 1) {
                    windows += took;
                } else {
                    ticking += took;
                }
                for (IncidentChange c : tick.changes()) {
                    print("  step %d: %s %s", number, c.kind(), c.incident().summary());
                }
            }
        }
        double total = (taking + ticking + windows) / 1e9
                + conclusions.stream().mapToDouble(d -> d).sum();
        print(
                "minute %d: take %.2f s, ticks without conclusion %.2f s, those of the window %.2f s, %d conclusions %.2f s, most %.2f; in all %.2f s = %.1f %% of a core; %.0f rank-steps/s",
                minute,
                taking / 1e9,
                ticking / 1e9,
                windows / 1e9,
                conclusions.size(),
                conclusions.stream().mapToDouble(d -> d).sum(),
                conclusions.stream().mapToDouble(d -> d).max().orElse(0),
                total,
                total / 60 * 100,
                STEPS * made.ranks() / total);
        if (minute % 4 == 3 || minute == minutes - 1) {
            snapshot(minute == minutes - 1);
        }
        return now;
    }

    private void snapshot(boolean last) {
        Counting to = new Counting();
        long before = cpu();
        job.snapshot(to);
        double wrote = (cpu() - before) / 1e9;
        if (last) {
            byte[] bytes = job.snapshot();
            before = cpu();
            job = LiveJob.restore(bytes, Thresholds.DEFAULT, LiveOptions.DEFAULT, Runnable::run, 1);
            print("  taken up again in %.2f s", (cpu() - before) / 1e9);
        }
        System.gc();
        long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        print(
                "  snapshot %.1f MB in %.2f s, deflated %.1f MB; heap %.0f MB; states %s",
                to.bytes / 1e6, wrote - to.nanos / 1e9, to.deflated / 1e6, heap / 1e6, job.stateBytes());
    }

    /** Counts bytes, and what a fast compression makes of them. */
    private static final class Counting extends OutputStream {
        private final Deflater deflater = new Deflater(1);
        private final byte[] room = new byte[1 << 16];
        private long bytes;
        private long deflated;
        private double nanos;

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] part, int from, int n) {
            long before = cpu();
            bytes += n;
            deflater.setInput(part, from, n);
            while (!deflater.needsInput()) {
                deflated += deflater.deflate(room);
            }
            nanos += cpu() - before;
        }
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    /** Runs it. */
    public static void main(String[] args) {
        int ranks = args.length > 0 ? Integer.parseInt(args[0]) : 12_960;
        int minutes = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        int kernels = args.length > 2 ? Integer.parseInt(args[2]) : 100;
        new LiveRun(ranks, minutes, kernels).run(minutes);
    }
}
