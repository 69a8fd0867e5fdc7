package dev.argus.hostlocal.report;

import java.util.List;

/**
 * What was measured, for people to look at. Bounded: at most {@value #MOST_ATTEMPTS} attempts, each within the bounds of its parts.
 *
 * @param attempts the newest attempts, oldest first; empty where there was nothing but files without events
 * @param attemptsLeftOut older attempts that are not shown
 */
public record ReportData(List<AttemptReport> attempts, int attemptsLeftOut) {
    /** Attempts shown. */
    public static final int MOST_ATTEMPTS = 4;

    /** The newest of all. */
    public static ReportData of(List<AttemptReport> all) {
        int from = Math.max(0, all.size() - MOST_ATTEMPTS);
        return new ReportData(List.copyOf(all.subList(from, all.size())), from);
    }
}
