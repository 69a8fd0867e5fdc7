package dev.argus.digest;

import dev.argus.digest.AssembledTrace.StepSource;
import dev.argus.model.CpuSpan;
import dev.argus.model.NameTable;
import dev.argus.model.Phase;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the steps of a rank whose trace has no marks: from the GPU's shadows, the optimizer's ranges, a range that repeats,
 * or the optimizer's kernels. */
final class StepInference {
    /** Fewer repetitions are no period. */
    private static final int MIN_REPEATS = 3;

    /** A mark shorter than this is no step of a training job. */
    private static final long MIN_STEP_NANOS = 1_000_000;

    private final StepSource source;
    private final StepClock clock;

    private StepInference(StepSource source, StepClock clock) {
        this.source = source;
        this.clock = clock;
    }

    StepSource source() {
        return source;
    }

    StepClock clock() {
        return clock;
    }

    /** @param order rows of GPU work by start */
    static StepInference of(EventStore store, NameTable names, int[] order) {
        List<StepMark> cpu = new ArrayList<>();
        List<StepMark> gpu = new ArrayList<>();
        store.marks().forEach(m -> (m.onGpu() ? gpu : cpu).add(m));
        if (!cpu.isEmpty()) {
            return new StepInference(StepSource.MARKS, StepClock.of(cpu));
        }
        if (!gpu.isEmpty()) {
            return new StepInference(StepSource.GPU_MARKS, StepClock.of(gpu));
        }
        List<StepMark> inferred = fromOptimizer(store, names);
        if (!inferred.isEmpty()) {
            return new StepInference(
                    StepSource.OPTIMIZER, StepClock.of(inferred).byOptimizer());
        }
        inferred = fromRepeatedRange(store);
        if (!inferred.isEmpty()) {
            return new StepInference(StepSource.ANNOTATION, StepClock.of(inferred));
        }
        inferred = OptimizerKernels.steps(store, names, order);
        if (!inferred.isEmpty()) {
            return new StepInference(
                    StepSource.OPTIMIZER_KERNELS, StepClock.of(inferred).byOptimizer());
        }
        List<StepMark> whole = new ArrayList<>();
        if (store.lastNanos() > store.firstNanos()) {
            whole.add(new StepMark(0, store.firstNanos(), store.lastNanos() - store.firstNanos(), false));
        }
        return new StepInference(StepSource.NONE, StepClock.of(whole));
    }

    /** The step ends where the last range of a run of optimizer ranges ends. */
    private static List<StepMark> fromOptimizer(EventStore store, NameTable names) {
        Map<Integer, Boolean> optimizer = new HashMap<>();
        List<CpuSpan> ranges = new ArrayList<>();
        for (CpuSpan s : store.spans()) {
            boolean wanted = s.kind() == SpanKind.ANNOTATION
                    && optimizer.computeIfAbsent(s.name(), id -> isOptimizerStep(names.name(id)));
            if (wanted) {
                ranges.add(s);
            }
        }
        ranges.sort((a, b) -> Long.compare(a.startNanos(), b.startNanos()));
        if (ranges.size() < MIN_REPEATS) {
            return List.of();
        }
        List<StepMark> marks = new ArrayList<>();
        long from = store.firstNanos();
        for (CpuSpan s : ranges) {
            if (s.endNanos() - from >= MIN_STEP_NANOS) {
                marks.add(new StepMark(marks.size(), from, s.endNanos() - from, false));
                from = s.endNanos();
            }
        }
        return marks;
    }

    private static boolean isOptimizerStep(String name) {
        return Phases.of(name) == Phase.OPTIMIZER && name.regionMatches(true, 0, "optimizer.step", 0, 14);
    }

    /** The named range that covers most of the record, if it repeats without overlap. */
    private static List<StepMark> fromRepeatedRange(EventStore store) {
        Map<Integer, List<CpuSpan>> byName = new HashMap<>();
        for (CpuSpan s : store.spans()) {
            if (s.kind() == SpanKind.ANNOTATION && s.collective() == null && s.durationNanos() >= MIN_STEP_NANOS) {
                byName.computeIfAbsent(s.name(), x -> new ArrayList<>()).add(s);
            }
        }
        List<CpuSpan> best = List.of();
        long bestTotal = (store.lastNanos() - store.firstNanos()) / 2;
        for (List<CpuSpan> list : byName.values()) {
            list.sort((a, b) -> Long.compare(a.startNanos(), b.startNanos()));
            long total = list.stream().mapToLong(CpuSpan::durationNanos).sum();
            if (list.size() >= MIN_REPEATS && total > bestTotal && disjoint(list)) {
                best = list;
                bestTotal = total;
            }
        }
        List<StepMark> marks = new ArrayList<>();
        for (CpuSpan s : best) {
            marks.add(new StepMark(marks.size(), s.startNanos(), s.durationNanos(), false));
        }
        return marks;
    }

    private static boolean disjoint(List<CpuSpan> sorted) {
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).startNanos() < sorted.get(i - 1).endNanos()) {
                return false;
            }
        }
        return true;
    }
}
