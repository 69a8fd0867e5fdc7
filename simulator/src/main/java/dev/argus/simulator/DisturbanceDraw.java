package dev.argus.simulator;

import dev.argus.simulator.Layout.Dimension;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Draws what only looks like a fault. */
final class DisturbanceDraw {
    private static final List<ScenarioKind> BACKGROUND =
            List.of(ScenarioKind.LOGGING, ScenarioKind.MORE_KERNELS, ScenarioKind.CHECKPOINT, ScenarioKind.LENGTHS);

    private final Draw draw;
    private final Layout layout;
    private final JobModel model;
    private final int first;
    private final double stepNanos;

    DisturbanceDraw(Draw draw, Layout layout, JobModel model, int first, double stepNanos) {
        this.draw = draw;
        this.layout = layout;
        this.model = model;
        this.first = first;
        this.stepNanos = stepNanos;
    }

    Optional<Disturbance> background() {
        return draw.chance(0.2) ? of(draw.of(BACKGROUND)) : Optional.empty();
    }

    Optional<Disturbance> of(ScenarioKind kind) {
        int every = draw.between(3, 5);
        Disturbance found = switch (kind) {
            case HOT_EXPERT -> new Disturbance.HotExpert(draw.between(1.2, 1.7), 0, draw.between(0.02, 0.1));
            case ROTATING_EXPERT ->
                new Disturbance.HotExpert(draw.between(1.2, 1.7), draw.between(1, 3), draw.between(0.05, 0.15));
            case LOGGING ->
                new Disturbance.Regular(
                        "logging", 0, (long) (stepNanos * draw.between(0.005, 0.03)), 1, 0, draw.chance(0.5));
            case CHECKPOINT_WRITER ->
                new Disturbance.Regular(
                        "checkpoint-writer",
                        0,
                        (long) (stepNanos * draw.between(0.5, 4)),
                        every,
                        first + 2,
                        draw.chance(0.6));
            case LONG_SHARD ->
                new Disturbance.LongShard(draw.below(layout.size(Dimension.DP)), draw.between(1.05, 1.2));
            case MORE_KERNELS -> new Disturbance.MoreKernels(draw.below(layout.world()), draw.between(4, 8));
            case UNEVEN_STAGES -> new Disturbance.OfModel("stage-imbalance", Map.of("layers", model.layersPerChunk()));
            case RECOMPUTE ->
                new Disturbance.OfModel("activation-recomputation", Map.of("stages", List.copyOf(model.recompute())));
            case TENSOR_LOADER -> new Disturbance.OfModel("data-imbalance", Map.of("loader", "tensor rank 0"));
            case OTHER_HARDWARE ->
                new Disturbance.OtherHardware(layout.ranksOn(draw.below(layout.hosts())), draw.between(1.15, 1.5));
            case LENGTHS -> new Disturbance.Lengths(draw.between(0.05, 0.2), draw.seed());
            case CHECKPOINT ->
                new Disturbance.Regular(
                        "checkpoint", -1, (long) (stepNanos * draw.scale(2, 20)), every, first + 2, draw.chance(0.5));
            case EVALUATION -> new Disturbance.Evaluation(draw.between(2, 6), every, first + 2);
            case WARM_UP -> new Disturbance.WarmUp(2, draw.between(3, 14), (long) (stepNanos * draw.scale(2, 30)));
            case PROFILER_START ->
                new Disturbance.ProfilerStart(first, draw.between(1.5, 3), (long) (stepNanos * draw.between(0.1, 0.6)));
            default -> null;
        };
        return Optional.ofNullable(found);
    }
}
