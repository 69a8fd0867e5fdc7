package dev.argus.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Kernels of made ranks, for want of a trace: as many keys as a real one has, single and mixed log-normals, heavy tails, stalls, few
 * events, and a clock of whole microseconds.
 */
final class MadeKernels {
    private MadeKernels() {}

    /** Three files of 130 keys. */
    static List<KernelTrace> traces() {
        List<KernelTrace> traces = new ArrayList<>();
        for (int seed = 21; seed <= 23; seed++) {
            traces.add(trace(new Random(seed), "made-" + seed, seed == 23 ? 1000 : 1));
        }
        return traces;
    }

    private static KernelTrace trace(Random random, String label, long unit) {
        List<KernelTrace.Event> events = new ArrayList<>();
        long start = 1_700_000_000_000_000_000L;
        for (int key = 0; key < 130; key++) {
            String name = "void made::kernel_" + key + "<float, " + random.nextInt(1 << 20) + ">(Params)";
            double base = 2000 * Math.pow(300, random.nextDouble());
            double width = 0.005 * Math.pow(30, random.nextDouble());
            double second = random.nextInt(3) == 0 ? 1.3 + 4 * random.nextDouble() : 1;
            int calls = 1 + random.nextInt(key % 3 == 0 ? 3 : 40);
            for (int step = 0; step < 6; step++) {
                for (int i = 0; i < calls; i++) {
                    double mode = i % 3 == 0 ? second : random.nextInt(300) == 0 ? 8 : 1;
                    long nanos = Math.round(base * mode * Math.exp(width * random.nextGaussian()) / unit) * unit;
                    events.add(new KernelTrace.Event(name, 7 + key % 2, step, start, nanos));
                    start += nanos + 1000;
                }
            }
        }
        return new KernelTrace(label, events);
    }
}
