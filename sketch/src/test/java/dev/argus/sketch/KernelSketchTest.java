package dev.argus.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.DurationSummary;
import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.StreamKernel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class KernelSketchTest {
    private record Event(int name, int stream, long start, long nanos) {}

    private static List<Event> events(Random random) {
        List<Event> events = new ArrayList<>();
        int n = 1 + random.nextInt(600);
        for (int i = 0; i < n; i++) {
            int name = random.nextInt(5);
            long nanos = random.nextInt(30) == 0 ? 1_000_000 : 1000L * random.nextInt(4) + name * 5000L;
            events.add(new Event(name, 7 + random.nextInt(2), random.nextInt(100), nanos));
        }
        return events;
    }

    private static KernelSketch sketch(List<Event> events) {
        KernelSketch sketch = new KernelSketch(64);
        events.forEach(e -> sketch.add(e.name, e.stream, e.start, e.nanos));
        return sketch;
    }

    private static KernelWindow close(KernelSketch sketch) {
        return inOrder(new WindowCloser().close(sketch, 0, 3, 17));
    }

    private static KernelWindow inOrder(KernelWindow window) {
        List<StreamKernel> kernels = new ArrayList<>(window.kernels());
        kernels.sort(Comparator.comparingInt(StreamKernel::name).thenComparingInt(StreamKernel::stream));
        return new KernelWindow(
                window.attempt(), window.rank(), window.window(), kernels, window.extremes(), window.lost());
    }

    private static KernelSketch merged(KernelSketch... parts) {
        KernelSketch all = new KernelSketch(64);
        for (KernelSketch part : parts) {
            all.merge(part);
        }
        return all;
    }

    @RepeatedTest(60)
    void orderAndMergingDoNotMatter(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        List<Event> a = events(random);
        List<Event> b = events(random);
        List<Event> c = events(random);
        List<Event> all = new ArrayList<>(a);
        all.addAll(b);
        all.addAll(c);
        KernelWindow once = close(sketch(all));

        Collections.shuffle(all, random);
        assertThat(close(sketch(all))).as("another order").isEqualTo(once);
        assertThat(close(merged(sketch(a), sketch(b), sketch(c)))).isEqualTo(once);
        assertThat(close(merged(merged(sketch(c), sketch(a)), sketch(b))))
                .as("associative")
                .isEqualTo(once);
        assertThat(close(merged(sketch(b), merged(sketch(a), sketch(c)))))
                .as("commutative")
                .isEqualTo(once);
    }

    @RepeatedTest(30)
    void countAndSumAreExact(RepetitionInfo info) {
        List<Event> events = events(new Random(info.getCurrentRepetition()));
        KernelWindow window = close(sketch(events));
        for (StreamKernel kernel : window.kernels()) {
            List<Event> own = events.stream()
                    .filter(e -> e.name == kernel.name() && e.stream == kernel.stream())
                    .toList();
            assertThat(kernel.durations().count()).isEqualTo(own.size());
            assertThat(kernel.durations().sumNanos())
                    .isEqualTo(own.stream().mapToLong(Event::nanos).sum());
        }
    }

    @Test
    void fewEventsAreKeptAsTheyAre() {
        KernelSketch sketch = new KernelSketch();
        sketch.add(1, 7, 0, 300);
        sketch.add(1, 7, 1, 100_001);
        DurationSummary summary = close(sketch).kernels().getFirst().durations();
        assertThat(summary.form()).isEqualTo(DurationSummary.Form.EVENTS);
        assertThat(summary.events()).containsExactly(300, 100_001);
        assertThat(summary.boundRatio()).isZero();
    }

    @Test
    void oneStallOfTenThousandIsStillThereWithItsTime() {
        KernelSketch sketch = new KernelSketch();
        Random random = new Random(5);
        for (int i = 0; i < 10_000; i++) {
            sketch.add(1, 7, i, i == 6_123 ? 400_000 : 9_900 + random.nextInt(200));
            sketch.add(2, 7, i, 8_000_000 + random.nextInt(100)); // longer, but as always
        }
        assertThat(close(sketch).extremes())
                .hasSize(2)
                .contains(new ExtremeEvent(1, 7, 6_123, 400_000))
                .first()
                .satisfies(longest -> assertThat(longest.name()).isEqualTo(2));
    }

    @Test
    void whatFindsNoRoomIsCounted() {
        KernelSketch sketch = new KernelSketch(2);
        for (int name = 0; name < 5; name++) {
            sketch.add(name, 7, 0, 100);
        }
        sketch.add(0, 7, 0, -1);
        sketch.add(-1, -1, 0, 100); // not a name id
        assertThat(close(sketch).kernels()).hasSize(2);
        assertThat(close(sketch).lost()).isEqualTo(5);
        sketch.clear();
        assertThat(close(sketch).kernels()).isEmpty();
        sketch.forget();
        sketch.add(4, 7, 0, 100);
        assertThat(close(sketch).kernels()).hasSize(1);
    }

    @Test
    void aClearedSketchNeedsNoMoreRoom() {
        List<Event> events = events(new Random(8));
        KernelSketch sketch = sketch(events);
        long before = sketch.footprintBytes();
        KernelWindow first = close(sketch);
        sketch.clear();
        events.forEach(e -> sketch.add(e.name, e.stream, e.start, e.nanos));
        assertThat(sketch.footprintBytes()).isEqualTo(before);
        assertThat(close(sketch)).isEqualTo(first);
    }

    @Test
    void everyDurationHasABin() {
        KernelSketch sketch = new KernelSketch();
        for (int i = 0; i < 20; i++) {
            sketch.add(1, 7, 0, 0);
        }
        sketch.add(1, 7, 0, Long.MAX_VALUE / 2);
        DurationSummary summary = close(sketch).kernels().getFirst().durations();
        assertThat(summary.sumNanos()).isEqualTo(Long.MAX_VALUE / 2);
        assertThat(summary.count()).isEqualTo(21);
    }

    @Test
    void theFootprintIsWhatIsStated() {
        KernelSketch sketch = new KernelSketch();
        for (int name = 0; name < 100; name++) {
            for (int i = 0; i < 1000; i++) {
                sketch.add(name, 7, i, Math.round(1000 * Math.pow(16, i / 1000.0)));
            }
        }
        assertThat(sketch.footprintBytes()).isEqualTo(64 * 1024 + 230 * 100 + 4 * (1 << 16));
    }

    @Test
    void roomIsAtLeastOne() {
        assertThatThrownBy(() -> new KernelSketch(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected 1");
    }
}
