package dev.argus.testkit;

/** Call stacks of the main thread as {@code python_function} events: the bulk of traces recorded with stacks. */
final class PythonFrames {
    /** Uncompressed bytes of one frame, about; measured over all names. */
    static final int FRAME_BYTES = 275;

    private static final int DEPTH = 12;
    private static final String[] NAMES = {
        "torch/nn/modules/module.py(1751): _wrapped_call_impl",
        "torch/nn/modules/module.py(1762): _call_impl",
        "nn.Module: TransformerLayer_%",
        "megatron/core/transformer/transformer_layer.py(427): forward",
        "megatron/core/tensor_parallel/layers.py(813): forward",
        "transformer_engine/pytorch/module/linear.py(1310): forward",
        "torch/autograd/function.py(575): apply",
        "<built-in method linear of type object at 0x7f3ad1d%>",
        "torch/_dynamo/eval_frame.py(745): _fn",
        "torch/utils/_contextlib.py(116): decorate_context",
        "<built-in method item of Tensor object at 0x7f29c4%>",
        "megatron/training/training.py(1173): train_step"
    };
    private static final byte[] EVENT_INDEX = JsonBytes.bytes(", \"Ev Idx\": ");
    private static final byte[] PARENT = JsonBytes.bytes("\"Python parent id\": ");
    private static final byte[] ID = JsonBytes.bytes(", \"Python id\": ");

    private final KinetoEvents events;
    private long id = 1;

    PythonFrames(KinetoEvents events) {
        this.events = events;
    }

    /** Writes stacks over an interval; returns the next event's number. */
    long write(int count, long start, long end, long firstIndex) {
        int stacks = (count + DEPTH - 1) / DEPTH;
        long index = firstIndex;
        for (int i = 0; i < count; i++) {
            long from = start + (end - start) / Math.max(1, stacks) * (i / DEPTH);
            long length = Math.max(1, (end - start) / Math.max(1, stacks));
            int depth = i % DEPTH;
            long inset = length * depth / (2 * DEPTH + 1);
            long noise = Noise.bits(events.job.seed(), events.rank, id, 7);
            long trim = Math.floorMod(noise, Math.max(1, length / (2 * DEPTH + 1)));
            String name = NAMES[(int) Math.floorMod(noise >>> 40, (long) NAMES.length)];
            int hole = name.indexOf('%');
            if (hole >= 0) {
                name = name.substring(0, hole) + (noise >>> 20 & 63) + name.substring(hole + 1);
            }
            events.openCpu(
                    "python_function",
                    name,
                    events.thread(TimelineVisitor.MAIN),
                    from + inset,
                    length - 2 * inset - trim);
            events.out
                    .put(PARENT)
                    .number(depth == 0 ? 1 : id)
                    .put(ID)
                    .number(++id)
                    .put(EVENT_INDEX)
                    .number(index++);
            events.close();
        }
        return index;
    }
}
