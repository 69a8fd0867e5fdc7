package dev.argus.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StreamKernel;
import dev.argus.testkit.Fuzzed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Frames by a writer that lies: it writes a body with the real layout, but other symbols at some places, so that the reader gets
 * deep into what is wrong. The input: which windows (1 byte), then lies of 4 bytes: in which frame, at which symbol (2 bytes), which value.
 */
@Fuzzed
class KernelWindowSymbolFuzz {
    private static final int WINDOWS = 16;
    private static final int FRAMES = 3;
    private static final int LIE = 4;
    private static final NameTable NAMES = Windows.names();
    private static final List<List<KernelWindow>> GIVEN = new ArrayList<>();

    static {
        for (int seed = 0; seed < WINDOWS; seed++) {
            Random random = new Random(seed);
            List<KernelWindow> windows = new ArrayList<>();
            windows.add(numbered(Windows.random(random, seed)));
            while (windows.size() < FRAMES) {
                windows.add(Windows.next(random, windows.getLast()));
            }
            GIVEN.add(windows);
        }
    }

    /** Four kernels, their names numbered from 0. */
    private static KernelWindow numbered(KernelWindow w) {
        List<StreamKernel> kernels = new ArrayList<>();
        List<ExtremeEvent> extremes = new ArrayList<>();
        for (StreamKernel k : w.kernels().subList(0, Math.min(4, w.kernels().size()))) {
            extremes.add(new ExtremeEvent(kernels.size(), k.stream(), 1_700_000_000_000L, 5_000));
            kernels.add(new StreamKernel(kernels.size(), k.stream(), k.workItems(), k.durations()));
        }
        return new KernelWindow(w.attempt(), w.rank(), w.window(), kernels, extremes, w.lost());
    }

    /** Writes what it is told, but for the lies. */
    private static final class Liar extends EntropyCoder {
        private final EntropyEncoder out;
        private final Map<Integer, Integer> lies;
        private int symbol;

        Liar(Models models, Map<Integer, Integer> lies) {
            super(models);
            this.lies = lies;
            out = new EntropyEncoder(models);
        }

        @Override
        int coded(int probability, int bit) {
            return out.coded(probability, lies.getOrDefault(symbol++, bit) & 1);
        }

        @Override
        int even(int value, int bound) {
            return out.even(Math.floorMod(lies.getOrDefault(symbol++, value), bound), bound);
        }
    }

    static Stream<byte[]> seeds() {
        return Stream.of(
                new byte[] {0}, new byte[] {1, 0, 5, 0, 1}, new byte[] {2, 1, 40, 0, 0, 2, 9, 0, 1}, new byte[] {
                    3, 0, 90, 0, 1, 0, 95, 0, 1, 0, (byte) 200, 0, 77
                });
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 6_000)
    void liesAreRefusedOrHarmless(byte[] recipe) {
        List<KernelWindow> given = GIVEN.get(recipe.length == 0 ? 0 : (recipe[0] & 0xFF) % WINDOWS);
        List<Map<Integer, Integer>> lies = Stream.<Map<Integer, Integer>>generate(HashMap::new)
                .limit(FRAMES)
                .toList();
        for (int at = 1; at + LIE <= recipe.length; at += LIE) {
            int symbol = (recipe[at + 1] & 0xFF) | ((recipe[at + 2] & 0x0F) << 8);
            lies.get((recipe[at] & 0xFF) % FRAMES).put(symbol, recipe[at + 3] & 0xFF);
        }
        CheckedWindows windows = new CheckedWindows();
        KernelWindowLayout layout = new KernelWindowLayout();
        int kernels = given.getFirst().kernels().size();
        for (int frame = 0; frame < FRAMES; frame++) {
            WireWriter to = new WireWriter();
            to.writeByte(KernelWindowLayout.VERSION)
                    .writeByte(frame == 0 ? KernelWindowLayout.KEY_FRAME : 0)
                    .writeVarint(frame)
                    .writeVarint(frame == 0 ? kernels : 0);
            for (int i = 0; frame == 0 && i < kernels; i++) {
                to.writeText(NAMES.name(i));
            }
            boolean caught = false;
            Liar liar = new Liar(layout.models, lies.get(frame));
            try {
                layout.code(liar, given.get(frame), kernels, Long.MAX_VALUE);
            } catch (RuntimeException entangled) {
                caught = true; // in its own lies; the frame ends there
            }
            to.writeRaw(liar.out.finish()).writeRaw(new byte[4]);
            windows.decode(CheckedWindows.repaired(to.toByteArray()));
            if (caught) {
                break;
            }
        }
        windows.end();
    }
}
