package dev.argus.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.stats.BinnedSample;
import dev.argus.stats.LogBins;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** One by one, in batches, and merged: the same as maps and sorted lists say. */
final class KernelSketchOracleTest {
    private static final int ROOM = 150;

    private record Event(long key, long start, long nanos, long work) {
        int name() {
            return (int) key;
        }

        int stream() {
            return (int) (key >> 32);
        }
    }

    /** What is known of a key: bins with their counts, sum, work, the longest and where they start. */
    private record Known(Map<Integer, Long> bins, long sum, long work, List<Long> longest) {}

    /** Few and many keys, more of them than there is room, on streams whose rows meet; durations of every size. */
    private static List<Event> events(Random random) {
        int names = 1 + random.nextInt(random.nextBoolean() ? 8 : 120);
        int streams = 1 + random.nextInt(3);
        long base = 1L << random.nextInt(40);
        int shape = random.nextInt(4);
        List<Event> events = new ArrayList<>();
        for (int i = random.nextInt(4000); i >= 0; i--) {
            int name = random.nextInt(300) == 0 ? -1 - random.nextInt(2) : random.nextInt(names);
            int stream = random.nextInt(300) == 0 ? -1 : random.nextInt(streams);
            long key = ((long) stream << 32) | (name & 0xFFFFFFFFL);
            long nanos = random.nextInt(100) == 0 ? anything(random) : usual(random, shape, base);
            events.add(new Event(key, random.nextInt(500) - 100, nanos, random.nextInt(1 << 20)));
        }
        return events;
    }

    private static long usual(Random random, int shape, long base) {
        return switch (shape) {
            case 0 -> base; // nothing but ties
            case 1 -> base * (1 + random.nextInt(3)); // a coarse clock
            case 2 -> random.nextInt(300); // on both sides of the shortest that counts the short way
            default -> (long) (base * Math.exp(random.nextGaussian() / 4));
        };
    }

    private static long anything(Random random) {
        long edge = 1L << random.nextInt(63);
        return switch (random.nextInt(8)) {
            case 0 -> -1 - random.nextInt(1000);
            case 1 -> Long.MIN_VALUE + random.nextInt(2);
            case 2 -> Long.MAX_VALUE - random.nextInt(2);
            case 3 -> (1L << 53) + random.nextInt(5) - 2;
            case 4 -> (1L << 54) - 1; // as a double in the next bin
            case 5 -> 0;
            default -> edge + random.nextInt(3) - 1;
        };
    }

    private static Map<Long, Known> oracle(List<Event> events) {
        Map<Long, List<Event>> byKey = new LinkedHashMap<>();
        for (Event e : events) {
            if (counts(e) && (byKey.containsKey(e.key) || byKey.size() < ROOM)) {
                byKey.computeIfAbsent(e.key, k -> new ArrayList<>()).add(e);
            }
        }
        Map<Long, Known> known = new LinkedHashMap<>();
        byKey.forEach((key, own) -> known.put(key, known(own)));
        return known;
    }

    private static boolean counts(Event e) {
        return e.nanos >= 0 && e.name() >= 0;
    }

    private static Known known(List<Event> own) {
        Map<Integer, Long> bins = new TreeMap<>();
        own.forEach(e -> bins.merge(LogBins.bin(e.nanos, BinnedSample.BITS), 1L, Long::sum));
        List<Long> longest = own.stream()
                .sorted(Comparator.comparingLong(Event::nanos).reversed().thenComparingLong(Event::start))
                .limit(OpenKey.TOP)
                .flatMap(e -> List.of(e.nanos, e.start).stream())
                .toList();
        long sum = own.stream().mapToLong(Event::nanos).sum();
        return new Known(bins, sum, own.stream().mapToLong(Event::work).sum(), longest);
    }

    private static Map<Long, Known> read(KernelSketch sketch) {
        Map<Long, Known> known = new LinkedHashMap<>();
        for (int k = 0; k < sketch.keys().size(); k++) {
            OpenKey key = sketch.keys().get(k);
            if (key.tops() == 0) {
                continue; // of a window before
            }
            Map<Integer, Long> bins = new TreeMap<>();
            sketch.read(k, bins::put);
            List<Long> longest = new ArrayList<>();
            for (int i = 0; i < key.tops(); i++) {
                Collections.addAll(longest, key.topNanos(i), key.topStart(i));
            }
            known.put(key.key, new Known(bins, sketch.sum(k), sketch.work(k), longest));
        }
        return known;
    }

    private static long lost(List<Event> events) {
        Map<Long, Known> known = oracle(events);
        return events.stream()
                .filter(e -> !counts(e) || !known.containsKey(e.key))
                .count();
    }

    private static void addInBatches(KernelSketch sketch, List<Event> events, Random random) {
        long[] words = new long[4 * events.size()];
        Arrays.setAll(words, i -> {
            Event e = events.get(i / 4);
            return switch (i % 4) {
                case 0 -> e.start;
                case 1 -> e.nanos;
                case 2 -> e.key;
                default -> e.work;
            };
        });
        for (int from = 0; from < events.size(); ) {
            int to = Math.min(events.size(), from + random.nextInt(400));
            sketch.addAll(words, 4 * from, 4 * to);
            from = to;
        }
    }

    @RepeatedTest(200)
    void oneByOneInBatchesAndMerged(RepetitionInfo info) {
        Random random = new Random(info.getCurrentRepetition());
        KernelSketch one = new KernelSketch(ROOM);
        KernelSketch all = new KernelSketch(ROOM);
        for (int window = 0; window < 3; window++) {
            List<Event> events = events(random);
            Map<Long, Known> expected = oracle(events);
            one.forget();
            events.forEach(e -> one.add(e.name(), e.stream(), e.start, e.nanos, e.work));
            assertThat(read(one)).as("one by one").isEqualTo(expected);
            assertThat(one.lost()).isEqualTo(lost(events));

            all.forget();
            addInBatches(all, events, random);
            assertThat(read(all)).as("in batches").isEqualTo(expected);
            assertThat(all.lost()).isEqualTo(one.lost());

            all.clear(); // the same again, into rows and bins that are there
            addInBatches(all, events, random);
            assertThat(read(all)).as("after clear").isEqualTo(expected);

            int half = events.size() / 2;
            KernelSketch merged = new KernelSketch(ROOM);
            addInBatches(merged, events.subList(0, half), random);
            KernelSketch second = new KernelSketch();
            addInBatches(second, events.subList(half, events.size()), random);
            merged.merge(second);
            assertThat(read(merged)).as("merged").isEqualTo(expected);
            assertThat(merged.lost()).isEqualTo(one.lost());
        }
    }
}
