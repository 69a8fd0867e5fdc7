package dev.argus.wire;

import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

/** Frames to begin with: those written once and for ever, and made ones. */
final class Frames {
    private Frames() {}

    /** The golden frames. */
    static List<byte[]> golden() {
        return Stream.of("n0", "n1", "many").map(Frames::golden).toList();
    }

    /** A golden frame by its name. */
    static byte[] golden(String name) {
        String resource = "kernel-window-1-" + name + ".hex";
        try (InputStream in = Frames.class.getResourceAsStream(resource)) {
            byte[] hex = Objects.requireNonNull(in, resource).readAllBytes();
            return HexFormat.of().parseHex(new String(hex, StandardCharsets.US_ASCII).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The frames of a few kernels whose durations change a little from window to window; every third is a key frame. */
    static List<byte[]> stream(int seed, int frames) {
        Random random = new Random(seed);
        NameTable names = Windows.names();
        KernelWindowEncoder encoder = new KernelWindowEncoder(names);
        KernelWindow window = few(Windows.random(random, seed));
        List<byte[]> result = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            result.add(encoder.encode(window, i % 3 == 0));
            window = Windows.next(random, window);
        }
        return result;
    }

    private static KernelWindow few(KernelWindow w) {
        int n = Math.min(4, w.kernels().size());
        return new KernelWindow(
                w.attempt(),
                w.rank(),
                w.window(),
                w.kernels().subList(0, n),
                w.extremes().subList(0, Math.min(n, w.extremes().size())),
                w.lost());
    }
}
