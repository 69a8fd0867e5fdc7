package dev.argus.wire;

import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.PackedKernels;
import dev.argus.model.StreamKernel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * Layout of a {@link KernelWindow} in a frame: the body of a key frame ({@link KernelWindowLayout} has the picture), its names as numbers
 * of the session. Every window stands alone, so that a frame that is lost, or a reader that starts anew, costs no other window; what the
 * differences of {@link KernelWindowEncoder} would save on top is stated in {@code docs/design/0010-frames.md}.
 *
 * <pre>
 * version:byte  n  n x number of a name (zigzag, to the one before)  body to the end
 * </pre>
 *
 * <p>Belongs to one thread.
 */
public final class NumberedWindowCodec {
    private static final int VERSION = 1;
    private static final long FREE_ELEMENTS = 256;
    private static final long ELEMENTS_PER_BYTE = 128;

    private final KernelWindowLayout layout = new KernelWindowLayout();

    /**
     * Appends a window.
     *
     * @param window window whose name ids are numbers that the reader knows; of the same kernel and stream at most once
     * @param to where to; nothing may follow within the same length-prefixed record
     */
    public void encode(KernelWindow window, WireWriter to) {
        Map<Integer, Integer> dense = new HashMap<>();
        List<Integer> numbers = new ArrayList<>();
        List<StreamKernel> kernels = new ArrayList<>();
        for (StreamKernel k : window.kernels()) {
            Integer at = dense.get(k.name());
            if (at == null) {
                at = numbers.size();
                dense.put(k.name(), at);
                numbers.add(k.name());
            }
            kernels.add(new StreamKernel(at, k.stream(), k.workItems(), k.durations()));
        }
        List<ExtremeEvent> extremes = new ArrayList<>();
        for (ExtremeEvent e : window.extremes()) {
            Integer at = dense.get(e.name());
            if (at == null) {
                throw new IllegalArgumentException("extreme of kernel " + e.name() + ", which is not in the window");
            }
            extremes.add(new ExtremeEvent(at, e.stream(), e.startNanos(), e.durationNanos()));
        }
        to.writeByte(VERSION).writeVarint(numbers.size());
        int before = 0;
        for (int number : numbers) {
            to.writeSigned((long) number - before);
            before = number;
        }
        layout.reset();
        EntropyEncoder coder = new EntropyEncoder(layout.models);
        layout.code(
                coder,
                new KernelWindow(window.attempt(), window.rank(), window.window(), kernels, extremes, window.lost()),
                numbers.size(),
                Long.MAX_VALUE);
        to.writeRaw(coder.finish());
    }

    /**
     * Reads a window.
     *
     * @param bytes exactly what {@link #encode} appended
     * @param ids gives the reader's own id of a number, or throws where there is no such number
     * @throws WireException if the bytes are something else
     */
    public KernelWindow decode(byte[] bytes, IntUnaryOperator ids) {
        WireReader from = new WireReader(bytes);
        int version = from.readByte();
        if (version != VERSION) {
            throw new WireException("kernel window of version " + version + ", expected " + VERSION);
        }
        int[] own = new int[from.readCount(1)];
        Set<Long> seen = new HashSet<>();
        long number = 0;
        for (int i = 0; i < own.length; i++) {
            number += from.readSigned();
            if (number != (int) number || !seen.add(number)) {
                throw new WireException("name " + number + " twice or out of range in a kernel window");
            }
            own[i] = ids.applyAsInt((int) number);
        }
        layout.reset();
        KernelWindow window = body(bytes, bytes.length - from.remaining(), own.length);
        PackedKernels kernels = (PackedKernels) window.kernels(); // as the layout makes them
        List<ExtremeEvent> extremes = new ArrayList<>();
        for (ExtremeEvent e : window.extremes()) {
            extremes.add(new ExtremeEvent(own[e.name()], e.stream(), e.startNanos(), e.durationNanos()));
        }
        return new KernelWindow(
                window.attempt(), window.rank(), window.window(), kernels.named(i -> own[i]), extremes, window.lost());
    }

    private KernelWindow body(byte[] bytes, int from, int names) {
        try {
            EntropyDecoder coder = new EntropyDecoder(layout.models, bytes, from, bytes.length);
            KernelWindow empty = new KernelWindow(0, 0, 0, List.of(), List.of(), 0);
            KernelWindow window =
                    layout.code(coder, empty, names, FREE_ELEMENTS + ELEMENTS_PER_BYTE * (bytes.length - from));
            coder.expectEnd();
            return window;
        } finally {
            layout.models.undo(); // the next one begins anew
        }
    }
}
