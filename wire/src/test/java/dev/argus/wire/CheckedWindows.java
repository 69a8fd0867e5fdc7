package dev.argus.wire;

import dev.argus.model.DurationSummary;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StreamKernel;
import dev.argus.stats.LogBins;
import dev.argus.stats.PositionGrid;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of a stream of frames and what must be true of it after each, whatever the frames:
 *
 * <ul>
 *   <li>it gives a window or the named error, within memory that the bytes since the last key frame allow;
 *   <li>what it accepts has the right checksum, by a CRC-32C written down independently;
 *   <li>what it accepts can be written: an encoder fed with the accepted windows, key frames where there were key frames, and a
 *       decoder behind it give the same windows. (The bytes may differ: many strings of bytes mean the same body, the encoder
 *       writes one of the shortest. And kernels may come in another order: the one in which the encoder first met them.)
 *   <li>what it refuses leaves nothing behind: no name, and ({@link #end}) no state.
 * </ul>
 */
final class CheckedWindows {
    private static final long FREE_BYTES = 1 << 20;
    private static final long BYTES_PER_BYTE = 32 << 10;

    private final NameTable names = new NameTable();
    private final KernelWindowDecoder decoder = new KernelWindowDecoder(names);
    private final KernelWindowEncoder writer = new KernelWindowEncoder(names);
    private final KernelWindowDecoder reader = new KernelWindowDecoder(names);
    private final List<byte[]> accepted = new ArrayList<>();
    private final List<KernelWindow> windows = new ArrayList<>();
    private long bytesSinceKey;
    private boolean refused;
    private byte @Nullable [] lastRefused;

    /** The window, kernels in the order of their names and streams; null where the frame is refused. */
    @Nullable
    KernelWindow decode(byte[] frame) {
        int namesBefore = names.size();
        KernelWindow window =
                Fuzzing.decoded(decoder::decode, frame, FREE_BYTES + BYTES_PER_BYTE * (bytesSinceKey + frame.length));
        if (window == null) {
            Fuzzing.check(names.size() == namesBefore, "names of a refused frame are remembered");
            refused = true;
            lastRefused = frame;
            return null;
        }
        Fuzzing.check(crc32c(frame) == storedCrc(frame), "a frame whose checksum is wrong was accepted");
        checkRanges(window);
        boolean key = frame[1] == KernelWindowLayout.KEY_FRAME;
        bytesSinceKey = (key ? 0 : bytesSinceKey) + frame.length;
        KernelWindow result = inOrder(window);
        KernelWindow again = inOrder(reader.decode(writer.encode(window, key)));
        Fuzzing.check(again.equals(result), "read as\n" + result + "\nwritten, and read again as\n" + again);
        accepted.add(frame);
        windows.add(result);
        lastRefused = null;
        return result;
    }

    /** Checks that a decoder that has seen only the accepted frames gives the same, and refuses the last one that was refused. */
    void end() {
        if (!refused) {
            return;
        }
        KernelWindowDecoder other = new KernelWindowDecoder(names);
        for (int i = 0; i < accepted.size(); i++) {
            KernelWindow window = inOrder(other.decode(accepted.get(i)));
            Fuzzing.check(window.equals(windows.get(i)), "differs without the refused frames:\n" + window);
        }
        byte[] last = lastRefused;
        if (last != null) {
            KernelWindow window = Fuzzing.decoded(other::decode, last, Long.MAX_VALUE);
            Fuzzing.check(window == null, "refused only because of refused frames before it: " + window);
        }
    }

    /** What the model says of a window but does not check itself. */
    private static void checkRanges(KernelWindow window) {
        Fuzzing.check(window.extremes().size() <= KernelWindow.MOST_EXTREMES, "too many extremes: " + window);
        Fuzzing.check(window.lost() >= 0, "lost is negative: " + window);
        for (StreamKernel kernel : window.kernels()) {
            DurationSummary d = kernel.durations();
            int bins = d.bins().length;
            Fuzzing.check(kernel.workItems() >= 0, "work items are negative: " + kernel);
            Fuzzing.check(
                    bins == 0 || d.bins()[bins - 1] <= LogBins.lastBin(7), "a bin that does not exist: " + kernel);
            Fuzzing.check(
                    d.form() != DurationSummary.Form.KNOTS
                            || d.places()[bins - 1] == new PositionGrid(d.count(), d.positionBits()).last(),
                    "the last knot is not at the last place: " + kernel);
        }
    }

    /** The frame with the checksum it should have. */
    static byte[] repaired(byte[] frame) {
        byte[] result = frame.clone();
        CRC32C crc = new CRC32C();
        crc.update(result, 0, result.length - 4);
        System.arraycopy(KernelWindowEncoder.intBytes((int) crc.getValue()), 0, result, result.length - 4, 4);
        return result;
    }

    static KernelWindow inOrder(KernelWindow window) {
        List<StreamKernel> kernels = new ArrayList<>(window.kernels());
        kernels.sort(Comparator.comparingInt(StreamKernel::name).thenComparingInt(StreamKernel::stream));
        return new KernelWindow(
                window.attempt(), window.rank(), window.window(), kernels, window.extremes(), window.lost());
    }

    private static int storedCrc(byte[] frame) {
        return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(frame.length - 4);
    }

    /** Castagnoli's polynomial, bit by bit. */
    private static int crc32c(byte[] frame) {
        int crc = -1;
        for (byte b : Arrays.copyOf(frame, frame.length - 4)) {
            crc ^= b & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc >>> 1) ^ ((crc & 1) == 0 ? 0 : 0x82F63B78);
            }
        }
        return ~crc;
    }
}
