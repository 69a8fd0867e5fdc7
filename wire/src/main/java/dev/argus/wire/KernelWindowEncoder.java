package dev.argus.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StreamKernel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Writes the windows of one rank as a stream of frames ({@link KernelWindowLayout} has the picture). A key frame stands alone and
 * carries its names; the frames after it carry only what is new: names and differences.
 *
 * <p>When to write key frames is the caller's choice: at the start, every so many frames, and when the reader asks because it
 * missed one. Belongs to one thread.
 */
public final class KernelWindowEncoder {
    private final NameTable names;
    private final KernelWindowLayout layout = new KernelWindowLayout();
    private final Map<Integer, Integer> numbers = new HashMap<>();
    private final Set<String> sent = new HashSet<>();
    private final WireWriter out = new WireWriter();
    private long frame = -1;
    private int lastNameBytes;

    /** For windows whose name ids are of this table. */
    public KernelWindowEncoder(NameTable names) {
        this.names = names;
    }

    /**
     * Writes a window.
     *
     * @param window what to write; of the same kernel and stream at most once
     * @param keyFrame whether to forget what came before; the first frame always does
     * @return the frame
     */
    public byte[] encode(KernelWindow window, boolean keyFrame) {
        boolean key = keyFrame || frame < 0;
        if (key) {
            layout.reset();
            numbers.clear();
            sent.clear();
            frame = 0;
        } else {
            frame++;
        }
        out.reset();
        out.writeByte(KernelWindowLayout.VERSION)
                .writeByte(key ? KernelWindowLayout.KEY_FRAME : 0)
                .writeVarint(frame);
        List<String> fresh = new ArrayList<>();
        KernelWindow numbered = numbered(window, fresh);
        out.writeVarint(fresh.size());
        int before = out.length();
        fresh.forEach(out::writeText);
        lastNameBytes = out.length() - before;
        EntropyEncoder coder = new EntropyEncoder(layout.models);
        layout.code(coder, numbered, numbers.size(), Long.MAX_VALUE);
        out.writeRaw(coder.finish());
        CRC32C crc = new CRC32C();
        crc.update(out.toByteArray());
        return out.writeRaw(intBytes((int) crc.getValue())).toByteArray();
    }

    /** Bytes of the last frame that were names: what a comparison without names takes off. */
    public int lastNameBytes() {
        return lastNameBytes;
    }

    private KernelWindow numbered(KernelWindow window, List<String> fresh) {
        List<StreamKernel> kernels = new ArrayList<>();
        for (StreamKernel k : window.kernels()) {
            Integer number = numbers.get(k.name());
            if (number == null) {
                number = numbers.size();
                numbers.put(k.name(), number);
                fresh.add(distinct(names.name(k.name())));
            }
            kernels.add(new StreamKernel(number, k.stream(), k.workItems(), k.durations()));
        }
        List<ExtremeEvent> extremes = new ArrayList<>();
        for (ExtremeEvent e : window.extremes()) {
            Integer number = numbers.get(e.name());
            if (number == null) {
                throw new IllegalArgumentException("extreme of kernel " + e.name() + ", which is not in the window");
            }
            extremes.add(new ExtremeEvent(number, e.stream(), e.startNanos(), e.durationNanos()));
        }
        return new KernelWindow(window.attempt(), window.rank(), window.window(), kernels, extremes, window.lost());
    }

    /** The name as the reader will see it; half a surrogate pair is no UTF-8, so two names could become one, and are kept apart. */
    private String distinct(String name) {
        String seen = new String(name.getBytes(UTF_8), UTF_8);
        while (!sent.add(seen)) {
            seen += "~";
        }
        return seen;
    }

    static byte[] intBytes(int value) {
        return new byte[] {(byte) value, (byte) (value >>> 8), (byte) (value >>> 16), (byte) (value >>> 24)};
    }
}
