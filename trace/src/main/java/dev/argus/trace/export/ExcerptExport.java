package dev.argus.trace.export;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.Incident;
import dev.argus.model.NameTable;
import dev.argus.model.TraceHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes what was recorded of some ranks in a time as a timeline, from events instead of files: a process a rank, as {@link TimelineExport} does.
 *
 * <p>Memory: the events of one rank at a time, 24 bytes each.
 */
public final class ExcerptExport {
    private final Timeline out;
    private final NameTable names;
    private final TimelineCut cut;
    private final boolean attempts;
    private final Map<String, Long> lost = new TreeMap<>();
    private int written;

    /** Gives the events of a rank. */
    @FunctionalInterface
    public interface Events {
        /** Hands them to a sink. */
        void giveTo(TraceEventSink sink) throws IOException;
    }

    /**
     * Composes an export.
     *
     * @param out where to
     * @param names the names that {@code out} knows
     * @param fromNanos not before, nanoseconds since the Unix epoch; what lies across is kept whole
     * @param untilNanos not after
     * @param attempts true if ranks are to be told apart by their attempts, too
     */
    public ExcerptExport(Timeline out, NameTable names, long fromNanos, long untilNanos, boolean attempts)
            throws IOException {
        this.out = out;
        this.names = names;
        this.cut = new TimelineCut(-1, null, Long.MIN_VALUE, Long.MAX_VALUE, fromNanos, untilNanos);
        this.attempts = attempts;
        out.about(
                "argus.clock", "nanoseconds since the Unix epoch by the clock of the host; not aligned between hosts");
    }

    /**
     * Writes a rank.
     *
     * @return false if it has nothing in that time
     */
    public boolean rank(int attempt, TraceHeader header, Events from) throws IOException {
        RankEvents events = new RankEvents(names);
        from.giveTo(events);
        events.join();
        events.lost.forEach((reason, n) -> lost.merge(reason, n, Long::sum));
        RankTracks tracks = new RankTracks(events, new CallFlows(names, attempt, header.groups()), names, cut);
        if (tracks.isEmpty()) {
            return false;
        }
        int rank = header.rank();
        List<String> labels = new ArrayList<>();
        if (!header.host().isEmpty()) {
            labels.add(header.host());
        }
        String title = TimelineExport.title(rank, attempt, attempts);
        int process = out.process(title, rank < 0 ? Integer.MAX_VALUE : rank + 10, labels);
        written++;
        long without = tracks.write(out, process);
        if (without > 0) {
            lost.merge("overlap-beyond-" + Slices.MAX_LANES + "-lanes", without, Long::sum);
        }
        return true;
    }

    /** Marks incidents, where there are any. */
    public void incidents(List<Incident> incidents) throws IOException {
        List<Incident> shown =
                incidents.stream().filter(i -> i.sinceEpochNanos() > 0).toList();
        if (!shown.isEmpty()) {
            IncidentMarks.write(out, IncidentMarks.TITLE, shown);
        }
    }

    /** Says what was left out, and what was written; the timeline stays open. */
    public TimelineExport.Written end() throws IOException {
        for (Map.Entry<String, Long> e : lost.entrySet()) {
            out.about("argus.lost." + e.getKey(), Long.toString(e.getValue()));
        }
        return new TimelineExport.Written(written, lost);
    }
}
