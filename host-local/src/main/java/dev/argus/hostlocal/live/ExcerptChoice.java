package dev.argus.hostlocal.live;

import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What is worth recording around an incident that opens: its suspects and two ranks that do the same work, from before its beginning until now.
 *
 * @param ranks suspects, and peers of theirs: of the same work where that is known, else the next ones; may be empty
 * @param fromNanos begin, nanoseconds since the Unix epoch
 * @param toNanos end, not before the begin
 */
public record ExcerptChoice(RankSet ranks, long fromNanos, long toNanos) {
    static final int MOST_SUSPECTS = 6;
    static final int PEERS = 2;
    static final long BEFORE_NANOS = 5_000_000_000L;
    static final long LONGEST_NANOS = 60_000_000_000L;

    /**
     * For an incident.
     *
     * @param shape who the job is, or null
     * @param among ranks of which there is a record
     * @param nowNanos now, nanoseconds since the Unix epoch
     */
    public static ExcerptChoice of(Incident incident, @Nullable JobShape shape, RankSet among, long nowNanos) {
        RankSet accused = incident.ranks();
        RankSet suspects = RankSet.of(accused.intersect(among).stream().limit(MOST_SUSPECTS));
        int middle = suspects.isEmpty() ? (accused.isEmpty() ? 0 : accused.get(0)) : suspects.get(suspects.size() / 2);
        int set = shape == null ? -1 : shape.peerSetOf(middle);
        RankSet others = among.minus(accused);
        RankSet same = shape == null || set < 0
                ? RankSet.EMPTY
                : shape.peerSets().get(set).intersect(others);
        RankSet peers = RankSet.of((same.isEmpty() ? others : same)
                .stream()
                        .boxed()
                        .sorted(Comparator.comparingInt((Integer r) -> Math.abs(r - middle)))
                        .limit(PEERS)
                        .mapToInt(r -> r));
        long since = incident.sinceEpochNanos() > 0 ? Math.min(nowNanos, incident.sinceEpochNanos()) : nowNanos;
        long from = Math.max(0, Math.max(since - BEFORE_NANOS, nowNanos - LONGEST_NANOS));
        return new ExcerptChoice(suspects.union(peers), from, Math.max(from, nowNanos));
    }
}
