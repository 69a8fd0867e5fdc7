package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.model.KernelWindow;
import dev.argus.testkit.Fuzzed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Valid streams of frames with damage done to them. The input is a recipe: which stream (1 byte), then steps of 5 bytes: what to do,
 * to which frame, where (2 bytes), with which value. The checksum is repaired or, by the recipe, not.
 */
@Fuzzed
class KernelWindowStreamFuzz {
    private static final int STREAMS = 16;
    private static final int MOST_FRAMES = 8;
    private static final int STEP = 5;
    private static final int NOT_REPAIRED = 0x80;

    /** Frames: key, difference, difference, key. */
    private static final List<List<byte[]>> FRAMES = new ArrayList<>();

    private static final List<List<KernelWindow>> WINDOWS = new ArrayList<>();

    static {
        for (int seed = 0; seed < STREAMS; seed++) {
            List<byte[]> frames = Frames.stream(seed, 4);
            CheckedWindows windows = new CheckedWindows();
            List<KernelWindow> read = new ArrayList<>();
            frames.forEach(frame -> read.add(windows.decode(frame)));
            FRAMES.add(frames);
            WINDOWS.add(read);
        }
    }

    static Stream<byte[]> seeds() {
        return Stream.of(
                new byte[] {0}, new byte[] {1, 0, 1, 30, 0, 5}, new byte[] {2, (byte) 0x80, 2, 40, 0, 1}, new byte[] {
                    3, 1, 1, 20, 0, 9, 2, 3, 7, 0, 0, 5, 1, 0, 0, 0, 6, 0, 0, 0, 0, 7, 4, 0, 0, 3
                });
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 6_000)
    void damageIsRefusedOrHarmless(byte[] recipe) {
        int stream = recipe.length == 0 ? 0 : (recipe[0] & 0xFF) % STREAMS;
        List<byte[]> frames = new ArrayList<>(FRAMES.get(stream));
        for (int at = 1; at + STEP <= recipe.length && !frames.isEmpty(); at += STEP) {
            int where = (recipe[at + 2] & 0xFF) | ((recipe[at + 3] & 0xFF) << 8);
            step(frames, recipe[at] & 0xFF, recipe[at + 1] & 0xFF, where, recipe[at + 4] & 0xFF);
        }
        CheckedWindows windows = new CheckedWindows();
        boolean whole = true;
        for (int i = 0; i < frames.size(); i++) {
            KernelWindow window = windows.decode(frames.get(i));
            whole &= i < FRAMES.get(stream).size()
                    && Arrays.equals(frames.get(i), FRAMES.get(stream).get(i));
            if (whole) {
                KernelWindow expected = WINDOWS.get(stream).get(i);
                Fuzzing.check(expected.equals(window), "undamaged, but read as\n" + window);
            }
        }
        windows.end();
        Fuzzing.check(windows.decode(FRAMES.get(stream).getFirst()) != null, "no way back by a key frame");
    }

    private static void step(List<byte[]> frames, int what, int which, int where, int value) {
        int n = which % frames.size();
        byte[] frame = frames.get(n);
        int at = where % (frame.length - 4);
        byte[] changed = frame.clone();
        switch (what % 8) {
            case 0 -> changed[at] = (byte) value;
            case 1 -> changed[at] ^= (byte) (1 << (value % 8));
            case 2 -> {
                changed = Arrays.copyOf(frame, frame.length + 1);
                System.arraycopy(frame, at, changed, at + 1, frame.length - at);
                changed[at] = (byte) value;
            }
            case 3 -> {
                if (frame.length > 5) {
                    changed = Arrays.copyOf(frame, frame.length - 1);
                    System.arraycopy(frame, at + 1, changed, at, changed.length - at);
                }
            }
            case 4 -> changed = Arrays.copyOf(frame, Math.max(5, at));
            case 5 -> {
                if (frames.size() < MOST_FRAMES) {
                    frames.add((n + 1 + value) % (frames.size() + 1), frame);
                }
                return;
            }
            case 6 -> {
                frames.remove(n);
                return;
            }
            default -> {
                byte[] other = frames.get(value % frames.size());
                int from = Math.min(at, other.length - 4);
                changed = Arrays.copyOf(frame, at + other.length - from);
                System.arraycopy(other, from, changed, at, other.length - from);
            }
        }
        frames.set(n, (what & NOT_REPAIRED) == 0 && changed.length > 4 ? CheckedWindows.repaired(changed) : changed);
    }
}
