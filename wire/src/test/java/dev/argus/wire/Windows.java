package dev.argus.wire;

import dev.argus.model.DurationSummary;
import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StreamKernel;
import dev.argus.stats.LogBins;
import dev.argus.stats.PositionGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Made windows: any that the model allows, not only those a sketch would make. */
final class Windows {
    private Windows() {}

    static NameTable names() {
        NameTable names = new NameTable();
        for (int i = 0; i < 20; i++) {
            names.id(i == 3 ? "" : "void kernel<" + i + ">(float*, int)");
        }
        return names;
    }

    static KernelWindow random(Random random, long number) {
        List<StreamKernel> kernels = new ArrayList<>();
        long unit = random.nextBoolean() ? 1000 : 1;
        for (int name = 0; name < 20; name++) {
            if (random.nextInt(3) > 0) {
                int stream = random.nextInt(10) == 0 ? -random.nextInt(1000) : 7;
                kernels.add(new StreamKernel(name, stream, random.nextInt(3) * 4096L, durations(random, unit)));
            }
        }
        List<ExtremeEvent> extremes = new ArrayList<>();
        for (int i = 0; i < Math.min(kernels.size(), random.nextInt(9)); i++) {
            StreamKernel kernel = kernels.get(i);
            extremes.add(new ExtremeEvent(
                    kernel.name(), kernel.stream(), random.nextLong(), random.nextLong() & Long.MAX_VALUE));
        }
        return new KernelWindow(random.nextInt(3), random.nextInt(64), number, kernels, extremes, random.nextInt(2));
    }

    static DurationSummary durations(Random random, long unit) {
        int form = random.nextInt(4);
        if (form == 0) {
            return DurationSummary.ofEvents(random.longs(random.nextInt(9), 0, 1L << (1 + random.nextInt(40)))
                    .map(x -> x * unit)
                    .sorted()
                    .toArray());
        }
        long sum = (random.nextLong() >>> (8 + random.nextInt(50))) / unit * unit;
        if (form == 1) {
            int[] bins = random.ints(1 + random.nextInt(8), 0, LogBins.lastBin(7) + 1)
                    .sorted()
                    .toArray();
            return DurationSummary.ofSteps(sum, bins, random.nextInt(100));
        }
        return knots(random, sum);
    }

    private static DurationSummary knots(Random random, long sum) {
        long count = 9L + random.nextInt(1 << (1 + random.nextInt(20)));
        int bits = 1 + random.nextInt(PositionGrid.MOST_BITS);
        int last = new PositionGrid(count, bits).last();
        int modes = 1 + random.nextInt(3);
        int[] borders = random.ints(modes + 1, 0, last + 1).sorted().toArray();
        borders[0] = 0;
        borders[modes] = last;
        List<Integer> places = new ArrayList<>();
        int[] first = new int[modes];
        for (int m = 0; m < modes; m++) {
            first[m] = places.size();
            places.add(borders[m]);
            int inner = random.nextInt(6);
            int low = borders[m];
            int high = borders[m + 1];
            random.ints(inner, low, high + 1).sorted().forEach(places::add);
            places.add(high);
        }
        int[] bins = random.ints(places.size(), 0, 1 + random.nextInt(LogBins.lastBin(7)))
                .sorted()
                .toArray();
        int[] all = places.stream().mapToInt(Integer::intValue).toArray();
        return DurationSummary.ofKnots(count, sum, bits, all, bins, first, random.nextInt(40));
    }

    /** The same keys with slightly other durations. */
    static KernelWindow next(Random random, KernelWindow before) {
        List<StreamKernel> kernels = new ArrayList<>();
        for (StreamKernel k : before.kernels()) {
            DurationSummary d = k.durations();
            int[] bins = Arrays.stream(d.bins())
                    .map(b -> Math.min(LogBins.lastBin(7), b + random.nextInt(2)))
                    .sorted()
                    .toArray();
            DurationSummary moved = switch (d.form()) {
                case EVENTS ->
                    DurationSummary.ofEvents(
                            Arrays.stream(d.events()).map(x -> x + 1).toArray());
                case STEPS -> DurationSummary.ofSteps(d.sumNanos() + 17, bins, d.boundUnits());
                case KNOTS ->
                    DurationSummary.ofKnots(
                            d.count(),
                            d.sumNanos() + random.nextInt(9),
                            d.positionBits(),
                            d.places(),
                            bins,
                            d.modeFirst(),
                            d.boundUnits());
            };
            kernels.add(new StreamKernel(k.name(), k.stream(), k.workItems(), moved));
        }
        return new KernelWindow(
                before.attempt(), before.rank(), before.window() + 1, kernels, before.extremes(), before.lost());
    }
}
