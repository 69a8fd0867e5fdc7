package dev.argus.digest.clocks;

import dev.argus.model.HostClock.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Hosts by number, the links between them, and from every host the way with the smallest bound to its reference. */
final class ClockTree {
    private final double common;
    private final List<List<Link>> links = new ArrayList<>();
    private final List<Link> all = new ArrayList<>();
    private final @Nullable Link[] up;
    private final int[] reference;
    private final @Nullable Refusal[] refused;
    private final double[] contradiction;

    /** Two hosts that met: the second's clock against the first's. */
    private record Link(int first, int second, ClockTrack track, long meetings) {
        int other(int host) {
            return host == first ? second : first;
        }
    }

    private record Way(int host, double error) {}

    /**
     * A moment on another clock.
     *
     * @param nanos nanoseconds since the Unix epoch by that clock
     * @param errorNanos bound
     */
    record At(long nanos, double errorNanos) {}

    /**
     * A stretch of time by a host's own clock.
     *
     * @param from its beginning, nanoseconds since the Unix epoch
     * @param until its end
     */
    record Period(long from, long until) {}

    /**
     * Without links.
     *
     * @param common what each link adds to the bound, nanoseconds
     */
    ClockTree(int hosts, double common) {
        this.common = common;
        for (int i = 0; i < hosts; i++) {
            links.add(new ArrayList<>());
        }
        up = new Link[hosts];
        reference = new int[hosts];
        Arrays.fill(reference, -1);
        refused = new Refusal[hosts];
        contradiction = new double[hosts];
    }

    void link(int first, int second, ClockTrack track, long meetings) {
        Link link = new Link(first, second, track, meetings);
        links.get(first).add(link);
        links.get(second).add(link);
        all.add(link);
    }

    /** Two hosts met, but it does not hold. */
    void refuse(int first, int second, Refusal why) {
        for (int host : new int[] {first, second}) {
            Refusal before = refused[host];
            refused[host] = before == null || before.compareTo(why) < 0 ? why : before;
        }
    }

    /** Finds the ways, when all links are known. */
    void grow() {
        for (int root = 0; root < reference.length; root++) {
            if (reference[root] >= 0) {
                continue;
            }
            if (links.get(root).isEmpty() && reference.length > 1) {
                Refusal why = refused[root];
                refused[root] = why == null ? Refusal.NO_COMMON_COLLECTIVES : why;
            } else {
                grow(root);
            }
        }
        double[] found = new double[contradiction.length];
        for (Link link : all) {
            double excess = contradiction(link);
            found[link.first()] = Math.max(found[link.first()], excess);
            found[link.second()] = Math.max(found[link.second()], excess);
        }
        System.arraycopy(found, 0, contradiction, 0, found.length);
    }

    private void grow(int root) {
        double[] best = new double[reference.length];
        Arrays.fill(best, Double.POSITIVE_INFINITY);
        best[root] = 0;
        PriorityQueue<Way> next =
                new PriorityQueue<>(Comparator.comparingDouble(Way::error).thenComparingInt(Way::host));
        next.add(new Way(root, 0));
        while (!next.isEmpty()) {
            Way way = next.remove();
            int host = way.host();
            if (reference[host] >= 0) {
                continue;
            }
            reference[host] = root;
            refused[host] = null;
            for (Link link : links.get(host)) {
                int other = link.other(host);
                double error = way.error() + link.track().worstError() + common;
                if (reference[other] < 0 && error < best[other]) {
                    best[other] = error;
                    up[other] = link;
                    next.add(new Way(other, error));
                }
            }
        }
    }

    /** By how much a link says something else than the ways of its ends, beyond all bounds, nanoseconds. */
    private double contradiction(Link link) {
        if (link.equals(up[link.first()]) || link.equals(up[link.second()])) {
            return 0;
        }
        ClockTrack track = link.track();
        long when = track.from() + (track.until() - track.from()) / 2;
        At first = toReference(link.first(), when);
        At second = toReference(link.second(), track.second(when));
        double bound = first.errorNanos() + second.errorNanos() + track.error(when) + common;
        return Math.max(0, Math.abs(first.nanos() - second.nanos()) - bound);
    }

    /** Why a host is not aligned; null when it is. */
    @Nullable
    Refusal refusal(int host) {
        return refused[host];
    }

    /** The host that an aligned host is held against. */
    int reference(int host) {
        return reference[host];
    }

    /** A moment of an aligned host by the clock of its reference. */
    At toReference(int host, long nanos) {
        long now = nanos;
        double error = 0;
        double against = 0;
        int at = host;
        for (Link link = up[at]; link != null; link = up[at]) {
            ClockTrack track = link.track();
            against = Math.max(against, contradiction[at]);
            long byFirst = at == link.first() ? now : track.first(now);
            error += track.error(byFirst) + common;
            now = at == link.first() ? track.second(now) : byFirst;
            at = link.other(at);
        }
        return new At(now, error + against);
    }

    /** When a host that is no reference met the next on its way. */
    Period met(int host) {
        Link link = up[host];
        if (link == null) {
            return new Period(0, 0);
        }
        ClockTrack track = link.track();
        return host == link.first()
                ? new Period(track.from(), track.until())
                : new Period(track.second(track.from()), track.second(track.until()));
    }

    /** Bound on the error of the mean drift, as a ratio. */
    double driftError(int host) {
        double error = 0;
        int at = host;
        for (Link link = up[at]; link != null; link = up[at]) {
            error += link.track().driftError();
            at = link.other(at);
        }
        return error;
    }

    /** Standard deviation of a meeting on the worst link of the way, nanoseconds. */
    double residual(int host) {
        double worst = 0;
        int at = host;
        for (Link link = up[at]; link != null; link = up[at]) {
            worst = Math.max(worst, link.track().sigma());
            at = link.other(at);
        }
        return worst;
    }

    /** Meetings on the link of the way with fewest; of a reference, of its link with most. */
    long meetings(int host) {
        if (up[host] == null) {
            return links.get(host).stream().mapToLong(Link::meetings).max().orElse(0);
        }
        long least = Long.MAX_VALUE;
        int at = host;
        for (Link link = up[at]; link != null; link = up[at]) {
            least = Math.min(least, link.meetings());
            at = link.other(at);
        }
        return least;
    }
}
