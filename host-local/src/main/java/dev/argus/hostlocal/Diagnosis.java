package dev.argus.hostlocal;

import dev.argus.digest.clocks.ClockAlignment;
import dev.argus.hostlocal.report.ReportData;
import dev.argus.model.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answer about a folder of traces.
 *
 * @param verdict the answer; coverage and problems of the data are in it even when nothing could be analysed
 * @param analysed false: nothing could be analysed, and {@code failure} says why in one line
 * @param failure one clear line, empty when analysed
 * @param explain lines about rules and thresholds, empty unless asked for
 * @param clocks the clocks of each attempt's hosts, to put moments on one timeline; attempts without traces have none
 * @param report what was measured, for a page; null unless asked for
 */
public record Diagnosis(
        Verdict verdict,
        boolean analysed,
        String failure,
        List<String> explain,
        List<ClockAlignment> clocks,
        @Nullable ReportData report) {
    /** Without clocks, and without what a page shows. */
    public Diagnosis(Verdict verdict, boolean analysed, String failure, List<String> explain) {
        this(verdict, analysed, failure, explain, List.of(), null);
    }

    /** The same with more lines, if it has any. */
    Diagnosis explainedFurther(List<String> more) {
        return explain.isEmpty()
                ? this
                : new Diagnosis(
                        verdict,
                        analysed,
                        failure,
                        Stream.concat(explain.stream(), more.stream()).toList(),
                        clocks,
                        report);
    }
}
