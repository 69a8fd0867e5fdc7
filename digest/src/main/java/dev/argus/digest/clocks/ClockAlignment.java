package dev.argus.digest.clocks;

import dev.argus.model.HostClock;
import dev.argus.model.HostClock.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of all hosts of an attempt: each held against a reference through the hosts it met, on the way with the smallest bound.
 *
 * <p>Method: two hosts that met give a track of their distance ({@link ClockTrack}; robust lines, piecewise in time). Hosts are joined by the
 * tree of the shortest bounds (Dijkstra 1959) from the host of the lowest rank; the bounds on a way add up. Where other links contradict the
 * tree by more than their bounds, the bounds of their ends grow by it. Hosts that no way joins have references of their own and cannot be
 * put on one timeline. A link is refused when it has fewer than {@value #LEAST_MEETINGS} meetings, when its ends are more than
 * {@value #MOST_RESIDUAL_NANOS} ns apart after alignment (a standard deviation, or where clocks were set) or two fifths of them lie off, and when it drifts by more than {@value #MOST_DRIFT} of the time.
 *
 * <p>Bound: noise of the ends at three standard deviations, more for few steps; uneven drift; and on every link what ends
 * have apart for good, which no number of meetings averages out: twice what nine of ten members of one host lastingly differ by, on one clock,
 * at least {@value #LEAST_COMMON_NANOS} ns ({@value #UNKNOWN_COMMON_NANOS} ns where no host has two members in a group, for so far apart ends of one collective were seen). A collective
 * whose ends differ between hosts always the same way by more than inside hosts is beyond what can be seen.
 *
 * <p>Cost of making: O(links log hosts). Of a question: O(links on the way), at most about log2(hosts). Immutable.
 */
public final class ClockAlignment {
    private static final int LEAST_MEETINGS = 5;
    private static final double MOST_RESIDUAL_NANOS = 100_000;
    private static final double LEAST_USED_RATIO = 0.6;
    private static final double MOST_DRIFT = 1e-3;
    private static final double LEAST_COMMON_NANOS = 1_000;
    private static final double UNKNOWN_COMMON_NANOS = 20_000;

    private final int attempt;
    private final List<String> hosts;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final ClockTree tree;

    private ClockAlignment(int attempt, List<String> hosts, ClockTree tree) {
        this.attempt = attempt;
        this.hosts = List.copyOf(hosts);
        this.tree = tree;
        for (int i = 0; i < hosts.size(); i++) {
            numbers.put(hosts.get(i), i);
        }
    }

    /** The key of a pair of hosts, the lower number first. */
    static long pair(int a, int b) {
        return (long) a << 32 | b;
    }

    /**
     * From meetings.
     *
     * @param hosts names by number, by their lowest rank
     * @param pairs meetings by pair of numbers; distances are the second host's clock less the first's
     * @param lasting what members of one host lastingly differ by, nanoseconds; NaN when unknown
     */
    static ClockAlignment of(int attempt, List<String> hosts, Map<Long, Meetings> pairs, double lasting) {
        double common = Double.isNaN(lasting) ? UNKNOWN_COMMON_NANOS : Math.max(LEAST_COMMON_NANOS, 2 * lasting);
        ClockTree tree = new ClockTree(hosts.size(), common);
        pairs.forEach((pair, meetings) -> {
            int a = (int) (pair >> 32);
            int b = (int) (long) pair;
            ClockTrack track = meetings.size() < LEAST_MEETINGS ? null : meetings.track();
            Refusal why = track == null ? Refusal.TOO_FEW_MEETINGS : why(track);
            if (track == null || why != null) {
                tree.refuse(a, b, why == null ? Refusal.TOO_FEW_MEETINGS : why);
            } else {
                tree.link(a, b, track, meetings.seen());
            }
        });
        tree.grow();
        return new ClockAlignment(attempt, hosts, tree);
    }

    private static @Nullable Refusal why(ClockTrack track) {
        if (Math.max(track.sigma(), track.uneven()) > MOST_RESIDUAL_NANOS || track.usedRatio() < LEAST_USED_RATIO) {
            return Refusal.RESIDUALS_TOO_LARGE;
        }
        return track.fastest() > MOST_DRIFT ? Refusal.DRIFT_IMPLAUSIBLE : null;
    }

    /**
     * A moment on the clock of the host's reference.
     *
     * @param host host
     * @param nanos nanoseconds since the Unix epoch by its clock
     */
    public Placement toReference(String host, long nanos) {
        Integer at = numbers.get(host);
        if (at == null) {
            return new Placement.Refused(Refusal.HOST_UNKNOWN);
        }
        Refusal why = tree.refusal(at);
        if (why != null) {
            return new Placement.Refused(why);
        }
        ClockTree.At moved = tree.toReference(at, nanos);
        return new Placement.Placed(moved.nanos(), Math.round(Math.ceil(moved.errorNanos())), reference(at));
    }

    /** Attempt of the job. */
    public int attempt() {
        return attempt;
    }

    private String reference(int host) {
        return hosts.get(tree.reference(host));
    }

    /** All hosts, by their lowest rank. */
    public List<HostClock> clocks() {
        List<HostClock> list = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            Refusal why = tree.refusal(i);
            list.add(why == null ? clock(i) : HostClock.refused(attempt, hosts.get(i), why));
        }
        return list;
    }

    private HostClock clock(int host) {
        int meetings = (int) Math.min(Integer.MAX_VALUE, tree.meetings(host));
        if (tree.reference(host) == host) {
            String name = hosts.get(host);
            return new HostClock(attempt, name, name, 0, 0, 0, 0, 0, meetings, 0, null);
        }
        ClockTree.Period met = tree.met(host);
        long middle = met.from() + (met.until() - met.from()) / 2;
        ClockTree.At first = tree.toReference(host, met.from());
        ClockTree.At at = tree.toReference(host, middle);
        ClockTree.At last = tree.toReference(host, met.until());
        double grown = (met.until() - last.nanos()) - (double) (met.from() - first.nanos());
        double drift = met.until() > met.from() ? grown / (met.until() - met.from()) : 0;
        double error = Math.max(at.errorNanos(), Math.max(first.errorNanos(), last.errorNanos()));
        return new HostClock(
                attempt,
                hosts.get(host),
                reference(host),
                middle - at.nanos(),
                1e6 * drift,
                Math.round(Math.ceil(error)),
                1e6 * tree.driftError(host),
                middle,
                meetings,
                Math.round(tree.residual(host)),
                null);
    }
}
