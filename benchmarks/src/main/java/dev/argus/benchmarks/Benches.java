package dev.argus.benchmarks;

import java.util.List;

/** The benchmarks. */
final class Benches {
    /** All there are, in the order in which they are listed. */
    static final List<Bench> ALL = List.of(
            new ReaderBench(),
            new CompressionBench(),
            new EventsBench(),
            new AccuracyBench(),
            new ScaleBench(),
            new SoakBench(),
            new PerfettoBench(),
            new RingBench(),
            new OverheadBench(),
            new StacksBench(),
            new IngestBench(),
            new CrashBench(),
            new FlinkBench(),
            new UiBench(),
            new StartBench());

    private Benches() {}
}
