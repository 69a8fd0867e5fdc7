package dev.argus.benchmarks.scale;

import dev.argus.model.DurationSummary;
import dev.argus.model.DurationSummary.Form;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StreamKernel;
import dev.argus.sketch.KernelSketch;
import dev.argus.sketch.WindowCloser;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Windows of kernels for many ranks: a number of series of windows are made event by event and closed as an agent closes
 * them; a rank gets one of them, every kernel longer or shorter by the rank's own lasting factor and a little noise.
 */
final class KernelBank {
    private static final int COMM = 4;
    private static final int[] PER_STEP = {1, 1, 2, 4, 8, 24};
    private static final double LONGER = 1.06;
    private static final double EVENT_NOISE = 0.01;
    private static final double LASTING = 0.004;

    private final ScaleJob job;
    private final Conditions conditions;
    private final Size size;
    private final int[] ids;
    private final List<List<KernelWindow>> series = new ArrayList<>();

    /**
     * How much there is of everything.
     *
     * @param kernels compute kernels of a window; {@value #COMM} of communication come on top
     * @param variants series made event by event
     * @param windows windows of a series; beyond them it begins again
     * @param steps steps of a window
     * @param shortestNanos duration of the shortest kernel; each of the others is 6 % longer than the one before
     */
    record Size(int kernels, int variants, int windows, int steps, double shortestNanos) {
        /** Time of the compute kernels of one step. */
        double nanosPerStep() {
            double sum = 0;
            for (int k = 0; k < kernels; k++) {
                sum += shortestNanos * Math.pow(LONGER, k) * PER_STEP[k % PER_STEP.length];
            }
            return sum;
        }
    }

    KernelBank(ScaleJob job, Conditions conditions, Size size, NameTable names) {
        this.job = job;
        this.conditions = conditions;
        this.size = size;
        ids = new int[size.kernels() + COMM];
        for (int k = 0; k < ids.length; k++) {
            ids[k] = names.id(name(k));
        }
        for (int v = 0; v < size.variants(); v++) {
            series.add(variant(v, size.windows()));
        }
    }

    /** Half of the kernels are bound by arithmetic. */
    private boolean isArithmetic(int kernel) {
        return kernel % 2 == 0 && kernel < size.kernels();
    }

    private String name(int k) {
        if (k >= size.kernels()) {
            return "ncclDevKernel_"
                    + List.of("AllGather", "ReduceScatter", "AllReduce", "SendRecv")
                            .get(k - size.kernels()) + "_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
        }
        return isArithmetic(k)
                ? "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_kernel_" + k
                : "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor_" + k
                        + "<c10::BFloat16>, std::array<char*, 3ul>>(int)";
    }

    private List<KernelWindow> variant(int v, int windows) {
        SplittableRandom random = new SplittableRandom(job.mixed(v, 1));
        WindowCloser closer = new WindowCloser(WindowCloser.DEFAULT_SHARE, false);
        KernelSketch sketch = new KernelSketch();
        List<KernelWindow> list = new ArrayList<>();
        for (int w = 0; w < windows; w++) {
            sketch.clear();
            long now = w * 30_000_000_000L;
            for (int k = 0; k < ids.length; k++) {
                int count = size.steps() * PER_STEP[k % PER_STEP.length];
                double base = size.shortestNanos() * Math.pow(LONGER, k);
                double drift = 1 + 0.001 * random.nextGaussian();
                for (int e = 0; e < count; e++) {
                    double mode = k % 5 == 3 && e % 3 == 0 ? 1.6 : 1; // two shapes under one name
                    double nanos = base * mode * drift * (1 + EVENT_NOISE * random.nextGaussian());
                    sketch.add(ids[k], k < size.kernels() ? 7 : 20, now, Math.round(nanos), 1 << 16);
                    now += Math.round(nanos) + 2_000;
                }
            }
            list.add(closer.close(sketch, 0, 0, w));
        }
        return list;
    }

    /** One window of one rank. */
    KernelWindow window(int rank, int number, long step) {
        KernelWindow of =
                series.get(Math.floorMod(job.mixed(rank, 2), size.variants())).get(number % size.windows());
        SplittableRandom lasting = new SplittableRandom(job.mixed(rank, 3));
        SplittableRandom now = new SplittableRandom(job.mixed(rank, 4 + number));
        double own = 1 + LASTING * lasting.nextGaussian();
        double slowness = conditions.slowness(rank, step);
        boolean memory = conditions.slowMemory(rank);
        List<StreamKernel> kernels = new ArrayList<>(of.kernels().size());
        for (int k = 0; k < of.kernels().size(); k++) {
            StreamKernel kernel = of.kernels().get(k);
            double factor = own * (1 + LASTING * lasting.nextGaussian()) * (1 + 0.0005 * now.nextGaussian());
            if (slowness > 1 && k < size.kernels() && (!memory || !isArithmetic(k))) {
                factor *= memory ? 1 + 2 * (slowness - 1) : slowness;
            }
            // what a rank lasts is drawn once, so that the bins move from window to window no more than on a steady
            // rank
            int bins = (int) Math.round(Math.log(factor) / Math.log(2) * 128);
            kernels.add(new StreamKernel(
                    kernel.name(), kernel.stream(), kernel.workItems(), moved(kernel.durations(), factor, bins)));
        }
        return new KernelWindow(0, rank, step, kernels, of.extremes(), 0);
    }

    private static DurationSummary moved(DurationSummary d, double factor, int by) {
        int[] bins = new int[d.bins().length];
        for (int i = 0; i < bins.length; i++) {
            bins[i] = d.bins()[i] + by;
        }
        long sum = Math.round(d.sumNanos() * factor);
        return d.form() == Form.KNOTS
                ? DurationSummary.ofKnots(
                        d.count(), sum, d.positionBits(), d.places(), bins, d.modeFirst(), d.boundUnits())
                : DurationSummary.ofSteps(sum, bins, d.boundUnits());
    }
}
