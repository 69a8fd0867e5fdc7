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
import org.junit.jupiter.api.Test;
import tools.jackson.core.exc.StreamReadException;

/**
 * Events that repeat a few layouts, as a profiler prints them, so that the trail of keys is walked: against Jackson, through
 * windows of any size, at every place relative to blocks and words, and cut at every byte.
 */
class RepeatedLayoutTest {
    private static final String[] TEXTS = {
        "gemm",
        "",
        "a\\\"b",
        "\\\\",
        "\\ud83d\\ude00",
        "é😀",
        "\\u00e9\\\\",
        "{[",
        "]},\\\"",
        "#",
        "x".repeat(70),
        "_^|~"
    };
    private static final String[] NUMBERS = {
        "0",
        "7",
        "1234567",
        "12345678",
        "123456789",
        "1751410839690164.648",
        "3690165099907.149",
        "0.5",
        "12.25",
        "1.0005",
        "99999999.999",
        "4.458e3",
        "-3.5",
        "1E2",
        "18446744073709551615",
        "null",
        "true",
        "\"12.5\"",
        "\"stream 7\""
    };
    private static final String[] SPACES = {"", " ", "\n    ", "\n" + " ".repeat(16), "\t\r\n"};

    @RepeatedTest(1500)
    void eventsOfFewLayoutsAgreeWithJackson(RepetitionInfo run) throws IOException {
        long seed = run.getCurrentRepetition();
        Random random = new Random(seed);
        byte[] file = document(random, 40).getBytes(StandardCharsets.UTF_8);
        assertThat(scan(trickle(file, random), 16 << random.nextInt(12)))
                .as("seed %d: %s", seed, new String(file, StandardCharsets.UTF_8))
                .isEqualTo(jackson(file));
    }

    @Test
    void everyPlaceInABlockAgrees() throws IOException {
        String text = document(new Random(7), 12);
        for (int shift = 0; shift <= 130; shift++) {
            byte[] file = (" ".repeat(shift) + text).getBytes(StandardCharsets.UTF_8);
            assertThat(scan(new ByteArrayInputStream(file), 512))
                    .as("shifted by %d", shift)
                    .isEqualTo(jackson(file));
        }
    }

    @Test
    void aCutGivesTheEventsBeforeIt() throws IOException {
        byte[] file = document(new Random(8), 12).getBytes(StandardCharsets.UTF_8);
        List<String> whole = jackson(file);
        for (int length = 1; length < file.length; length++) {
            List<String> found = scan(new ByteArrayInputStream(file, 0, length), 64);
            assertThat(found).as("cut at %d", length).isEqualTo(whole.subList(0, found.size()));
        }
        assertThat(scan(new ByteArrayInputStream(file), 64)).isEqualTo(whole);
    }

    @RepeatedTest(1500)
    void damagedEventsAgreeWhereverJacksonAcceptsThem(RepetitionInfo run) throws IOException {
        long seed = run.getCurrentRepetition();
        Random random = new Random(seed);
        byte[] file = document(random, 20).getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i >= 0; i--) {
            file[random.nextInt(file.length)] = (byte) "\"\\{}[]:,x 0-.e\n\u007f\u0000é".charAt(random.nextInt(18));
        }
        @Nullable List<String> expected;
        try {
            expected = jackson(file);
        } catch (StreamReadException rejected) {
            expected = null;
        }
        List<String> found = scan(trickle(file, random), 16 << random.nextInt(10));
        if (expected != null) {
            assertThat(found)
                    .as("seed %d: %s", seed, new String(file, StandardCharsets.UTF_8))
                    .isEqualTo(expected);
        }
    }

    @Test
    void keysWithoutEndAreReadAlikeAndNotKept() {
        StringBuilder events = new StringBuilder("[");
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            events.append("{'k")
                    .append(i)
                    .append("':1,'ph':'X','cat':'kernel','name':'n','ts':")
                    .append(i)
                    .append(",'dur':1,'args':{'a")
                    .append(i % 100)
                    .append("':0,'device':3}},\n");
        }
        byte[] file = Reading.bytes(events.append("]").toString());
        TrailScanner in = new TrailScanner(new ByteArrayInputStream(file), 4096);
        EventFields fields = new EventFields(false, false);
        in.peek();
        in.take();
        long sum = 0;
        int read = 0;
        while (in.nextElement()) {
            in.peek();
            assertThat(fields.read(in)).isTrue();
            sum += fields.ts + fields.number(EventArgs.DEVICE);
            read++;
        }
        assertThat(read).isEqualTo(count);
        assertThat(sum).isEqualTo(1000L * count * (count - 1) / 2 + 3L * count);
        assertThat(fields.steps()).isLessThanOrEqualTo(KeyTrail.MAX_STEPS);
    }

    @Test
    void theSameBytesAreOtherKeysInArguments() {
        String with = "{'ph':'X','cat':'kernel','args':{,'name':'inner'},'name':'outer','ts':1,'dur':1}";
        String without = "{'ph':'X','cat':'kernel','args':5,'name':'plain','ts':1,'dur':1}";
        byte[] file = Reading.bytes("[" + String.join(",", with, without, with, without, without, with) + "]");
        TrailScanner in = new TrailScanner(new ByteArrayInputStream(file), 4096);
        EventFields fields = new EventFields(false, false);
        in.peek();
        in.take();
        List<String> names = new ArrayList<>();
        while (in.nextElement()) {
            in.peek();
            assertThat(fields.read(in)).isTrue();
            names.add(fields.nameText() + fields.text(EventArgs.LABEL));
        }
        assertThat(names).containsExactly("outerinner", "plain", "outerinner", "plain", "plain", "outerinner");
    }

    // ---------------------------------------------------------------- both readers

    private static List<String> jackson(byte[] file) throws IOException {
        List<String> out = new ArrayList<>();
        for (Map<String, String> e : JacksonOracle.events(new ByteArrayInputStream(file))) {
            boolean wanted =
                    "X".equals(e.get("ph")) && ("kernel".equals(e.get("cat")) || "cuda_runtime".equals(e.get("cat")));
            if (wanted && e.containsKey("name")) {
                out.add(String.join(
                        "|",
                        "kernel".equals(e.get("cat")) ? "1" : "4",
                        e.getOrDefault("name", ""),
                        nanos(e.get("ts")),
                        nanos(e.get("dur")),
                        id(e.get("pid")),
                        integer(e.get("args.correlation")),
                        stream(e.get("args.stream")),
                        e.getOrDefault("args.dtype", "")));
            }
        }
        return out;
    }

    private static List<String> scan(InputStream file, int window) {
        TrailScanner in = new TrailScanner(file, window);
        List<String> out = new ArrayList<>();
        try {
            in.peek();
            in.take();
            EventFields e = new EventFields(false, false);
            while (in.nextElement()) {
                in.mark();
                if (in.peek() != '{') {
                    in.skipValue();
                } else if (e.read(in) && isWanted(e)) {
                    out.add(String.join(
                            "|",
                            String.valueOf(e.category),
                            e.nameText(),
                            String.valueOf(e.ts),
                            String.valueOf(e.dur),
                            String.valueOf(e.pid),
                            String.valueOf(e.number(EventArgs.CORRELATION)),
                            String.valueOf(e.number(EventArgs.STREAM)),
                            e.text(EventArgs.DTYPE)));
                }
            }
        } catch (JsonError broken) {
            assertThat(broken.offset()).isNotNegative();
        }
        return out;
    }

    private static boolean isWanted(EventFields e) {
        return (e.category == Category.KERNEL || e.category == Category.RUNTIME) && e.hasName();
    }

    private static String nanos(@Nullable String printed) {
        byte[] bytes = (printed == null ? "" : printed).getBytes(StandardCharsets.UTF_8);
        return String.valueOf(Decimals.nanosOfMicros(bytes, 0, bytes.length));
    }

    private static String integer(@Nullable String printed) {
        byte[] bytes = (printed == null ? "" : printed).getBytes(StandardCharsets.UTF_8);
        return String.valueOf(Decimals.integer(bytes, 0, bytes.length));
    }

    private static String stream(@Nullable String printed) {
        return printed == null || printed.equals("true") ? String.valueOf(Decimals.MISSING) : id(printed);
    }

    private static String id(@Nullable String printed) {
        String text = printed == null ? "" : printed;
        String value = integer(text.startsWith("stream ") ? text.substring(7) : text.equals("12.5") ? "5" : text);
        return value.equals(String.valueOf(Decimals.MISSING)) ? "-1" : value;
    }

    private static InputStream trickle(byte[] file, Random random) {
        return new ByteArrayInputStream(file) {
            @Override
            public synchronized int read(byte[] to, int off, int len) {
                return super.read(to, off, Math.min(len, 1 + random.nextInt(1000)));
            }
        };
    }

    // ---------------------------------------------------------------- generator

    private static String document(Random random, int count) {
        List<String[]> layouts = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            layouts.add(layout(random));
        }
        StringBuilder out = new StringBuilder("[");
        String space = SPACES[random.nextInt(SPACES.length)];
        for (int i = 0; i < count; i++) {
            String[] layout = random.nextInt(12) == 0 ? layout(random) : layouts.get(random.nextInt(layouts.size()));
            out.append(i == 0 ? "" : ",").append(space).append(event(layout, random));
        }
        return out.append(space).append("]").toString();
    }

    /** Pieces of an event with places for values between them: {@code T}ext, {@code N}umber, {@code V}alue, or a fixed one. */
    private static String[] layout(Random random) {
        String space = SPACES[random.nextInt(SPACES.length)];
        String colon = random.nextBoolean() ? ":" : ": ";
        List<String> args = new ArrayList<>(List.of(
                "correlation",
                "N",
                "stream",
                "N",
                "dtype",
                "T",
                "queued",
                "V",
                "grid",
                "[12, 1, 1]",
                "Python id",
                "N"));
        List<String> members = new ArrayList<>(List.of(
                "ph",
                "\"" + "XXXXXsiM".charAt(random.nextInt(8)) + "\"",
                "cat",
                "\""
                        + List.of("kernel", "cuda_runtime", "ac2g", "python_function")
                                .get(random.nextInt(4)) + "\"",
                "name",
                "T",
                "ts",
                "N",
                "dur",
                "N",
                "pid",
                "N",
                "tid",
                "N",
                "id",
                "V",
                "args",
                "{"));
        StringBuilder inner = new StringBuilder();
        for (int at : order(args.size() / 2, random)) {
            inner.append(inner.isEmpty() ? "" : ",")
                    .append(space)
                    .append('"')
                    .append(args.get(2 * at))
                    .append('"')
                    .append(colon)
                    .append('\u0001')
                    .append(args.get(2 * at + 1))
                    .append('\u0001');
        }
        StringBuilder out = new StringBuilder("{");
        for (int at : order(members.size() / 2, random)) {
            String value = members.get(2 * at + 1);
            out.append(out.length() == 1 ? "" : ",")
                    .append(space)
                    .append('"')
                    .append(members.get(2 * at))
                    .append('"')
                    .append(colon);
            if (value.equals("{")) {
                out.append('{').append(inner).append(space).append('}');
            } else {
                out.append('\u0001').append(value).append('\u0001');
            }
        }
        return out.append(space).append('}').toString().split("\u0001", -1);
    }

    private static List<Integer> order(int count, Random random) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        return order.subList(0, count - random.nextInt(3));
    }

    private static String event(String[] layout, Random random) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < layout.length; i++) {
            out.append(i % 2 == 0 ? layout[i] : value(layout[i], random));
        }
        return out.toString();
    }

    private static String value(String kind, Random random) {
        return switch (kind) {
            case "T" ->
                random.nextInt(10) == 0
                        ? NUMBERS[random.nextInt(16)]
                        : "\"" + TEXTS[random.nextInt(TEXTS.length)] + "\"";
            case "N" -> random.nextInt(30) == 0 ? "{\"a\":[1,{}]}" : NUMBERS[random.nextInt(NUMBERS.length)];
            case "V" ->
                List.of("[]", "[[1,2],\"]\"]", "{\"a\":{\"b\":\"}\"}}", "\"x\"", "-1.5e3", "null", "[1, 2]")
                        .get(random.nextInt(7));
            default -> kind;
        };
    }
}
