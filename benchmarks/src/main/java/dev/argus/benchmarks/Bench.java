package dev.argus.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** One benchmark: measures its figures from scratch each time it is asked. */
interface Bench {
    /** Stands for data given. */
    String PATH = "PATH";

    /** The name on the command line. */
    String name();

    /** One line on what is measured. */
    String about();

    /**
     * The options that mean something to it beside {@code --full} and {@code --format}, and {@link #PATH} if it takes data; others are
     * refused.
     */
    default Set<String> takes() {
        return Set.of();
    }

    /**
     * Measures.
     *
     * @return figures in the order to be shown; empty if nothing could be measured
     * @throws CannotMeasure if the machine or the input lacks what is needed
     */
    List<Figure> measure(BenchRequest request) throws IOException, InterruptedException, CannotMeasure;
}
