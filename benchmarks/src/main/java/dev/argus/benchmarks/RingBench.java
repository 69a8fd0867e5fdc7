package dev.argus.benchmarks;

import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.StreamKernel;
import dev.argus.ring.KernelFeed;
import dev.argus.ring.RingClock;
import dev.argus.ring.RingHeader;
import dev.argus.ring.RingLayout;
import dev.argus.ring.RingReader;
import dev.argus.ring.RingWriter;
import dev.argus.sketch.KernelSketch;
import dev.argus.sketch.WindowCloser;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * How fast records of a ring become closed summaries, on one thread: checked, decoded, placed on the clock, sketched; beside a scan that only
 * reads the same bytes, and a copy of them. And what a record costs its writer.
 */
final class RingBench implements Bench {
    private static final String RING = "ring";
    private static final String SCAN = "scan";
    private static final String COPY = "copy";
    private static final String WRITE = "write";
    private static final String FULL = "full";
    private static final long SEED = 17;
    private static final int SMALL = 1 << 14;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;

    private final long capacity;
    private final long warmUpNanos;

    RingBench() {
        this(1L << 23, 2_000_000_000L);
    }

    RingBench(long capacity, long warmUpNanos) {
        this.capacity = capacity;
        this.warmUpNanos = warmUpNanos;
    }

    @Override
    public String name() {
        return "ring";
    }

    @Override
    public String about() {
        return "records of a ring to closed summaries, beside a scan and a copy; what a record costs its writer";
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException {
        long size = request.full() ? 2 * capacity : capacity;
        long count = size - EventRecords.KEYS - 1; // one definition each, and a clock
        request.progress().accept("writing a ring of " + count + " kernels");
        EventRecords events = new EventRecords(count, SEED);
        try (Scratch scratch = Scratch.inMemory();
                Arena arena = Arena.ofShared()) {
            Path folder = scratch.path("rings");
            Path path = fill(folder, size, events);
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    Small small = new Small(folder, arena, events)) {
                MemorySegment file = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
                MemorySegment copy = arena.allocate(file.byteSize(), Long.BYTES);
                KernelSketch sketch = new KernelSketch();
                NameTable names = new NameTable();
                Rounds rounds = new Rounds(warmUpNanos, Rounds.threadClock())
                        .add(SCAN, () -> scan(file))
                        .add(COPY, () -> copy(file, copy))
                        .add(RING, () -> summarise(path, file, names, sketch, count))
                        .add(WRITE, small::write)
                        .add(FULL, small::drop);
                request.progress().accept("timing");
                rounds.run(11);
                return figures(rounds, count, file.byteSize());
            }
        }
    }

    private static RingHeader header(long capacity, int process) {
        return new RingHeader(0, RingHeader.SIMULATED, capacity, 1, process, RingHeader.MONOTONIC, 1, 0, 0, 1, 0);
    }

    private static Path fill(Path folder, long size, EventRecords events) throws IOException {
        try (RingWriter writer = RingWriter.create(folder, header(size, 1))) {
            int[] names = names(writer);
            writer.clock(1, 1, 1);
            events.each(0, events.count(), (key, stream, start, nanos) -> {
                writer.kernel(0, 0, names[key], start, nanos, stream, (int) start, 1 << 20);
            });
            if (writer.published() != size) {
                throw new IllegalStateException(writer.published() + " records in a ring of " + size);
            }
            return writer.path();
        }
    }

    private static int[] names(RingWriter writer) {
        int[] names = new int[EventRecords.KEYS];
        for (int key = 0; key < names.length; key++) {
            names[key] = writer.name("kernel<" + key + ">");
        }
        return names;
    }

    private static long scan(MemorySegment file) {
        long a = 0;
        long b = 0;
        long c = 0;
        long d = 0;
        long end = file.byteSize();
        for (long at = RingLayout.HEADER_BYTES; at < end; at += RingLayout.RECORD_BYTES) {
            a += file.get(WORD, at);
            b += file.get(WORD, at + 8);
            c += file.get(WORD, at + 16);
            d += file.get(WORD, at + 24);
        }
        return a + b + c + d;
    }

    private static long copy(MemorySegment file, MemorySegment to) {
        long bytes = file.byteSize() - RingLayout.HEADER_BYTES;
        MemorySegment.copy(file, RingLayout.HEADER_BYTES, to, 0, bytes);
        return to.get(WORD, bytes - 8);
    }

    /** One window: everything in the ring, read from its beginning as a new reader does, into the open sketch, then closed. */
    private static long summarise(Path path, MemorySegment file, NameTable names, KernelSketch sketch, long count)
            throws IOException {
        file.set(WORD, RingLayout.AT_READ_POSITION, 0);
        sketch.clear();
        try (RingReader reader = RingReader.open(path, names, 1)) {
            KernelFeed feed =
                    new KernelFeed(sketch, new RingClock(reader.header().clock()));
            long taken = 0;
            for (int more = -1; more != 0; taken += more) {
                more = reader.drain(feed, 1 << 16);
            }
            feed.flush();
            if (taken != count + EventRecords.KEYS + 1 || reader.counts().undefinedNames() != 0) {
                throw new IllegalStateException(taken + " records taken of " + count);
            }
        }
        KernelWindow window = new WindowCloser().close(sketch, 0, 0, 0);
        long sum = 0;
        for (StreamKernel kernel : window.kernels()) {
            sum = 31 * sum + kernel.durations().hashCode();
        }
        return sum;
    }

    /** A ring of the size producers use, whose reader is always done, or never. */
    private static final class Small implements AutoCloseable {
        private final RingWriter writer;
        private final RingWriter full;
        private final int[] names;
        private final int[] namesOfFull;
        private final MemorySegment file;
        private final EventRecords events;

        Small(Path folder, Arena arena, EventRecords events) throws IOException {
            this.events = events;
            writer = RingWriter.create(folder, header(SMALL, 2));
            full = RingWriter.create(folder, header(1024, 3));
            names = names(writer);
            namesOfFull = names(full);
            try (FileChannel channel =
                    FileChannel.open(writer.path(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                file = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
            }
        }

        private long amount() {
            return Math.min(1L << 20, events.count());
        }

        /** Writes events; whenever half of the ring is full, the reader has taken it. */
        long write() {
            int half = SMALL / 2;
            long amount = amount();
            for (long from = 0; from < amount; from += half) {
                file.set(WORD, RingLayout.AT_READ_POSITION, writer.published());
                events.each(
                        from,
                        Math.min(amount, from + half),
                        (key, stream, start, nanos) ->
                                writer.kernel(0, 0, names[key], start, nanos, stream, (int) start, 1 << 20));
            }
            return amount;
        }

        /** The same without a reader: everything is dropped and counted. */
        long drop() {
            events.each(
                    0,
                    amount(),
                    (key, stream, start, nanos) ->
                            full.kernel(0, 0, namesOfFull[key], start, nanos, stream, (int) start, 1 << 20));
            return full.published();
        }

        @Override
        public void close() {
            writer.close();
            full.close();
        }
    }

    private static List<Figure> figures(Rounds rounds, long count, long bytes) {
        List<Double> ours = rounds.perSecond(RING, count);
        List<Double> scan = rounds.perSecond(SCAN, count);
        List<Double> copy = rounds.perSecond(COPY, count);
        String data = count + " kernels of " + EventRecords.KEYS + " names with 3 modes in a ring of " + bytes
                + " B, seed " + SEED + ", one thread, by its CPU time; checksum "
                + Long.toHexString(rounds.checksum(RING));
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.median("recordsPerSecond", "1/s", ours, data, Bar.atLeast(2e7)));
        figures.add(Figure.median("scanRecordsPerSecond", "1/s", scan, "sum over all bytes of the same ring", null));
        figures.add(Figure.median("copyRecordsPerSecond", "1/s", copy, "memory copy of the same ring", null));
        figures.add(Figure.median(
                "timeVersusScan",
                "x",
                Figure.ratios(scan, ours),
                "time of ours over that of the scan, by round",
                null));
        figures.add(Figure.median(
                "timeVersusCopy",
                "x",
                Figure.ratios(copy, ours),
                "time of ours over that of the copy, by round",
                null));
        long written = rounds.checksum(WRITE);
        figures.add(Figure.median(
                "writeNanos",
                "ns",
                nanos(rounds.perSecond(WRITE, written)),
                "one kernel into a ring of " + SMALL + " records with room, the Java writer",
                null));
        figures.add(Figure.median(
                "dropNanos",
                "ns",
                nanos(rounds.perSecond(FULL, written)),
                "one kernel dropped and counted, because the ring is full",
                null));
        figures.add(Figure.single(
                "bytesPerKernel",
                "B",
                (double) (bytes - RingLayout.HEADER_BYTES) / count,
                "records of the ring, definitions of names and the clock among them",
                null));
        return figures;
    }

    private static List<Double> nanos(List<Double> perSecond) {
        return perSecond.stream().map(rate -> 1e9 / rate).toList();
    }
}
