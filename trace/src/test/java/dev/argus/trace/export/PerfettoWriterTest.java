package dev.argus.trace.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.NameTable;
import dev.argus.testkit.PerfettoFile;
import dev.argus.trace.export.TrackPlace.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerfettoWriterTest {
    private static final long BASE = 1_700_000_000_000_000_000L;

    private final NameTable names = new NameTable();

    /** Writes a process. */
    private interface Content {
        void into(Timeline out, int process) throws IOException;
    }

    private PerfettoFile written(boolean compressed, Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PerfettoWriter out = new PerfettoWriter(bytes, names, BASE, compressed)) {
            content.into(out, out.process("rank 0000", 10, List.of("host0")));
        }
        PerfettoFile file = PerfettoFile.of(bytes.toByteArray());
        assertThat(file.errors).isEmpty();
        return file;
    }

    private Slices slices(long[][] intervals) {
        Slices slices = new Slices();
        for (int i = 0; i < intervals.length; i++) {
            slices.add(BASE + intervals[i][0], intervals[i][1], names.id("slice " + i), null);
        }
        return slices;
    }

    private static TrackPlace stream(int process) {
        return new TrackPlace(process, "GPU 0", "stream 7", 0, Kind.LANES);
    }

    private void survives(Kind kind, boolean compressed, long[]... intervals) throws IOException {
        PerfettoFile file = written(
                compressed,
                (out, process) -> assertThat(
                                out.slices(new TrackPlace(process, "", "track", 0, kind), slices(intervals)))
                        .isZero());
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < intervals.length; i++) {
            expected.add("track slice " + i + " " + (BASE + intervals[i][0]) + " " + intervals[i][1]);
        }
        assertThat(file.slices.stream().map(s -> s.track() + " " + s.name() + " " + s.start() + " " + s.duration()))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void overlappingSlicesKeepTheirTimes(boolean compressed) throws IOException {
        survives(Kind.LANES, compressed, new long[] {3000, 3776}, new long[] {5000, 2000});
        survives(Kind.LANES, compressed, new long[] {100, 200}, new long[] {200, 200}, new long[] {250, 300});
        survives(Kind.THREAD, compressed, new long[] {100, 200}, new long[] {200, 200}, new long[] {250, 10});
    }

    @Test
    void slicesThatTouchOrAreEqualOrHaveNoLengthKeepTheirTimes() throws IOException {
        survives(Kind.LANES, false, new long[] {1, 4}, new long[] {5, 0}, new long[] {5, 3}, new long[] {8, 0});
        survives(Kind.LANES, false, new long[] {5, 0}, new long[] {5, 0}, new long[] {5, 7}, new long[] {5, 7});
        survives(Kind.LANES, false, new long[] {12, 0}, new long[] {5, 7}, new long[] {5, 2}, new long[] {10, 2});
        survives(Kind.THREAD, false, new long[] {0, 0});
    }

    @Test
    void slicesOutOfOrderAndBeforeTheBaseKeepTheirTimes() throws IOException {
        survives(
                Kind.LANES,
                false,
                new long[] {900, 10},
                new long[] {-5_000_000_000L, 3},
                new long[] {20, 2000},
                new long[] {86_400_000_000_000L, 86_400_000_000_000L},
                new long[] {1, 1});
    }

    @Test
    void timesInWholeMicrosecondsAreExactAmongOthersAndCostLess() throws IOException {
        PerfettoFile file = written(false, (out, process) -> {
            int counter = out.track(new TrackPlace(process, "", "step time", 1, Kind.NANOS));
            out.slices(stream(process), slices(new long[][] {{-7_000, 5_000}, {3_000, 0}, {9_000, 1_000_000}}));
            out.counter(counter, BASE + 5, 1);
            out.counter(counter, BASE + 6_000, 2);
            TrackPlace other = new TrackPlace(process, "GPU 0", "stream 8", 1, Kind.LANES);
            out.slices(other, slices(new long[][] {{1, 2_000}, {4_000, 1_000}}));
            out.slices(new TrackPlace(process, "GPU 0", "stream 9", 2, Kind.LANES), slices(new long[][] {{0, 1_000}}));
        });
        assertThat(file.slices.stream().map(s -> s.start() - BASE + " " + s.duration()))
                .containsExactlyInAnyOrder("-7000 5000", "3000 0", "9000 1000000", "1 2000", "4000 1000", "0 1000");
        assertThat(file.counts.stream().map(c -> c.time() - BASE)).containsExactly(5L, 6_000L);
        assertThat(bytesASlice(1_000)).isLessThan(bytesASlice(1_001) - 1.5);
    }

    /** Slices of 40 units with 5 between them. */
    private double bytesASlice(long unit) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PerfettoWriter out = new PerfettoWriter(bytes, names, BASE, false)) {
            Slices slices = new Slices();
            for (int i = 0; i < 10_000; i++) {
                slices.add(BASE + 45L * i * unit, 40 * unit, names.id("kernel"), null);
            }
            out.slices(stream(out.process("rank 0000", 0, List.of())), slices);
        }
        return bytes.size() / 10_000.0;
    }

    @Test
    void longNamesOfFewSlicesAreDeflatedWhileTheSlicesArePlain() throws IOException {
        Slices slices = new Slices();
        for (int i = 0; i < 1_000; i++) {
            String name = "void cutlass::Kernel<" + "Shape<128, 64, 32>, ".repeat(10) + i % 50 + ">(Params)";
            slices.add(BASE + 20_001L * i, 15_003, names.id(name), null);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PerfettoWriter out = new PerfettoWriter(bytes, names, BASE, false)) {
            out.slices(stream(out.process("rank 0000", 0, List.of())), slices);
        }
        assertThat(bytes.size() / 1_000.0).isLessThan(26);
        PerfettoFile file = PerfettoFile.of(bytes.toByteArray());
        assertThat(file.errors).isEmpty();
        assertThat(file.slices).hasSize(1_000);
        assertThat(file.slices.get(49).name()).endsWith("49>(Params)");
    }

    @Test
    void anyIntervalsSurvive() throws IOException {
        Random random = new Random(5);
        for (int round = 0; round < 50; round++) {
            long[][] intervals = new long[1 + random.nextInt(60)][];
            long span = 1L + random.nextInt(200);
            for (int i = 0; i < intervals.length; i++) {
                intervals[i] = new long[] {(long) (random.nextDouble() * span), random.nextInt(12)};
            }
            survives(round % 2 == 0 ? Kind.LANES : Kind.THREAD, round % 3 == 0, intervals);
        }
    }

    @Test
    void whatFindsNoLaneIsCounted() throws IOException {
        Slices slices = new Slices();
        for (int i = 0; i < Slices.MAX_LANES + 3; i++) {
            slices.add(BASE + i, 1_000_000L + i, names.id("x"), null);
        }
        PerfettoFile file = written(
                false,
                (out, process) ->
                        assertThat(out.slices(stream(process), slices)).isEqualTo(3));
        assertThat(file.slices).hasSize(Slices.MAX_LANES);
    }

    @Test
    void nestingBeyondTheBoundTakesAnotherLane() throws IOException {
        long[][] intervals = new long[2 * Slices.MAX_DEPTH + 5][];
        for (int i = 0; i < intervals.length; i++) {
            intervals[i] = new long[] {i, 2000L - 2L * i};
        }
        survives(Kind.THREAD, false, intervals);
    }

    @Test
    void namesAreExactWhateverTheyHold() throws IOException {
        List<String> hostile = List.of(
                "",
                "\u001b[31mred\u0000\n",
                "</script><script>alert(1)</script>",
                "\u202eevil",
                "日本語 😀",
                "x".repeat(100_000));
        PerfettoFile file = written(true, (out, process) -> {
            Slices slices = new Slices();
            for (int i = 0; i < hostile.size(); i++) {
                slices.add(
                        BASE + 10L * i,
                        5,
                        names.id(hostile.get(i)),
                        new SliceDetail(0, "ALL_REDUCE", hostile.get(i), -1, -1));
            }
            out.slices(new TrackPlace(process, hostile.get(1), hostile.get(2), 0, Kind.LANES), slices);
            out.process(hostile.get(3), 11, List.of(hostile.get(4)));
        });
        assertThat(file.slices.stream().map(PerfettoFile.Slice::name)).containsExactlyElementsOf(hostile);
        assertThat(file.slices.getLast().details()).containsEntry("group", hostile.getLast());
        assertThat(file.slices.getFirst().group()).isEqualTo(hostile.get(1));
        assertThat(file.slices.getFirst().track()).isEqualTo(hostile.get(2));
        assertThat(file.processes.values().stream().map(PerfettoFile.Owner::name))
                .contains(hostile.get(3));
    }

    @Test
    void flowsDetailsNumbersMomentsAndStacksArrive() throws IOException {
        PerfettoFile file = written(true, (out, process) -> {
            out.about("argus.clock", "host");
            Slices slices = slices(new long[][] {{1, 2}});
            slices.add(BASE + 5, 2, names.id("nccl"), new SliceDetail(-7, "ALL_GATHER", "12", 4000, 1L << 40));
            out.slices(stream(process), slices);
            int counter = out.track(new TrackPlace(process, "", "clock", 0, Kind.VALUES));
            out.counter(counter, BASE + 3, 1980);
            out.counter(counter, BASE + 4, 0.25);
            int marks = out.track(new TrackPlace(-1, "", "incidents", 0, Kind.INSTANTS));
            out.instant(marks, BASE + 9, "slow", Map.of("ranks", "3"), List.of("main", "wait (a.py:7)"));
        });
        assertThat(file.about).containsEntry("argus.clock", "host");
        PerfettoFile.Slice call = file.slices.getLast();
        assertThat(call.flows()).containsExactly(-7L);
        assertThat(call.details())
                .isEqualTo(Map.of("op", "ALL_GATHER", "group", "12", "sequence", "4000", "bytes", "1099511627776"));
        assertThat(file.counts)
                .containsExactly(
                        new PerfettoFile.Count("rank 0000", "clock", BASE + 3, 1980),
                        new PerfettoFile.Count("rank 0000", "clock", BASE + 4, 0.25));
        assertThat(file.instants)
                .containsExactly(new PerfettoFile.Instant(
                        "", "incidents", BASE + 9, "slow", Map.of("ranks", "3"), List.of("main", "wait (a.py:7)")));
    }

    @Test
    void anEmptyFileIsATrace() throws IOException {
        PerfettoFile file = written(
                false,
                (out, process) ->
                        assertThat(out.slices(stream(process), new Slices())).isZero());
        assertThat(file.slices).isEmpty();
        assertThat(file.processes).hasSize(1);
    }

    @Test
    void aSliceCostsAtMost26BytesAndNinePacked() throws IOException {
        Random random = new Random(7);
        for (boolean compressed : new boolean[] {false, true}) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (PerfettoWriter out = new PerfettoWriter(bytes, names, BASE, compressed)) {
                Slices slices = new Slices();
                long at = BASE;
                for (int i = 0; i < 50_000; i++) {
                    long duration = 2_000 + (long) (Math.exp(random.nextGaussian()) * 20_000);
                    slices.add(at, duration, names.id("kernel " + "k".repeat(100) + random.nextInt(200)), null);
                    at += duration + 500L + random.nextInt(2000);
                }
                out.slices(stream(out.process("rank 0000", 0, List.of())), slices);
            }
            assertThat(bytes.size() / 50_000.0).isLessThanOrEqualTo(compressed ? 9 : 26);
        }
    }
}
