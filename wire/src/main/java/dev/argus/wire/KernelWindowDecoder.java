package dev.argus.wire;

import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.PackedKernels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Reads what {@link KernelWindowEncoder} wrote, frame by frame. Content is taken as hostile: whatever is not exactly a frame, whole and
 * next in turn, is a {@link WireException}; nothing of it is then remembered, and the stream goes on at the next
 * frame that fits, at the latest at a key frame. What a frame may claim is bounded by its length.
 *
 * <p>Belongs to one thread.
 */
public final class KernelWindowDecoder {
    private static final int CHECKSUM_BYTES = 4;
    private static final int LEAST_BYTES = 8;

    /** Kernels, knots and events a frame may hold: so many, and so many for each byte of its body. */
    private static final long FREE_ELEMENTS = 256;

    private static final long ELEMENTS_PER_BYTE = 128;
    private static final long MOST_NAME_BYTES = 16 << 20;

    private final NameTable names;
    private KernelWindowLayout layout = new KernelWindowLayout();

    /** By number of the dictionary: id of the name. */
    private int[] ids = {};

    private int idCount;
    private final Set<String> known = new HashSet<>();
    private long nameBytes;
    private long frame = -1;

    /** Into windows whose name ids are of this table. */
    public KernelWindowDecoder(NameTable names) {
        this.names = names;
    }

    /**
     * Reads a frame.
     *
     * @throws WireException if the bytes are damaged, cut, of another version, or a frame between is missing
     */
    public KernelWindow decode(byte[] bytes) {
        checkWhole(bytes);
        int end = bytes.length - CHECKSUM_BYTES;
        WireReader in = new WireReader(bytes, end);
        int version = in.readByte();
        if (version != KernelWindowLayout.VERSION) {
            throw new WireException("frame of version " + version + ", expected " + KernelWindowLayout.VERSION);
        }
        int flags = in.readByte();
        if ((flags & ~KernelWindowLayout.KEY_FRAME) != 0) {
            throw new WireException("frame with flags " + flags + ", expected 0 or 1");
        }
        boolean key = flags == KernelWindowLayout.KEY_FRAME;
        long number = in.readVarint();
        if (number != (key ? 0 : frame + 1) || (!key && frame < 0)) {
            throw new WireException("frame " + number
                    + (key
                            ? " as key frame, expected 0"
                            : ", expected "
                                    + (frame < 0
                                            ? "a key frame"
                                            : frame + 1 + ": one was missed, ask for a key frame")));
        }
        List<String> fresh = names(in, key ? Set.of() : known);
        int before = key ? 0 : idCount;
        long bytesOfNames = key ? 0 : nameBytes;
        for (String name : fresh) {
            bytesOfNames += name.length();
        }
        if (before + fresh.size() > KernelWindowLayout.MOST_KEYS || bytesOfNames > MOST_NAME_BYTES) {
            throw new WireException("dictionary of " + (before + fresh.size()) + " names and " + bytesOfNames
                    + " characters, expected at most " + KernelWindowLayout.MOST_KEYS + " and " + MOST_NAME_BYTES);
        }
        KernelWindowLayout next = key ? new KernelWindowLayout() : layout;
        KernelWindow window = body(next, bytes, end - in.remaining(), end, before + fresh.size());
        if (key) {
            known.clear();
            idCount = 0;
        }
        if (idCount + fresh.size() > ids.length) {
            ids = Arrays.copyOf(ids, idCount + fresh.size());
        }
        for (String name : fresh) {
            int id = names.id(name);
            ids[idCount++] = id;
            known.add(names.name(id)); // the text all decoders share
        }
        layout = next;
        nameBytes = bytesOfNames;
        frame = number;
        return named(window);
    }

    /** Reads the body; a layout that met a damaged one is as it was before. */
    private static KernelWindow body(KernelWindowLayout layout, byte[] bytes, int from, int end, int names) {
        layout.begin();
        try {
            EntropyDecoder coder = new EntropyDecoder(layout.models, bytes, from, end);
            KernelWindow empty = new KernelWindow(0, 0, 0, List.of(), List.of(), 0);
            KernelWindow window = layout.code(coder, empty, names, FREE_ELEMENTS + ELEMENTS_PER_BYTE * (end - from));
            coder.expectEnd();
            layout.keep();
            return window;
        } finally {
            layout.undo(); // nothing, where it was kept
        }
    }

    private static void checkWhole(byte[] bytes) {
        if (bytes.length < LEAST_BYTES) {
            throw new WireException("frame of " + bytes.length + " bytes, expected at least " + LEAST_BYTES);
        }
        int end = bytes.length - CHECKSUM_BYTES;
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, end);
        if (!Arrays.equals(bytes, end, bytes.length, KernelWindowEncoder.intBytes((int) crc.getValue()), 0, 4)) {
            throw new WireException("checksum " + Integer.toHexString((int) crc.getValue())
                    + " of the content differs from the one behind it; damaged or cut");
        }
    }

    /** The new names; a name twice would make two kernels of a window the same one. */
    private static List<String> names(WireReader in, Set<String> known) {
        int n = in.readCount(1);
        if (n == 0) {
            return List.of();
        }
        Set<String> fresh = new LinkedHashSet<>();
        for (int i = 0; i < n; i++) {
            String name = in.readText();
            if (known.contains(name) || !fresh.add(name)) {
                throw new WireException("new name " + i + " is in the dictionary already; the bytes are damaged");
            }
        }
        return List.copyOf(fresh);
    }

    private KernelWindow named(KernelWindow window) {
        PackedKernels numbered = (PackedKernels) window.kernels(); // as the layout makes them
        PackedKernels kernels = numbered.named(number -> ids[number]);
        List<ExtremeEvent> extremes = new ArrayList<>(window.extremes().size());
        for (ExtremeEvent e : window.extremes()) {
            extremes.add(new ExtremeEvent(ids[e.name()], e.stream(), e.startNanos(), e.durationNanos()));
        }
        return new KernelWindow(window.attempt(), window.rank(), window.window(), kernels, extremes, window.lost());
    }
}
