package dev.argus.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Looks for the element that explains best what is slow. */
final class LinkSearch {
    /** Gain demanded beyond all choices made, in nats: a chance of one in 3,000. */
    static final double LEAST_SCORE = 8;

    /** Rounds of choosing an element and learning from the rest what is healthy. */
    private static final int ROUNDS = 3;

    /** Hosts tried together, those that explain most alone: so that a large fleet costs little more than its hosts. */
    private static final int LIKELY = 16;

    /** Of these, hosts from which sets are grown. */
    private static final int STARTS = 8;

    private final LinkEvidence evidence;
    private final LinkElements elements;
    private final LinkGroups groups;

    /** All but those of several hosts. */
    private final LinkGroups.Candidate[] single;

    /** Each host alone. */
    private List<LinkGroups.Candidate> alone = List.of();

    private final List<Start> starts;

    LinkSearch(LinkEvidence evidence, LinkElements elements) {
        this.evidence = evidence;
        this.elements = elements;
        this.groups = new LinkGroups(evidence);
        this.single = new LinkGroups.Candidate[elements.single().size()];
        this.starts = List.of(new Start(false), new Start(true));
    }

    /** Pieces of work that do not depend on each other, to be done before {@link #starts}. */
    List<Runnable> preparations() {
        List<LinkElement> all = List.copyOf(elements.single());
        int half = all.size() / 2;
        return List.of(
                () -> prepare(all, 0, half),
                () -> prepare(all, half, all.size()),
                () -> alone = with(new TreeSet<>(), elements.hosts()),
                starts.get(0)::level,
                starts.get(1)::level);
    }

    private void prepare(List<LinkElement> all, int from, int to) {
        for (int e = from; e < to; e++) {
            single[e] = groups.candidate(all.get(e));
        }
    }

    /** Two pieces of work that do not depend on each other, to be done before {@link #best} is asked for. */
    List<Runnable> starts() {
        return List.of(starts.get(0)::settle, starts.get(1)::settle);
    }

    /** The best explanation, or null when none is good enough; leaves the evidence with the levels that go with it. */
    @Nullable
    LinkFit best() {
        LinkFit best = null;
        for (Start start : starts) {
            LinkFit fit = start.settled;
            if (fit != null && fit.score() >= LEAST_SCORE && (best == null || fit.score() > best.score())) {
                best = fit;
                evidence.level(start.evidence.healthy);
            }
        }
        return best;
    }

    /** A search that begins with what is taken for healthy at first, on levels of its own. */
    private final class Start {
        final LinkEvidence evidence;

        @Nullable
        LinkFit settled;

        private final boolean low;

        Start(boolean low) {
            this.low = low;
            evidence = LinkSearch.this.evidence.copy();
        }

        void level() {
            evidence.start(low);
        }

        void settle() {
            LinkFits fits = new LinkFits(evidence, groups);
            LinkFit best = next(fits);
            for (int round = 1; round < ROUNDS && best != null && best.activeCount() > 0; round++) {
                evidence.learn(best.element(), best.active());
                LinkFit next = next(fits);
                boolean same = next != null && next.element().equals(best.element()) && sameSteps(next, best);
                best = next;
                if (same) {
                    break;
                }
            }
            settled = best;
        }

        private @Nullable LinkFit next(LinkFits fits) {
            fits.learned();
            return leaf(fits, fits.best(List.of(single), Double.NEGATIVE_INFINITY));
        }
    }

    private static boolean sameSteps(LinkFit a, LinkFit b) {
        return Arrays.equals(a.active(), b.active());
    }

    private static @Nullable LinkFit better(@Nullable LinkFit a, @Nullable LinkFit b) {
        return a == null ? b : b != null && b.score() > a.score() ? b : a;
    }

    /** Hosts taken together one by one, from each of the likeliest, as long as each explains more. */
    private @Nullable LinkFit leaf(LinkFits fits, @Nullable LinkFit single) {
        LinkFit best = single;
        if (single == null || alone.size() < 3 || !fits.canReach(alone, LIKELY, single.score())) {
            return best;
        }
        List<String> likely = likeliest(fits);
        Map<NavigableSet<String>, LinkFit> tried = new HashMap<>(); // several starts lead to the same hosts
        for (String start : likely.subList(0, Math.min(STARTS, likely.size()))) {
            NavigableSet<String> chosen = new TreeSet<>();
            chosen.add(start);
            LinkFit grown = null;
            while (true) {
                double floor = grown == null ? Double.NEGATIVE_INFINITY : grown.score();
                LinkFit next = tried.get(chosen);
                if (next == null) {
                    next = fits.best(with(chosen, likely), floor);
                    if (next != null) {
                        tried.put(new TreeSet<>(chosen), next);
                    }
                }
                if (next == null || (grown != null && next.score() <= grown.score())) {
                    break;
                }
                grown = next;
                chosen.addAll(next.element().hosts());
            }
            best = better(best, grown);
        }
        return best;
    }

    /** The hosts that explain most alone. */
    private List<String> likeliest(LinkFits fits) {
        return fits.best(alone, LIKELY, Double.NEGATIVE_INFINITY).stream()
                .map(fit -> fit.element().hosts().getFirst())
                .toList();
    }

    /** What was chosen with one host more, for each host that can be added. */
    private List<LinkGroups.Candidate> with(NavigableSet<String> chosen, Collection<String> hosts) {
        List<LinkGroups.Candidate> list = new ArrayList<>();
        for (String host : hosts) {
            if (!chosen.contains(host)) {
                NavigableSet<String> more = new TreeSet<>(chosen);
                more.add(host);
                LinkElement leaf = elements.leaf(more);
                if (leaf != null) {
                    list.add(groups.candidate(leaf));
                }
            }
        }
        return list;
    }
}
