package dev.argus.trace.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.NameTable;
import dev.argus.testkit.PerfettoFile;
import dev.argus.trace.export.TrackPlace.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names, tracks and what else slices refer to: written once, together, and anew where that takes less. */
class PerfettoTablesTest {
    private static final long BASE = 1_700_000_000_000_000_000L;
    private static final int NAMES = 120;

    private final NameTable names = new NameTable();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<String> expected = new ArrayList<>();
    private long at = BASE;

    /** A rank whose slices take turns among names, with a collective at its end; on a stream and a thread. */
    private void rank(PerfettoWriter out, String prefix, int count) throws IOException {
        int process = out.process("rank of " + prefix, 0, List.of());
        TrackPlace stream = new TrackPlace(process, "GPU 0", "stream 7", 0, Kind.LANES);
        TrackPlace thread = new TrackPlace(process, "", "thread 9", 1, Kind.THREAD);
        Slices onStream = new Slices();
        Slices onThread = new Slices();
        int[] uses = new int[2048];
        for (int i = 0; i < count; i++) {
            String name = prefix + i % NAMES;
            boolean last = i == count - 1;
            SliceDetail detail = last ? new SliceDetail(0, "ALL_REDUCE", "group of " + prefix, i, -1) : null;
            Slices to = i % 10 == 0 ? onThread : onStream;
            to.add(at, 700, names.id(name), detail);
            uses[names.id(name)]++;
            expected.add(
                    (i % 10 == 0 ? "thread 9 " : "stream 7 ") + name + " " + at + (last ? " group of " + prefix : ""));
            at += 1_000;
        }
        out.announce(uses, List.of(stream, thread));
        assertThat(out.slices(stream, onStream) + out.slices(thread, onThread)).isZero();
    }

    private PerfettoFile file() {
        PerfettoFile file = PerfettoFile.of(bytes.toByteArray());
        assertThat(file.errors).isEmpty();
        assertThat(file.slices.stream()
                        .map(s -> s.track() + " " + s.name() + " " + s.start()
                                + (s.details().isEmpty()
                                        ? ""
                                        : " " + s.details().get("group"))))
                .containsExactlyInAnyOrderElementsOf(expected);
        return file;
    }

    @ParameterizedTest
    @CsvSource({"false, 120", "false, 4800", "true, 4800"})
    void everyRankKeepsItsNamesWhicheverCameBefore(boolean compressed, int count) throws IOException {
        try (PerfettoWriter out = new PerfettoWriter(bytes, names, BASE, compressed)) {
            for (String prefix : new String[] {"one ", "two ", "one ", "three ", "two "}) {
                rank(out, prefix, count);
            }
        }
        assertThat(file().processes).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource({"40, 0", "4800, 1"})
    void shortIdsGoToOtherNamesWhereThatPays(int count, int forgotten) throws IOException {
        try (PerfettoWriter out = new PerfettoWriter(bytes, names, BASE, false)) {
            rank(out, "one ", 4_800);
            rank(out, "one ", 4_800);
            rank(out, "two ", count);
        }
        assertThat(file().forgotten).isEqualTo(forgotten);
    }

    @Test
    void tablesOfRanksStandTogetherWhileTheirEventsAreHeldBack() throws IOException {
        try (PerfettoWriter out = new PerfettoWriter(bytes, names, BASE, false)) {
            rank(out, "one ", 4_800);
            assertThat(bytes.size()).isZero();
            rank(out, "two ", 40);
            rank(out, "one ", 40);
        }
        assertThat(file().packs).isEqualTo(1);
    }

    @Test
    void atMostAMebibyteIsHeldBack() throws IOException {
        int before;
        try (PerfettoWriter out = new PerfettoWriter(bytes, names, BASE, false)) {
            for (int i = 0; i < 12; i++) {
                rank(out, "one ", 9_600);
                assertThat(out.written()).isEqualTo(bytes.size());
            }
            before = bytes.size();
        }
        assertThat(bytes.size()).isGreaterThan(2 << 20);
        assertThat(bytes.size() - before).isLessThan((1 << 20) + (128 << 10));
        assertThat(file().packs).isBetween(2, 4);
    }
}
