package dev.argus.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** What holds for one rank in one step: all influences taken together once, so that an operation costs look-ups only. */
final class Conditions {
    private final double[] kernels = new double[KernelKind.ALL.length];
    private final double[] lengths;
    private final double[] squares;
    private final double expertLoad;
    final double copy;
    final double launch;
    final List<Pause> pauses;

    Conditions(Scenario scenario, int rank, int step) {
        Layout layout = scenario.layout();
        NoiseLevel noise = scenario.noise();
        double gpu = 1 + noise.gpuSpread() * Noise.normal(Noise.bits(scenario.seed(), rank, -1, 1));
        gpu *= 1 + noise.stepSpread() * Noise.normal(Noise.bits(scenario.seed(), rank, step, -2));
        Arrays.fill(kernels, gpu);
        double copies = 1;
        double launches = 1;
        double load = 1;
        int microbatches = scenario.model().microbatches();
        this.lengths = new double[microbatches + 1];
        this.squares = new double[microbatches + 1];
        Arrays.fill(lengths, 1);
        List<Pause> found = new ArrayList<>();
        for (Influence influence : scenario.influences()) {
            for (KernelKind kind : KernelKind.ALL) {
                kernels[kind.ordinal()] *= influence.kernel(kind, rank, step);
            }
            copies *= influence.copy(rank, step);
            launches *= influence.launch(rank, step);
            load *= influence.expertLoad(layout, rank, step);
            for (int m = 0; m < microbatches; m++) {
                lengths[m] *= influence.length(layout, rank, step, m);
            }
            influence.pauses(layout, rank, step, found::add);
        }
        for (int m = 0; m <= microbatches; m++) {
            squares[m] = lengths[m] * lengths[m];
        }
        this.copy = copies;
        this.launch = launches;
        this.expertLoad = load;
        this.pauses = Collections.unmodifiableList(found);
    }

    /** Work of an operation against the usual: more tokens, more time and more of everything that can be counted. */
    double work(Op op) {
        int m = op.microbatch() < 0 || op.microbatch() >= lengths.length ? lengths.length - 1 : op.microbatch();
        double work = switch (op.sequencePower()) {
            case 0 -> 1;
            case 1 -> lengths[m];
            default -> squares[m];
        };
        return op.kernel() != null && op.kernel().family() == KernelFamily.EXPERT ? work * expertLoad : work;
    }

    /** Tokens of this rank's experts against the mean. */
    double expertLoad() {
        return expertLoad;
    }

    /** Duration of a kernel before its own noise. */
    double kernelNanos(Op op) {
        KernelKind kind = Objects.requireNonNull(op.kernel());
        return op.nanos() * kernels[kind.ordinal()] * work(op);
    }
}
