package dev.argus.benchmarks;

import java.io.IOException;
import java.util.List;

/** One benchmark: measures its figures from scratch each time it is asked. */
interface Bench {
    /** All there are, in the order in which they are listed. */
    List<Bench> ALL = List.of(
            new ReaderBench(),
            new CompressionBench(),
            new EventsBench(),
            new AccuracyBench(),
            new ScaleBench(),
            new SoakBench(),
            new PerfettoBench(),
            new RingBench(),
            new StartBench());

    /** The name on the command line. */
    String name();

    /** One line on what is measured. */
    String about();

    /**
     * Measures.
     *
     * @return figures in the order to be shown; empty if nothing could be measured
     * @throws CannotMeasure if the machine or the input lacks what is needed
     */
    List<Figure> measure(BenchRequest request) throws IOException, InterruptedException, CannotMeasure;
}
