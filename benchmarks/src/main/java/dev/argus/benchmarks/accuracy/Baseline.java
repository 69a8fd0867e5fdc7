package dev.argus.benchmarks.accuracy;

import dev.argus.model.RankSet;
import java.util.List;

/** A published rule that names ranks, on the same records as our detectors. */
interface Baseline {
    /** All of them. */
    List<Baseline> ALL =
            List.of(new PublishedLevels(), new BestOfGroup(), new LongestCollective(), new ShortCollective());

    /** Name in figures, camel case. */
    String name();

    /** The rule in one sentence, with its thresholds and where it is from. */
    String rule();

    /** The ranks that it accuses; empty for none. */
    RankSet accuse(JobRecords records);
}
