package dev.argus.ring;

import dev.argus.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The script that every writer must turn into the same bytes: {@code producers/golden/ring-1.txt}. */
final class GoldenScript {
    static final RingHeader HEADER = new RingHeader(
            0,
            RingHeader.SIMULATED,
            1024,
            1700000000000000001L,
            4711,
            RingHeader.MONOTONIC,
            123456,
            5,
            1,
            16,
            4026531836L);
    static final long HEARTBEAT = 987654321;

    private GoldenScript() {}

    static Path file(String name) {
        return Shared.repository().resolve("producers/golden").resolve(name);
    }

    static List<String> lines() throws IOException {
        return Files.readAllLines(file("ring-1.txt")).stream()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .toList();
    }

    static String text(String line) {
        String text = line.split(" ", 3)[2];
        if (!text.startsWith("@repeat ")) {
            return text;
        }
        String[] repeat = text.split(" ", -1);
        return repeat[2].repeat(Integer.parseInt(repeat[1]));
    }

    /** Runs the script. */
    static void write(RingWriter to) throws IOException {
        for (String line : lines()) {
            if (!run(to, line)) {
                throw new IllegalStateException("not written: " + line);
            }
        }
        to.heartbeat(HEARTBEAT);
        to.obey();
    }

    private static boolean run(RingWriter to, String line) {
        String[] f = line.split(" ", -1);
        return switch (f[0]) {
            case "clock" -> to.clock(l(f[1]), l(f[2]), l(f[3]));
            case "string" -> to.name(text(line)) == i(f[1]) && to.define(i(f[1]));
            case "identity" -> to.identity(i(f[1]), i(f[2]), l(f[3]));
            case "group" -> to.group(i(f[1]), i(f[3]), i(f[4]), i(f[5]), i(f[6])) == i(f[2]);
            case "step" -> to.step(i(f[1]), l(f[2]), l(f[3]), i(f[4]), l(f[5]));
            case "span" -> to.span(i(f[1]), i(f[2]), i(f[3]), i(f[4]), l(f[5]), l(f[6]), i(f[7]), i(f[8]), i(f[9]));
            case "launch" -> to.launch(i(f[1]), l(f[2]), l(f[3]), i(f[4]), i(f[5]), i(f[6]));
            case "kernel" ->
                to.kernel(i(f[1]), i(f[2]), i(f[3]), l(f[4]), l(f[5]), i(f[6]), i(f[7]), Float.parseFloat(f[8]));
            case "copy" -> to.copy(i(f[1]), i(f[2]), l(f[3]), l(f[4]), l(f[5]), i(f[6]), i(f[7]));
            case "set" -> to.set(i(f[1]), l(f[3]), l(f[4]), l(f[5]), i(f[6]), i(f[7]));
            case "collective" ->
                to.collective(
                        i(f[1]), i(f[2]), i(f[3]), l(f[4]), l(f[5]), i(f[6]), i(f[7]), i(f[8]), i(f[9]), l(f[10]),
                        l(f[11]), i(f[12]), i(f[13]));
            case "loss" -> to.lossRecord(i(f[1]), l(f[2]), l(f[3]), l(f[4]));
            default -> throw new IllegalArgumentException(line);
        };
    }

    private static long l(String number) {
        return Long.parseLong(number);
    }

    private static int i(String number) {
        return (int) Long.parseLong(number);
    }
}
