package dev.argus.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CpuSpan;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The indexes over time, against bits and loops. */
class IntervalsTest {
    private static CpuSpan span(int name, long start, long duration) {
        return new CpuSpan(SpanKind.ANNOTATION, name, 1, 1, start, duration, 0, null);
    }

    private static List<CpuSpan> spans(Random random, int n) {
        List<CpuSpan> spans = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            spans.add(span(i, random.nextInt(900), random.nextInt(1 + random.nextInt(200))));
        }
        return spans;
    }

    @RepeatedTest(200)
    void unionsAreExact(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        List<CpuSpan> spans = spans(random, random.nextInt(200));
        spans.sort(Comparator.comparingLong(CpuSpan::startNanos));
        Intervals union = new Intervals();
        BitSet bits = new BitSet();
        for (CpuSpan s : spans) {
            union.add(s.startNanos(), s.endNanos());
            bits.set((int) s.startNanos(), (int) s.endNanos());
        }
        assertThat(union.total()).isEqualTo(bits.cardinality());
        for (int i = 0; i < 50; i++) {
            int from = random.nextInt(1_200);
            int to = random.nextInt(1_200);
            int expected = to <= from ? 0 : bits.get(from, to).cardinality();
            assertThat(union.covered(from, to)).as("%d to %d", from, to).isEqualTo(expected);
        }
        for (int i = 1; i < union.size(); i++) {
            assertThat(union.start(i)).isGreaterThan(union.end(i - 1));
        }
    }

    @Test
    void manyIntervalsGrowTheIndex() {
        Intervals union = new Intervals();
        for (int i = 0; i < 1_000; i++) {
            union.add(10L * i, 10L * i + 4);
        }
        assertThat(union.size()).isEqualTo(1_000);
        assertThat(union.covered(2, 9_998)).isEqualTo(2 + 998 * 4 + 4);
    }

    @RepeatedTest(200)
    void theShortestSpanThatContainsOrCovers(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        List<CpuSpan> spans = spans(random, random.nextInt(40));
        SpanIndex index = new SpanIndex(spans, s -> s.name() % 3 != 0);
        for (int i = 0; i < 50; i++) {
            long from = random.nextInt(1_100);
            long to = from + 1 + random.nextInt(100);
            CpuSpan containing = null;
            CpuSpan covering = null;
            for (CpuSpan s : spans) {
                long overlap = Math.min(to, s.endNanos()) - Math.max(from, s.startNanos());
                boolean wanted = s.name() % 3 != 0;
                if (wanted && s.startNanos() <= from && from < s.endNanos() && shorter(s, containing)) {
                    containing = s;
                }
                if (wanted && overlap >= 0.6 * (to - from) && shorter(s, covering)) {
                    covering = s;
                }
            }
            assertThat(length(index.containing(from))).isEqualTo(length(containing));
            assertThat(length(index.cover(from, to))).isEqualTo(length(covering));
        }
    }

    private static boolean shorter(CpuSpan s, @Nullable CpuSpan than) {
        return than == null || s.durationNanos() < than.durationNanos();
    }

    private static long length(@Nullable CpuSpan s) {
        return s == null ? -1 : s.durationNanos();
    }

    @RepeatedTest(100)
    void theStepOfATime(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        long[] starts = random.longs(1 + random.nextInt(12), 10, 900)
                .distinct()
                .sorted()
                .toArray();
        List<StepMark> marks = new ArrayList<>();
        for (int i = 0; i < starts.length; i++) {
            marks.add(random.nextInt(i + 1), new StepMark(i, starts[i], 30, false));
        }
        StepClock clock = StepClock.of(marks);
        long end = starts[starts.length - 1] + 30;
        for (long time = 0; time < 1_000; time++) {
            long at = time;
            int expected = time >= end
                    ? -1
                    : (int) Arrays.stream(starts).filter(s -> s <= at).count() - 1;
            assertThat(clock.at(time)).as("time %d", time).isEqualTo(expected);
        }
    }

    @RepeatedTest(100)
    void theFirstLaunchOfACorrelationCounts(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        NameTable names = new NameTable();
        int call = names.id("cudaLaunchKernel");
        EventStore store = new EventStore(new NameKinds(names));
        long[] first = new long[60];
        Arrays.fill(first, LaunchIndex.UNKNOWN);
        for (int i = random.nextInt(80); i > 0; i--) {
            int correlation = random.nextInt(60);
            long start = 1_000L - i;
            store.launch(new LaunchEvent(call, correlation, 0, 1, start, 1));
            first[correlation] =
                    correlation > 0 && first[correlation] == LaunchIndex.UNKNOWN ? start : first[correlation];
        }
        LaunchIndex index = new LaunchIndex(store);
        for (int correlation = 0; correlation < 60; correlation++) {
            assertThat(index.start(correlation)).isEqualTo(first[correlation]);
        }
    }
}
