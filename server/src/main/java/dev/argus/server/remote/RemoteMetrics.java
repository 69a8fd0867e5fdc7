package dev.argus.server.remote;

import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One value of the topic of metrics: what is known of a job. Counts are of the whole job so far.
 *
 * @param job job
 * @param attempt newest attempt, -1 when unknown
 * @param watchedSinceNanos when this watch over the job began, which tells it from others; 0 when it is not told
 * @param atNanos by event time, nanoseconds since the Unix epoch
 * @param expected ranks the job has
 * @param reporting ranks that report
 * @param guessed true if only their number is told
 * @param silent ranks that are waited for no more
 * @param newestStep newest step that is complete, -1 before the first
 * @param usualNanos median length of recent steps, 0 when unknown
 * @param measuredNanos step time measured, 0 when it is not told
 * @param lostGpuSeconds GPU time lost
 * @param losses records missing by reason
 * @param lagNanos from the newest record to the clock of who judges
 * @param standing true while the job stands still
 * @param notes what was contradictory, or left out, in sentences
 */
record RemoteMetrics(
        String job,
        int attempt,
        long watchedSinceNanos,
        long atNanos,
        int expected,
        RankSet reporting,
        boolean guessed,
        RankSet silent,
        long newestStep,
        long usualNanos,
        double measuredNanos,
        double lostGpuSeconds,
        Map<String, Long> losses,
        long lagNanos,
        boolean standing,
        List<String> notes) {
    static final String SCHEMA = "argus.metrics/1";
    private static final int MOST_RANKS = 1 << 20;

    /** Ranks are below: where only numbers are told, those that report and those that do not may be guessed side by side. */
    static final int MOST_RANKS_WRITTEN = 2 * MOST_RANKS;

    private static final int MOST_REASONS = 64;
    private static final int MOST_NOTES = 16;
    private static final int MOST_NOTE_CHARS = 300;
    private static final int MOST_REASON_CHARS = 128;
    /** So many members fit into a value at most: the sum of them stays a number. */
    private static final long MOST_COUNT = Long.MAX_VALUE / JsonValue.MOST_BYTES;

    private static final String OTHER = "other";

    RemoteMetrics {
        losses = Map.copyOf(losses);
        notes = List.copyOf(notes);
    }

    static RemoteMetrics read(JsonValue from) throws UnusableValueException {
        from.schema(SCHEMA);
        int expected = (int) from.whole("ranksExpected", 0, MOST_RANKS);
        int count = (int) from.whole("ranksReporting", 0, MOST_RANKS);
        RankSet silent = set(from, "silentRanks");
        RankSet reporting = set(from, "reportingRanks");
        boolean guessed = !from.has("reportingRanks");
        if (guessed) {
            RankSet all = RankSet.of(IntStream.range(0, Math.max(expected, count) + silent.size()));
            reporting = RankSet.of(all.minus(silent).stream().limit(count));
            guessed = count != expected;
        } else if (reporting.size() != count) {
            throw from.wrong("reportingRanks", count + " ranks, as ranksReporting says");
        }
        return new RemoteMetrics(
                RemoteChange.job(from),
                (int) from.whole("attempt", -1, Integer.MAX_VALUE),
                RemoteChange.watchedSince(from),
                from.whole("atEpochNanos", 0, Long.MAX_VALUE),
                expected,
                reporting,
                guessed,
                silent,
                from.whole("newestStep", -1, Long.MAX_VALUE),
                from.whole("usualStepNanos", 0, Long.MAX_VALUE),
                from.has("measuredNanos") ? from.amount("measuredNanos") : 0,
                from.amount("lostGpuSeconds"),
                losses(from.object("losses")),
                from.whole("windowLagNanos", 0, Long.MAX_VALUE / 2),
                from.truth("standing"),
                notes(from));
    }

    /** The same, where nobody knows how many ranks there are, and which report. */
    RemoteMetrics withoutRanks() {
        return new RemoteMetrics(
                job,
                attempt,
                watchedSinceNanos,
                atNanos,
                0,
                RankSet.EMPTY,
                false,
                RankSet.EMPTY,
                newestStep,
                usualNanos,
                measuredNanos,
                lostGpuSeconds,
                losses,
                lagNanos,
                standing,
                notes);
    }

    private static List<String> notes(JsonValue from) throws UnusableValueException {
        if (!from.has("notes")) {
            return List.of();
        }
        return from.texts("notes", JsonValue.MOST_BYTES).stream()
                .limit(MOST_NOTES)
                .map(note -> SafeText.of(note, MOST_NOTE_CHARS))
                .toList();
    }

    private static Map<String, Long> losses(JsonValue from) throws UnusableValueException {
        Map<String, Long> losses = new TreeMap<>();
        for (String reason : from.names()) {
            boolean room = losses.size() < MOST_REASONS && !reason.isEmpty() && reason.length() <= MOST_REASON_CHARS;
            losses.merge(room ? reason : OTHER, from.whole(reason, 0, MOST_COUNT), Long::sum);
        }
        return losses;
    }

    private static RankSet set(JsonValue from, String name) throws UnusableValueException {
        IntStream.Builder all = IntStream.builder();
        long members = 0;
        String text = from.ranges(name);
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int dash = part.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
            members += last - first + 1L;
            if (last < first || last >= MOST_RANKS || members > MOST_RANKS) {
                throw from.wrong(name, "a set of ranks below " + MOST_RANKS);
            }
            for (int rank = first; rank <= last; rank++) {
                all.add(rank);
            }
        }
        return RankSet.of(all.build());
    }
}
