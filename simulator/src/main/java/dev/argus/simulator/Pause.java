package dev.argus.simulator;

import java.util.List;

/**
 * The CPU of a rank does something else for a while.
 *
 * @param place where in the step
 * @param nanos how long
 * @param cause what it does
 * @param visible true when the trace shows a range or stack for it
 */
record Pause(Place place, long nanos, Cause cause, boolean visible) {
    /**
     * Where in the step.
     *
     * @param spot kind of place
     * @param fraction share of the step's launches before it, for {@link Spot#WITHIN} and {@link Spot#KERNEL}
     */
    record Place(Spot spot, double fraction) {
        static final Place START = new Place(Spot.START, 0);
        static final Place INPUT = new Place(Spot.INPUT, 0);
        static final Place END = new Place(Spot.END, 1);

        static Place within(double fraction) {
            return new Place(Spot.WITHIN, fraction);
        }

        static Place kernel(double fraction) {
            return new Place(Spot.KERNEL, fraction);
        }
    }

    enum Spot {
        START,
        INPUT,
        WITHIN,
        /** At the next launch of a compute kernel: what compiles is about to be launched. */
        KERNEL,
        END
    }

    /** What the CPU does. */
    enum Cause {
        COMPILE,
        COLLECT,
        BUSY,
        LOAD,
        CHECKPOINT,
        LOG,
        START_UP,
        PROFILER;

        /** The name under which a producer in the process records it; empty when it does not see it. */
        String recorded() {
            return switch (this) {
                case COMPILE -> "argus: torch._dynamo compile";
                case COLLECT -> "argus: gc.collect (generation 2)";
                case CHECKPOINT -> "checkpoint torch.save";
                default -> "";
            };
        }

        /** The stack or range that a trace may show, outermost first. */
        List<String> frames() {
            return switch (this) {
                case COMPILE ->
                    List.of(
                            "torch/_dynamo/eval_frame.py(736): _fn",
                            "torch/_dynamo/convert_frame.py(1164): __call__",
                            "torch/_inductor/compile_fx.py(890): compile_fx_inner",
                            "torch/_inductor/codecache.py(1204): compile");
                case COLLECT -> List.of("gc_hook.py(41): on_step_end", "<built-in function collect>");
                case BUSY -> List.of("threading.py(373): wait", "<method 'acquire' of '_thread.lock' objects>");
                case LOAD -> List.of("torch/utils/data/dataloader.py(1457): _get_data", "queue.py(180): get");
                case CHECKPOINT -> List.of("checkpoint.save");
                case LOG -> List.of("logging.report_metrics");
                case START_UP -> List.of("torch/_inductor/async_compile.py(312): wait");
                case PROFILER -> List.of("torch/profiler/profiler.py(806): start_trace");
            };
        }
    }
}
