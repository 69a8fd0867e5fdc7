package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** All that is read of an event against the same from Jackson's tokens, on documents nobody would write, through windows of any size. */
class HostileEventsTest {
    private static final KeyTable MEMBERS = KeyTable.of("traceEvents", 1);

    @RepeatedTest(4000)
    void everyFieldAgreesWithJackson(RepetitionInfo run) throws IOException {
        long seed = run.getCurrentRepetition();
        Random random = new Random(seed);
        byte[] file = HostileDocuments.of(random, random.nextInt(12));
        assertThat(scan(trickle(file, random), 16 << random.nextInt(13)))
                .as("seed %d: %s", seed, new String(file, StandardCharsets.UTF_8))
                .isEqualTo(TokenOracle.events(file));
    }

    /** Where a value lies in the window must not tell: the same through a window that holds all and through one that holds little. */
    @RepeatedTest(500)
    void windowsDoNotTell(RepetitionInfo run) throws IOException {
        byte[] file = HostileDocuments.of(new Random(run.getCurrentRepetition() + 100_000), 12);
        List<String> whole = scan(new ByteArrayInputStream(file), 1 << 20);
        for (int window = 16; window < 100; window++) {
            assertThat(scan(new ByteArrayInputStream(file), window))
                    .as("window %d", window)
                    .isEqualTo(whole);
        }
    }

    private static List<String> scan(InputStream file, int window) {
        TrailScanner in = new TrailScanner(file, window);
        List<String> out = new ArrayList<>();
        in.skipByteOrderMark();
        if (in.peek() == '[') {
            in.take();
            list(in, out);
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
    }

    private static void list(TrailScanner in, List<String> out) {
        EventFields e = new EventFields(true, false);
        while (in.nextElement()) {
            in.mark();
            if (in.peek() != '{') {
                in.skipValue();
            } else if (e.read(in)) {
                out.add(shown(e));
            }
        }
    }

    private static String shown(EventFields e) {
        return TokenOracle.join(
                e.isMetadata() ? "M" : "X",
                e.isMetadata() ? 0 : e.category,
                e.hasName(),
                e.nameText(),
                e.ts,
                e.dur,
                e.pid,
                e.tid,
                e.number(EventArgs.DEVICE),
                e.number(EventArgs.STREAM),
                e.number(EventArgs.CORRELATION),
                e.number(EventArgs.EXTERNAL_ID),
                e.number(EventArgs.BYTES),
                e.workItems(),
                e.hasText(EventArgs.DTYPE),
                e.text(EventArgs.DTYPE),
                e.hasText(EventArgs.COLLECTIVE),
                e.text(EventArgs.COLLECTIVE),
                e.text(EventArgs.LABEL));
    }

    private static InputStream trickle(byte[] file, Random random) {
        int most = 1 << random.nextInt(12);
        return new ByteArrayInputStream(file) {
            @Override
            public synchronized int read(byte[] to, int off, int len) {
                return super.read(to, off, Math.min(len, 1 + random.nextInt(most)));
            }
        };
    }
}
