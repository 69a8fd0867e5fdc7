package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import tools.jackson.core.exc.StreamReadException;

/** The scanner against Jackson, on generated files, whole and damaged, through windows of any size. */
class JsonDifferentialTest {
    private static final KeyTable MEMBERS = KeyTable.of("traceEvents", 1);
    private static final String[] TEXTS = {
        "gemm",
        "",
        "a\\\"b",
        "\\\\",
        "{[",
        "]}\\\\\\\"",
        "\\u00e9\\ud83d\\ude00",
        "é😀",
        "x".repeat(70),
        "\\n\\t\\/",
        "Y_y",
        "void at::native::vectorized_gather_kernel<16, long>(char*, char*)"
    };

    @RepeatedTest(3000)
    void wholeFilesAgree(RepetitionInfo run) throws IOException {
        long seed = run.getCurrentRepetition();
        Random random = new Random(seed);
        byte[] file = document(random).getBytes(StandardCharsets.UTF_8);
        assertThat(scan(file, random)).as("seed %d", seed).isEqualTo(jackson(file));
    }

    @RepeatedTest(6000)
    void damagedFilesAgreeWhereverJacksonAcceptsThem(RepetitionInfo run) throws IOException {
        long seed = run.getCurrentRepetition();
        Random random = new Random(seed);
        byte[] file = document(random).getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(3); i >= 0; i--) {
            file[random.nextInt(file.length)] = (byte) "\"\\{}[]:,x 0-.e\n\u007f\u0000é".charAt(random.nextInt(18));
        }
        List<String> expected = jackson(file);
        List<String> found = scan(file, random);
        if (expected != null) {
            assertThat(found)
                    .as("seed %d: %s", seed, new String(file, StandardCharsets.UTF_8))
                    .isEqualTo(expected);
        }
    }

    private static @Nullable List<String> jackson(byte[] file) throws IOException {
        List<String> out = new ArrayList<>();
        try {
            for (Map<String, String> event : JacksonOracle.events(new ByteArrayInputStream(file))) {
                if ("X".equals(event.get("ph")) && "kernel".equals(event.get("cat")) && event.containsKey("name")) {
                    out.add(event.get("name") + "|" + nanos(event.get("ts")) + "|" + nanos(event.get("dur")));
                }
            }
        } catch (StreamReadException rejected) {
            return null;
        }
        return out;
    }

    private static long nanos(@Nullable String printed) {
        if (printed == null) {
            return Decimals.MISSING;
        }
        byte[] bytes = printed.getBytes(StandardCharsets.UTF_8);
        return Decimals.nanosOfMicros(bytes, 0, bytes.length);
    }

    private static @Nullable List<String> scan(byte[] file, Random random) {
        TrailScanner in = new TrailScanner(trickle(file, random), 16 << random.nextInt(10));
        List<String> out = new ArrayList<>();
        try {
            if (in.peek() == '[') {
                in.take();
                list(in, out);
                return out;
            }
            if (in.peek() != '{') {
                return out;
            }
            in.take();
            in.mark();
            for (int key = in.nextKey(MEMBERS); key >= 0; key = in.nextKey(MEMBERS)) {
                if (key == 1 && in.peek() == '[') {
                    in.take();
                    list(in, out);
                } else {
                    in.skipValue();
                }
                in.mark();
            }
            return out;
        } catch (JsonError broken) {
            assertThat(broken.offset()).isBetween(0L, (long) file.length);
            return null;
        }
    }

    private static void list(TrailScanner in, List<String> out) {
        EventFields fields = new EventFields(false, false);
        while (in.nextElement()) {
            in.mark();
            if (in.peek() != '{') {
                in.skipValue();
            } else if (fields.read(in) && fields.category == Category.KERNEL && fields.hasName()) {
                out.add(fields.nameText() + "|" + fields.ts + "|" + fields.dur);
            }
        }
    }

    /** The bytes in pieces of random size. */
    private static InputStream trickle(byte[] file, Random random) {
        return new ByteArrayInputStream(file) {
            @Override
            public synchronized int read(byte[] to, int off, int len) {
                return super.read(to, off, Math.min(len, 1 + random.nextInt(200)));
            }
        };
    }

    // ---------------------------------------------------------------- generator

    private static String document(Random random) {
        StringBuilder events = new StringBuilder("[");
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            events.append(i == 0 ? "" : space(random) + ",")
                    .append(space(random))
                    .append(event(random));
        }
        events.append(space(random)).append("]");
        if (random.nextInt(4) == 0) {
            return events.toString();
        }
        String members = "\"a\":" + value(random, 3) + ",\"traceEvents\":" + events + ",\"z\":" + value(random, 3);
        return "{" + members + space(random) + "}";
    }

    private static String event(Random random) {
        List<String> members = new ArrayList<>(List.of(
                "\"ph\":\"" + "XXXXsfM".charAt(random.nextInt(7)) + "\"",
                "\"cat\":\"" + (random.nextInt(3) > 0 ? "kernel" : "cpu_op") + "\"",
                "\"name\":\"" + TEXTS[random.nextInt(TEXTS.length)] + "\"",
                "\"ts\":" + number(random),
                "\"dur\":" + number(random),
                (random.nextBoolean() ? "\"args\":" : "\"\\u0061rgs\":") + value(random, 4)));
        for (int i = random.nextInt(4); i > 0; i--) {
            members.add("\"" + TEXTS[random.nextInt(TEXTS.length)] + "\":" + value(random, 2));
        }
        Collections.shuffle(members, random);
        StringBuilder out = new StringBuilder("{");
        for (String member : members) {
            out.append(out.length() == 1 ? "" : ",").append(space(random)).append(member);
        }
        return out.append(space(random)).append("}").toString();
    }

    private static String value(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 3 : 5);
        return switch (kind) {
            case 0 -> number(random);
            case 1 -> "\"" + TEXTS[random.nextInt(TEXTS.length)] + "\"";
            case 2 -> random.nextBoolean() ? "null" : "true";
            case 3 -> "[" + value(random, depth - 1) + space(random) + "," + value(random, depth - 1) + "]";
            default ->
                "{\"grid\":" + value(random, depth - 1) + ",\"k\":" + space(random) + value(random, depth - 1) + "}";
        };
    }

    private static String number(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> String.valueOf(random.nextInt());
            case 1 -> random.nextInt(1 << 20) + "." + random.nextInt(1000);
            case 2 -> random.nextInt(100) + "e" + random.nextInt(20);
            case 3 -> "1751410839690164." + (100 + random.nextInt(900));
            default -> "-0." + random.nextInt(Integer.MAX_VALUE);
        };
    }

    private static String space(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> "\n    ";
            case 1 -> " ";
            case 2 -> "\t\r\n" + " ".repeat(random.nextInt(40));
            default -> "";
        };
    }
}
