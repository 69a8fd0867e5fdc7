package dev.argus.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.testkit.WrittenJob.RankFacts;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads the written text with a pattern of its own, so that nothing of the writer checks itself. */
final class KinetoTraceWriterTest {
    private static final Pattern KERNEL = Pattern.compile(
            "\"cat\": \"[Kk]ernel\",\\s+\"name\": \"([^\"]+)\", \"pid\": \\d+, \"tid\": [^,]+,\\s+\"ts\": ([0-9.]+),"
                    + " \"dur\": ([0-9.]+)");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void theSameSeedGivesTheSameBytesOnAnyNumberOfThreads() throws Exception {
        KinetoJob job = KinetoJob.of(4).withHosts(2).withFramesPerStep(50).withSlowRank(1, 1.2, 22);
        WrittenJob one = KinetoTraceWriter.write(folder.resolve("a"), job);
        WrittenJob two;
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            two = KinetoTraceWriter.write(folder.resolve("b"), job, threads);
        }
        WrittenJob other = KinetoTraceWriter.write(folder.resolve("c"), job.withSeed(2));

        for (int rank = 0; rank < 4; rank++) {
            assertThat(two.ranks().get(rank).file())
                    .hasSameBinaryContentAs(one.ranks().get(rank).file());
            assertThat(Files.mismatch(
                            other.ranks().get(rank).file(),
                            one.ranks().get(rank).file()))
                    .isNotNegative();
        }
    }

    @Test
    void theLateRankHasTheShortestCollectivesAndAllEndTogether() throws IOException {
        KinetoJob job = KinetoJob.of(8).withSlowRank(5, 1.3, 21);
        WrittenJob written = KinetoTraceWriter.write(folder, job);
        List<List<Kernel>> ranks = new ArrayList<>();
        for (RankFacts facts : written.ranks()) {
            ranks.add(kernels(facts.file()).stream().filter(Kernel::collective).toList());
        }

        assertThat(ranks).allSatisfy(own -> assertThat(own).hasSize(job.steps() * job.layers()));
        for (int i = 0; i < ranks.getFirst().size(); i++) {
            int at = i;
            List<Kernel> members = ranks.stream().map(own -> own.get(at)).toList();
            Kernel shortest = members.stream()
                    .min(Comparator.comparingLong(Kernel::nanos))
                    .orElseThrow();
            assertThat(members.indexOf(shortest)).isEqualTo(5);
            long firstEnd = members.stream().mapToLong(Kernel::end).min().orElseThrow();
            long lastEnd = members.stream().mapToLong(Kernel::end).max().orElseThrow();
            assertThat(lastEnd - firstEnd).isBetween(0L, 1_500L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"current", "old", "micros", "list", "sharded", "plain"})
    void theFactsAreThoseOfTheFiles(String kind) throws IOException {
        KinetoJob job = job(kind);
        WrittenJob written = KinetoTraceWriter.write(folder, job);

        assertThat(written.ranks()).hasSize(3);
        for (RankFacts facts : written.ranks()) {
            List<Kernel> kernels = kernels(facts.file());
            assertThat(facts.kernels()).isEqualTo(kernels.size()).isEqualTo((long) job.steps() * job.kernelsPerStep());
            assertThat(facts.kernelNanos())
                    .isEqualTo(kernels.stream().mapToLong(Kernel::nanos).sum());
            assertThat(facts.commNanos())
                    .isEqualTo(kernels.stream()
                            .filter(Kernel::collective)
                            .mapToLong(Kernel::nanos)
                            .sum());
            assertThat(facts.busyNanos()).isEqualTo(union(kernels));
            assertThat(facts.rawBytes()).isEqualTo(text(facts.file()).length());
            assertThat(facts.fileBytes()).isEqualTo(Files.size(facts.file()));
            assertThat(facts.steps()).hasSize(job.steps());
        }
    }

    private static KinetoJob job(String kind) {
        KinetoJob job = KinetoJob.of(3).withSteps(7, 3).withLayers(4, 5);
        KinetoDialect current = KinetoDialect.CURRENT;
        return switch (kind) {
            case "old" -> job.withDialect(KinetoDialect.OLD);
            case "micros" -> job.withDialect(current.withIntegerMicros(true));
            case "list" -> job.withDialect(current.withPlainList(true).withGroupArgs(false));
            case "sharded" -> job.withSharded(true);
            case "plain" -> job.withGzip(false);
            default -> job;
        };
    }

    @Test
    void aStallOnOneCpuLengthensItsStepAndTheOthersWaitInTheirCollectives() throws IOException {
        KinetoJob job = KinetoJob.of(4).withSteps(10, 3);
        WrittenJob healthy = KinetoTraceWriter.write(folder.resolve("a"), job);
        WrittenJob stalled = KinetoTraceWriter.write(folder.resolve("b"), job.withStall(2, 11, 200));

        long before = healthy.ranks().get(2).steps().get(1).nanos();
        long after = stalled.ranks().get(2).steps().get(1).nanos();
        assertThat(after - before).isBetween(190_000_000L, 201_000_000L);
        // The pause, and then bucket by bucket the backward pass of the late rank.
        assertThat(commNanosAdded(healthy, stalled, 0)).isBetween(180_000_000L, 225_000_000L);
        assertThat(commNanosAdded(healthy, stalled, 2)).isBetween(-5_000_000L, 5_000_000L);
    }

    private static long commNanosAdded(WrittenJob before, WrittenJob after, int rank) {
        return after.ranks().get(rank).commNanos() - before.ranks().get(rank).commNanos();
    }

    @Test
    void aFileIsFilledUpToItsSize() throws IOException {
        WrittenJob written = KinetoTraceWriter.write(folder, KinetoJob.of(2).withBytesPerFile(3_000_000));

        assertThat(written.ranks())
                .allSatisfy(facts -> assertThat(facts.rawBytes()).isBetween(2_850_000L, 3_150_000L));
        assertThat(text(written.ranks().getFirst().file())).contains("\"python_function\"");
    }

    @Test
    void marksAndGroupsAreLeftOutWhenTheDialectHasNone() throws IOException {
        KinetoDialect bare = KinetoDialect.CURRENT.withStepMarks(false).withGroupArgs(false);
        WrittenJob written = KinetoTraceWriter.write(folder, KinetoJob.of(2).withDialect(bare));

        String text = text(written.ranks().getFirst().file());
        assertThat(text).doesNotContain("ProfilerStep").doesNotContain("Process Group Name");
        assertThat(written.ranks().getFirst().steps()).isEmpty();
    }

    private record Kernel(String name, long start, long nanos) {
        long end() {
            return start + nanos;
        }

        boolean collective() {
            return name.contains("nccl");
        }
    }

    private static List<Kernel> kernels(Path file) throws IOException {
        List<Kernel> found = new ArrayList<>();
        Matcher matcher = KERNEL.matcher(text(file));
        while (matcher.find()) {
            found.add(new Kernel(matcher.group(1), nanos(matcher.group(2)), nanos(matcher.group(3))));
        }
        return found;
    }

    private static long nanos(String micros) {
        return new BigDecimal(micros).movePointRight(3).longValueExact();
    }

    private static String text(Path file) throws IOException {
        InputStream plain = Files.newInputStream(file);
        try (InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(plain) : plain) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The textbook sweep over sorted starts. */
    private static long union(List<Kernel> kernels) {
        List<Kernel> sorted =
                kernels.stream().sorted(Comparator.comparingLong(Kernel::start)).toList();
        long nanos = 0;
        long until = Long.MIN_VALUE;
        for (Kernel kernel : sorted) {
            nanos += Math.max(0, kernel.end() - Math.max(until, kernel.start()));
            until = Math.max(until, kernel.end());
        }
        return nanos;
    }
}
