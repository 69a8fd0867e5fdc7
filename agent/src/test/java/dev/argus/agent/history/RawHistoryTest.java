package dev.argus.agent.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import dev.argus.model.TraceHeader;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawHistoryTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long EPOCH = 1_800_000_000L * SECOND;

    @TempDir
    Path folder;

    private final NameTable names = new NameTable();

    private static TraceHeader header(int rank) {
        return new TraceHeader(
                rank,
                2,
                "n1",
                "gloo",
                List.of(new ProcessGroup("0", "default_pg", 2, RankSet.range(0, 1), true)),
                "",
                -1,
                "j");
    }

    /** Events as text, with names instead of ids. */
    private static final class Said implements TraceEventSink {
        final List<String> all = new ArrayList<>();
        private final NameTable names;

        Said(NameTable names) {
            this.names = names;
        }

        private String call(@Nullable CollectiveCall c) {
            return c == null
                    ? "-"
                    : c.op() + " " + (c.group() < 0 ? "-" : names.name(c.group())) + " " + c.sequence() + " "
                            + c.bytes() + " " + c.peer() + " " + c.groupSize() + " "
                            + (c.members() < 0 ? "-" : names.name(c.members()));
        }

        @Override
        public void gpu(GpuEvent e) {
            all.add("gpu " + e.activity() + " " + names.name(e.name()) + " " + e.device() + " " + e.stream() + " "
                    + e.startNanos() + " " + e.durationNanos() + " " + e.correlation() + " " + e.workItems() + " "
                    + e.bytes() + " " + e.direction() + " " + call(e.collective()));
        }

        @Override
        public void launch(LaunchEvent e) {
            all.add("launch " + names.name(e.name()) + " " + e.correlation() + " " + e.externalId() + " " + e.thread()
                    + " " + e.startNanos() + " " + e.durationNanos());
        }

        @Override
        public void span(CpuSpan e) {
            all.add("span " + e.kind() + " " + names.name(e.name()) + " " + e.process() + " " + e.thread() + " "
                    + e.startNanos() + " " + e.durationNanos() + " " + e.externalId() + " " + call(e.collective()));
        }

        @Override
        public void step(StepMark m) {
            all.add("step " + m);
        }

        @Override
        public void quarantine(String reason) {}
    }

    private void events(TraceEventSink to, long from) {
        CollectiveCall call =
                new CollectiveCall(CollectiveOp.ALL_REDUCE, names.id("0"), 17, 1 << 20, -1, 2, names.id("[0, 1]"));
        to.step(new StepMark(-3, from, SECOND, true));
        to.gpu(new GpuEvent(
                GpuActivity.KERNEL,
                names.id("gemm"),
                0,
                -1,
                from + 5,
                7,
                0xFFFFFFFFL,
                1 << 20,
                0,
                CopyDirection.NONE,
                call));
        to.gpu(new GpuEvent(
                GpuActivity.MEMCPY,
                names.id("Memcpy HtoD"),
                7,
                3,
                from - 5,
                0,
                0,
                0,
                Long.MAX_VALUE,
                CopyDirection.HOST_TO_DEVICE,
                null));
        to.launch(new LaunchEvent(names.id("cudaLaunchKernel"), 1, 2, 3, from + 1, 2));
        to.span(new CpuSpan(SpanKind.SCHEDULER, names.id("argus: waiting for a CPU"), 1, 2, from, 3, 4, null));
        to.span(new CpuSpan(
                SpanKind.ANNOTATION,
                names.id("gloo:all_reduce"),
                1,
                2,
                from,
                3,
                4,
                new CollectiveCall(CollectiveOp.UNKNOWN, -1, -1, -1, 5, -1, -1)));
    }

    private static List<String> read(RawHistory history, NameTable table) throws IOException {
        Said said = new Said(table);
        for (RawHistory.Part p : history.parts(null, RankSet.EMPTY, 0, Long.MAX_VALUE)) {
            HistoryFile.read(p.path(), p.bytes(), body -> {
                if (body.readByte() == EventBlock.TYPE) {
                    new EventBlockReader(body).read(table, said);
                }
            });
        }
        return said.all;
    }

    @Test
    void whatIsKeptIsWhatCame() throws IOException {
        Said expected = new Said(names);
        events(expected, EPOCH);
        try (RawHistory history = RawHistory.open(folder, RawHistory.LEAST_BYTES, names)) {
            events(history.rank("j", 0, 0, () -> header(0)), EPOCH);
            assertThat(read(history, new NameTable())).isEqualTo(expected.all);
        }
        NameTable others = new NameTable();
        others.id("another first name");
        try (RawHistory next = RawHistory.open(folder, RawHistory.LEAST_BYTES, others)) {
            assertThat(read(next, others)).as("the next process has it, too").isEqualTo(expected.all);
            assertThat(next.ranks("j")).isEqualTo(RankSet.of(0));
            assertThat(next.oldestNanos()).isEqualTo(EPOCH - 5);
        }
    }

    @Test
    void aTornEndCostsItsBlock() throws IOException {
        try (RawHistory history = RawHistory.open(folder, RawHistory.LEAST_BYTES, names)) {
            TraceEventSink rank = history.rank("j", 0, 0, () -> header(0));
            events(rank, EPOCH);
            history.flush();
            events(rank, EPOCH + SECOND);
        }
        Path file = file();
        byte[] whole = Files.readAllBytes(file);
        for (int cut = 1; cut < 60; cut += 7) {
            Files.write(file, Arrays.copyOf(whole, whole.length - cut));
            try (RawHistory next = RawHistory.open(folder, RawHistory.LEAST_BYTES, names)) {
                assertThat(read(next, new NameTable())).hasSize(6);
            }
        }
    }

    private Path file() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(p -> p.toString().endsWith(".events")).findFirst().orElseThrow();
        }
    }

    @Test
    void theOldestGoesWhenThereIsNoRoom() throws IOException {
        try (RawHistory history = RawHistory.open(folder, RawHistory.LEAST_BYTES, names)) {
            TraceEventSink[] ranks = new TraceEventSink[4];
            for (int r = 0; r < ranks.length; r++) {
                int rank = r;
                ranks[r] = history.rank("j", 0, r, () -> header(rank));
            }
            for (int i = 0; i < 120_000; i++) {
                long now = EPOCH + i * 10_000_000L;
                ranks[i % 4].span(
                        new CpuSpan(SpanKind.OPERATOR, names.id("op " + i % 50), 1, 2, now, 3_000_000, i, null));
                ranks[i % 4].step(new StepMark(i, now, 5_000_000, false));
                history.tick(now);
                assertThat(history.bytes()).isLessThanOrEqualTo(RawHistory.LEAST_BYTES);
            }
            long onDisk;
            try (Stream<Path> all = Files.list(folder)) {
                onDisk = all.mapToLong(p -> p.toFile().length()).sum();
            }
            assertThat(onDisk).isEqualTo(history.bytes()).isGreaterThan(RawHistory.LEAST_BYTES * 3 / 4);
            long end = EPOCH + 120_000 * 10_000_000L;
            assertThat(history.oldestNanos()).isBetween(EPOCH + 50 * SECOND, end - 50 * SECOND);
            assertThat(history.parts("j", RankSet.of(2), end - SECOND, end)).isNotEmpty();
            assertThat(history.parts("other", RankSet.EMPTY, 0, Long.MAX_VALUE)).isEmpty();
            assertThat(history.parts("j", RankSet.EMPTY, EPOCH, EPOCH + SECOND)).isEmpty();
        }
    }

    @Test
    void aFolderHasOneOwnerAndOtherFilesStay() throws IOException {
        Files.writeString(folder.resolve("letter"), "mine");
        Files.writeString(folder.resolve("0000000000000003.events"), "no history");
        try (RawHistory history = RawHistory.open(folder, RawHistory.LEAST_BYTES, names)) {
            assertThat(history.bytes()).isZero();
            assertThatThrownBy(() -> RawHistory.open(folder, RawHistory.LEAST_BYTES, names))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("used by another process");
        }
        assertThat(folder.resolve("letter")).exists();
        assertThat(folder.resolve("0000000000000003.events")).doesNotExist();
    }

    @Test
    void aFolderThatTakesNothingIsSaidOnce() throws IOException {
        try (RawHistory history = RawHistory.open(folder, RawHistory.LEAST_BYTES, names)) {
            TraceEventSink rank = history.rank("j", 0, 0, () -> header(0));
            // stands in the way of the file that would come
            Files.createDirectory(folder.resolve("0000000000000000.events"));
            events(rank, EPOCH);
            history.flush();
            events(rank, EPOCH);
            history.flush();
            assertThat(history.problems()).hasSize(1).first().asString().contains("gap");
            assertThat(history.lostBlocks()).isEqualTo(2);
            history.tick(EPOCH + 100 * SECOND);
            events(rank, EPOCH + 100 * SECOND);
            history.flush();
            assertThat(read(history, new NameTable())).as("it is tried again").hasSize(6);
        }
    }

    @Test
    void damagedBlocksAreRefusedWithAReason() throws IOException {
        EventBlock block = new EventBlock(names);
        events(block, EPOCH);
        byte[] whole = block.take();
        Random random = new Random(9);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = whole.clone();
            for (int k = random.nextInt(4); k >= 0; k--) {
                bytes[1 + random.nextInt(bytes.length - 1)] = (byte) random.nextInt();
            }
            WireReader in =
                    new WireReader(random.nextBoolean() ? bytes : Arrays.copyOf(bytes, random.nextInt(bytes.length)));
            try {
                in.readByte();
                NameTable table = new NameTable();
                new EventBlockReader(in).read(table, new Said(table));
            } catch (WireException refused) {
                assertThat(refused).hasMessageMatching("(?s).+");
            }
        }
        byte[] about = HistoryAbout.of("j", 1, 0, header(0)).encode();
        for (int cut = 1; cut < about.length; cut++) {
            byte[] bytes = Arrays.copyOf(about, cut);
            assertThatThrownBy(() -> {
                        WireReader in = new WireReader(bytes);
                        in.readByte();
                        HistoryAbout.decode(in);
                    })
                    .isInstanceOf(WireException.class);
        }
    }

    @Test
    void anExcerptHasTheRanksAndTheTime() throws IOException, ExecutionException, InterruptedException {
        try (RawHistory history = RawHistory.open(folder, RawHistory.LEAST_BYTES, names);
                Excerpts excerpts = new Excerpts(history)) {
            for (int r = 0; r < 4; r++) {
                int rank = r;
                TraceEventSink to = history.rank("j", 0, r, () -> header(rank));
                for (int i = 0; i < 100; i++) {
                    to.step(new StepMark(i, EPOCH + i * SECOND, SECOND, false));
                    to.span(new CpuSpan(
                            SpanKind.ANNOTATION, names.id("forward"), 1, 2, EPOCH + i * SECOND, 1000, 0, null));
                }
            }
            Path out = folder.resolve(Excerpts.fileName("incident/1:a"));
            assertThat(out.getFileName()).hasToString("argus-incident_1_a.pftrace");
            Excerpts.Written written = excerpts.write(new Excerpts.Wish(
                            out, "j", 0, RankSet.of(1, 3), EPOCH + 50 * SECOND, EPOCH + 59 * SECOND, List.of()))
                    .get();
            assertThat(written.problem()).isEmpty();
            assertThat(written.ranks()).isEqualTo(RankSet.of(1, 3));
            assertThat(written.slices()).isEqualTo(2 * 2 * 9);
            assertThat(Files.size(out)).isEqualTo(written.bytes());
            Excerpts.Written nothing = excerpts.write(
                            new Excerpts.Wish(out, "j", 7, RankSet.EMPTY, 0, Long.MAX_VALUE / 4, List.of()))
                    .get();
            assertThat(nothing.problem()).contains("nothing of these ranks");
            Excerpts.Written nowhere = excerpts.write(new Excerpts.Wish(
                            folder.resolve("no/such/folder/x"),
                            "j",
                            0,
                            RankSet.EMPTY,
                            EPOCH,
                            EPOCH + SECOND,
                            List.of()))
                    .get();
            assertThat(nowhere.problem()).contains("cannot be written");
        }
    }

    @Test
    void theAnswerToACommandComesBackAsItWas() {
        ExcerptNote note = new ExcerptNote(7, -1, 5, 6, 8, 9, "/x/y.pftrace", "", RankSet.of(0, 5, 6));
        assertThat(ExcerptNote.of(note.record())).isEqualTo(note);
    }

    @Test
    void aFileGrowsByWholeBlocksOnly() throws IOException {
        Path path = folder.resolve("a.events");
        HistoryFile file = HistoryFile.create(path, HistoryAbout.of("j", 0, 0, header(0)));
        file.close();
        Files.write(path, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        HistoryFile found = HistoryFile.recover(path);
        assertThat(found).isNotNull();
        assertThat(found.about).isEqualTo(HistoryAbout.of("j", 0, 0, header(0)));
    }
}
