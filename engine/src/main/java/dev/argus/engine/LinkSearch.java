package dev.argus.engine;

import dev.argus.model.JobShape;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
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
    private final int[] cells;

    LinkSearch(LinkEvidence evidence, JobShape shape, boolean across) {
        this.evidence = evidence;
        this.elements = new LinkElements(evidence, shape, across);
        this.cells = evidence.cellCounts();
    }

    /** The best explanation, or null when none is good enough; leaves the evidence with the levels that go with it. */
    @Nullable
    LinkFit find() {
        LinkFit found = null;
        double[] levels = evidence.healthy.clone();
        for (boolean low : new boolean[] {false, true}) {
            evidence.start(low);
            LinkFit fit = settle();
            if (fit != null && fit.score() >= LEAST_SCORE && (found == null || fit.score() > found.score())) {
                found = fit;
                levels = evidence.healthy.clone();
            }
        }
        evidence.level(levels);
        return found;
    }

    private @Nullable LinkFit settle() {
        LinkFit best = best();
        for (int round = 1; round < ROUNDS && best != null && best.activeCount() > 0; round++) {
            evidence.learn(best.element(), best.active());
            LinkFit next = best();
            if (next != null && next.element().equals(best.element()) && sameSteps(next, best)) {
                return next;
            }
            best = next;
        }
        return best;
    }

    private static boolean sameSteps(LinkFit a, LinkFit b) {
        return Arrays.equals(a.active(), b.active());
    }

    private @Nullable LinkFit best() {
        Collection<LinkElement> single = elements.single();
        LinkFit best = null;
        for (LinkElement e : single) {
            best = better(best, fit(e));
        }
        return leaf(best);
    }

    private LinkFit fit(LinkElement e) {
        return LinkFit.best(evidence, e, cells);
    }

    private static @Nullable LinkFit better(@Nullable LinkFit a, @Nullable LinkFit b) {
        return a == null ? b : b != null && b.score() > a.score() ? b : a;
    }

    /** Hosts taken together one by one, from each of the likeliest, as long as each explains more. */
    private @Nullable LinkFit leaf(@Nullable LinkFit single) {
        LinkFit best = single;
        List<String> likely = likeliest();
        if (single == null || likely.size() < 3) {
            return best;
        }
        for (String start : likely.subList(0, Math.min(STARTS, likely.size()))) {
            NavigableSet<String> chosen = new TreeSet<>();
            chosen.add(start);
            LinkFit grown = null;
            while (true) {
                LinkFit next = null;
                for (String host : likely) {
                    next = chosen.contains(host) ? next : better(next, with(chosen, host));
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
    private List<String> likeliest() {
        Map<String, Double> scores = new TreeMap<>();
        for (String host : elements.hosts()) {
            LinkFit fit = with(new TreeSet<>(), host);
            if (fit != null) {
                scores.put(host, fit.score());
            }
        }
        return scores.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(LIKELY)
                .map(Map.Entry::getKey)
                .toList();
    }

    private @Nullable LinkFit with(NavigableSet<String> chosen, String host) {
        NavigableSet<String> more = new TreeSet<>(chosen);
        more.add(host);
        LinkElement leaf = elements.leaf(more);
        return leaf == null ? null : fit(leaf);
    }
}
