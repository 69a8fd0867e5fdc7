package dev.argus.engine;

import dev.argus.engine.LinkElement.Form;
import dev.argus.model.CollectiveOp;
import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Suspects among links: the one part of the network, inside hosts and between them, that everything slow passes and nothing healthy
 * does ({@link LinkSearch}).
 *
 * <p>Between hosts: the interface of a GPU, those of a host, the way between two hosts, those of several hosts; when all
 * traffic suffers it is the fabric, and nobody is accused. Inside: the links of a GPU or of a host.
 */
final class LinkSuspects {
    /** With fewer ranks recorded, what looks like a slow network may be waits for one of the others. */
    private static final double RECORDED_SHARE = 0.75;

    /** An excess that lasted over all steps seen must be this much, and more than healthy groups spread: paths differ a little for ever. */
    private static final double LASTING_RATIO = 1.05;

    /** An excess that came and went must be this much: less is within what routes and payloads do. */
    private static final double CHANGE_RATIO = 1.02;

    /** An excess of everything at once must be this much: no group shows what is usual at that moment, and all routes breathe together. */
    private static final double ALL_RATIO = 1.03;

    /** Where payloads are not stated an excess must be this much: they vary with the length of the data. */
    private static final double UNKNOWN_PAYLOAD_RATIO = 1.3;

    /** Uneven exchanges alone must take this much longer than at other steps: the spread of loads changes, too, but seldom by so much at once. */
    private static final double UNEVEN_RATIO = 2;

    /** Cheaper excess, of the step, says nothing about a link: payloads are too small. */
    private static final double MIN_STEP_RATIO = 0.0005;

    /** A link is called slow from so many affected steps on, if there are so many. */
    private static final int MIN_STEPS = 2;

    /** What is left unexplained by one fault is another one when it is at least this much: a fault leaves traces where it is not. */
    private static final double FURTHER_RATIO = 1.1;

    /** Links named at most on either side. */
    private static final int MOST_FAULTS = 3;

    /** Claimed of a step in which compute covered all that a slow link cost: it is noted, and costs nothing. */
    private static final double HIDDEN_NANOS = 1;

    /** A kind with less than this share of the excess is not affected: its rings have other interfaces. */
    private static final double ESCAPED = 0.5;

    /** Spread of single transfers between hosts from step to step from which on they are unsteady, as a ratio: healthy ones reach 0.06. */
    private static final double UNSTEADY = 0.08;

    /** The same where no transfer inside a host shows what is usual on these machines. */
    private static final double UNSTEADY_ALONE = 0.13;

    /** Transfers between hosts are unsteady when they spread this many times as far as those inside. */
    private static final double STEADIER = 3;

    /** Steps demanded to call them so. */
    private static final int MIN_UNSTEADY_STEPS = 4;

    private final List<TransferFinding> all;
    private final double leastScore;
    private final JobShape shape;
    private final JobTimes times;
    private final Set<Long> events;

    /** @param looks conclusions drawn, this one among them: chance has as many tries */
    LinkSuspects(List<TransferFinding> all, JobShape shape, JobTimes times, Set<Long> events, long looks) {
        leastScore = LinkSearch.LEAST_SCORE + Math.log((double) looks);
        this.all = all.stream().filter(f -> f.complete() || f.isNetwork(all)).toList();
        this.shape = shape;
        this.times = times;
        this.events = events;
    }

    /** @param out does pieces of the search, at the same time where it can */
    List<Suspect> find(Out out) {
        if (shape.hostCount() == 0) {
            return List.of();
        }
        Side inside = new Side(false);
        Side across = new Side(true);
        out.doAll(List.of(() -> inside.gather(List.of()), () -> across.gather(List.of())));
        search(List.of(inside, across), out);
        inside.judge();
        if (!inside.suspects.isEmpty()) {
            across.gather(inside.suspects);
            search(List.of(across), out);
        }
        across.judge();
        if (across.suspects.isEmpty()) {
            unsteady(inside.evidence, across.evidence, across.suspects);
        }
        return Stream.concat(inside.suspects.stream(), across.suspects.stream()).toList();
    }

    private static void search(List<Side> sides, Out out) {
        List<Function<Side, List<Runnable>>> stages = List.of(Side::sorting, Side::preparations, Side::starts);
        for (Function<Side, List<Runnable>> stage : stages) {
            out.doAll(sides.stream().flatMap(s -> stage.apply(s).stream()).toList());
        }
    }

    /** The links inside hosts, or those between them; searched in pieces. */
    private final class Side {
        final boolean across;
        final List<Suspect> suspects = new ArrayList<>();
        LinkEvidence evidence = evidence(false, List.of(), List.of());

        @Nullable
        LinkElements elements;

        @Nullable
        LinkSearch search;

        Side(boolean across) {
            this.across = across;
        }

        void gather(List<Suspect> inside) {
            evidence = evidence(across, inside, all);
            elements = null;
            search = null;
        }

        List<Runnable> sorting() {
            return evidence.traffic.isEmpty()
                    ? List.of()
                    : List.of(evidence::findLevels, () -> elements = new LinkElements(evidence, shape, across));
        }

        List<Runnable> preparations() {
            LinkElements found = elements;
            search = found == null ? null : new LinkSearch(evidence, found);
            return search == null ? List.of() : search.preparations();
        }

        List<Runnable> starts() {
            return search == null ? List.of() : search.starts();
        }

        /** What passes none of the links found is looked at again, for another fault may be there. */
        void judge() {
            LinkSearch next = search;
            LinkEvidence from = evidence;
            Set<String> blamed = new HashSet<>();
            for (int n = 0; n < MOST_FAULTS && next != null; n++) {
                LinkFit fit = next.best();
                if (fit == null || (n > 0 && !isFurther(from, fit, blamed))) {
                    return;
                }
                LinkSuspects.this.judge(from, fit, across, suspects);
                blamed.addAll(fit.element().hosts());
                from = besides(from, fit);
                next = from.traffic.isEmpty() ? null : searched(from);
            }
        }

        private LinkEvidence besides(LinkEvidence from, LinkFit fit) {
            Set<Integer> explained = Set.copyOf(fit.element().traffic());
            return LinkEvidence.of(
                    IntStream.range(0, from.traffic.size())
                            .filter(i -> !explained.contains(i))
                            .mapToObj(i -> from.traffic.get(i).finding())
                            .toList(),
                    across,
                    shape,
                    events);
        }

        private LinkSearch searched(LinkEvidence from) {
            LinkSearch again = new LinkSearch(from, new LinkElements(from, shape, across));
            again.preparations().forEach(Runnable::run);
            again.starts().forEach(Runnable::run);
            return again;
        }
    }

    private static boolean isFurther(LinkEvidence evidence, LinkFit fit, Set<String> blamed) {
        return fit.element().form() != Form.ALL
                && fit.element().hosts().stream().noneMatch(blamed::contains)
                && ratio(evidence, fit) >= FURTHER_RATIO;
    }

    /** Rings between hosts with several members on one also pass the links inside: where those are slow they tell nothing. */
    private LinkEvidence evidence(boolean across, List<Suspect> inside, List<TransferFinding> from) {
        return new LinkEvidence(
                from.stream()
                        .filter(f -> f.acrossHosts() == across)
                        .filter(f -> f.perHost() < 2
                                || inside.stream()
                                        .allMatch(s ->
                                                s.ranks.intersect(f.ranks()).isEmpty()))
                        .toList(),
                across,
                shape,
                events);
    }

    private void judge(LinkEvidence evidence, LinkFit fit, boolean across, List<Suspect> suspects) {
        int least = Math.min(MIN_STEPS, evidence.steps.length);
        if (fit.score() < leastScore || fit.activeCount() < least) {
            return;
        }
        boolean everything = fit.element().form() == Form.ALL;
        boolean lasting = fit.activeCount() > evidence.steps.length - least;
        double demanded = lasting ? LASTING_RATIO : CHANGE_RATIO;
        if (lasting) {
            demanded = Math.max(demanded, lastingLimit(evidence, fit));
        }
        if (everything) {
            demanded = Math.max(demanded, ALL_RATIO);
        }
        if (unknownPayloads(evidence, fit)) {
            demanded = Math.max(demanded, UNKNOWN_PAYLOAD_RATIO);
        }
        if (onlyUneven(evidence, fit)) {
            if (lasting) {
                return; // so may the loads be spread, for as long as was seen
            }
            demanded = Math.max(demanded, UNEVEN_RATIO);
        }
        double ratio = ratio(evidence, fit);
        if ((everything && !across) || ratio < demanded) {
            return;
        }
        Suspect s = suspect(evidence, fit, across, ratio, demanded);
        if (s != null) {
            suspects.add(s);
        }
    }

    /** Uneven exchanges last as their loads are spread, which the largest payload tells in part only. */
    private static boolean onlyUneven(LinkEvidence evidence, LinkFit fit) {
        return fit.element().traffic().stream()
                .map(evidence.traffic::get)
                .allMatch(t -> t.finding().op() == CollectiveOp.ALL_TO_ALL_V);
    }

    /** The least lasting ratio that is more than healthy groups spread, of the kinds that are slow. */
    private static double lastingLimit(LinkEvidence evidence, LinkFit fit) {
        return Math.exp(fit.element().traffic().stream()
                .mapToDouble(i -> evidence.lastingLimit[evidence.traffic.get(i).kind()])
                .min()
                .orElse(0));
    }

    private static boolean unknownPayloads(LinkEvidence evidence, LinkFit fit) {
        return fit.element().traffic().stream()
                .map(evidence.traffic::get)
                .noneMatch(t -> t.finding().bytes() > 0);
    }

    /**
     * All transfers between hosts last now long, now short, from the first step to the last: no step is healthy, only the shortest transfers are. Where payloads are not stated, it may be these that differ.
     */
    private void unsteady(LinkEvidence inside, LinkEvidence across, List<Suspect> suspects) {
        double usual = Double.isNaN(inside.unsteadiness) ? UNSTEADY_ALONE : STEADIER * inside.unsteadiness;
        if (!(across.surelyUnsteady >= Math.max(UNSTEADY, usual)) || across.steps.length < MIN_UNSTEADY_STEPS) {
            return;
        }
        double[] levels = across.shortest();
        across.level(levels);
        List<Integer> traffic =
                IntStream.range(0, across.traffic.size()).boxed().toList();
        boolean[] active = new boolean[across.steps.length];
        Arrays.fill(active, true);
        LinkElement element = new LinkElement(Form.ALL, RankSet.EMPTY, List.of(), traffic, 0);
        double score = LinkSearch.LEAST_SCORE * across.surelyUnsteady / Math.max(UNSTEADY, usual);
        double excess = across.excess(levels);
        LinkFit fit = new LinkFit(element, active, excess, score);
        if (Math.exp(excess) < ALL_RATIO || unknownPayloads(across, fit)) {
            return;
        }
        Suspect s = suspect(across, fit, true, Math.exp(excess), 1 + UNSTEADY);
        if (s != null) {
            s.why = "Transfers between hosts of the same kind differ by " + Say.percent(across.unsteadiness)
                    + " from one to the next, over all hosts and steps; a slow link would be slow evenly.";
            suspects.add(s);
        }
    }

    /**
     * What the affected transfers take, over healthy ones: the median over groups and steps of the kinds that can be compared and did
     * not escape, weighted up to bandwidth alone; 1 when there are none.
     */
    private static double ratio(LinkEvidence evidence, LinkFit fit) {
        boolean[] compared = evidence.compared(fit.element(), fit.active());
        List<Double> all = new ArrayList<>();
        for (int kind = 0; kind < compared.length; kind++) {
            int k = kind;
            double[] ratios = fit.element().traffic().stream()
                    .map(evidence.traffic::get)
                    .filter(t -> t.kind() == k && compared[k])
                    .flatMapToDouble(t -> IntStream.range(0, fit.active().length)
                            .filter(at -> fit.active()[at])
                            .mapToDouble(at -> Math.expm1(t.logs()[at] - evidence.healthy[k]) / evidence.weight[k]))
                    .toArray();
            if (Robust.median(ratios) > ESCAPED * Math.expm1(fit.strength())) {
                Arrays.stream(ratios).filter(r -> !Double.isNaN(r)).forEach(all::add);
            }
        }
        return all.isEmpty()
                ? 1
                : 1 + Robust.median(all.stream().mapToDouble(v -> v).toArray());
    }

    private @Nullable Suspect suspect(
            LinkEvidence evidence, LinkFit fit, boolean across, double ratio, double demanded) {
        LinkElement e = fit.element();
        IncidentKind kind = !across
                ? IncidentKind.NVLINK_DEGRADED
                : e.form() == Form.ALL ? IncidentKind.FABRIC_CONGESTION : IncidentKind.LINK_DEGRADED;
        String host = e.hosts().size() == 1 ? e.hosts().getFirst() : "";
        Suspect s = new Suspect(kind, scope(e, host), e.ranks(), host);
        int most = Math.max(8, shape.worldSize() / 4);
        boolean blind = e.form() == Form.ALL && shape.ranks().size() < RECORDED_SHARE * shape.worldSize();
        s.observation = blind || (e.form() == Form.RAIL && e.ranks().size() > most);
        double excess = claim(s, evidence, fit);
        if (s.claims.isEmpty() || excess / s.claims.size() < MIN_STEP_RATIO * times.typicalNanos()) {
            return null;
        }
        s.activeSteps = s.claims.size();
        s.margin = fit.score() / LinkSearch.LEAST_SCORE;
        s.levels.add(Level.L2);
        s.levels.add(Level.L3);
        s.what = "transfers " + Say.times(ratio) + " as long as groups of the same kind";
        s.why = "A transfer is the shortest member's duration, so nobody was late: "
                + e.traffic().size() + " of "
                + evidence.traffic.size() + " groups or pairs are slow"
                + (e.form() == Form.ALL ? ", over many hosts at once." : ", and this is what they have in common.");
        s.advice = CauseRules.advice(kind);
        evidence(s, evidence, fit, demanded);
        return s;
    }

    private Scope scope(LinkElement e, String host) {
        return switch (e.form()) {
            case ALL -> Scope.JOB;
            case HOST -> Scope.HOST;
            case PAIR -> Scope.PAIR;
            case LEAF -> Scope.SWITCH;
            case RAIL -> !host.isEmpty() && e.ranks().equals(shape.ranksOn(host)) ? Scope.HOST : Scope.RAIL;
        };
    }

    /**
     * By step: of what the slow transfers of one rank took longer, as far as no compute covered it, the most that a rank had. Returns
     * the same over all steps, covered or not.
     */
    private static double claim(Suspect s, LinkEvidence evidence, LinkFit fit) {
        boolean[] compared = evidence.compared(fit.element(), fit.active());
        boolean everything = fit.element().form() == Form.ALL;
        double total = 0;
        for (int at = 0; at < fit.active().length; at++) {
            if (!fit.active()[at]) {
                continue;
            }
            Map<Integer, Double> byRank = new HashMap<>();
            Map<Integer, Double> covered = new HashMap<>();
            for (int i : fit.element().traffic()) {
                LinkTraffic t = evidence.traffic.get(i);
                double log = t.logs()[at];
                double healthy = everything || compared[t.kind()]
                        ? evidence.healthy[t.kind()]
                        : log - expected(evidence, fit, t);
                if (log > healthy) {
                    TransferFinding f = t.finding();
                    double excess = (Math.exp(log) - Math.exp(healthy)) * f.instances();
                    double nanos = Math.min(excess, exposed(f, evidence.steps[at]));
                    f.ranks().stream().forEach(r -> {
                        byRank.merge(r, nanos, Double::sum);
                        covered.merge(r, excess, Double::sum);
                    });
                }
            }
            s.claims.put(evidence.steps[at], Math.max(HIDDEN_NANOS, most(byRank)));
            total += most(covered);
        }
        return total;
    }

    private static double most(Map<Integer, Double> byRank) {
        return byRank.values().stream().mapToDouble(v -> v).max().orElse(0);
    }

    /** What a kind that cannot be compared should take longer, as the others say; nothing where it may have escaped. */
    private static double expected(LinkEvidence evidence, LinkFit fit, LinkTraffic t) {
        return evidence.manyPerHost[t.kind()] ? 0 : Math.log1p(evidence.weight[t.kind()] * Math.expm1(fit.strength()));
    }

    private static double exposed(TransferFinding f, long step) {
        int at = Arrays.binarySearch(f.seen(), step);
        return at >= 0 ? f.exposed()[at] : 0;
    }

    private static void evidence(Suspect s, LinkEvidence evidence, LinkFit fit, double demanded) {
        for (int i : fit.element().traffic()) {
            LinkTraffic t = evidence.traffic.get(i);
            TransferFinding f = t.finding();
            s.groups.add(f.ranks());
            double sum = 0;
            int n = 0;
            for (int at = 0; at < fit.active().length; at++) {
                if (fit.active()[at] && !Double.isNaN(t.logs()[at])) {
                    sum += t.logs()[at] - evidence.healthy[t.kind()];
                    n++;
                }
            }
            if (s.evidence.size() < 4 && n > 0) {
                s.evidence.add(new Evidence(
                        "transfer (" + f.op().name().toLowerCase(Locale.ROOT).replace('_', '-') + ") among ranks "
                                + f.ranks(),
                        Math.exp(sum / n),
                        "x",
                        "groups of the same kind, and the group's own other steps",
                        demanded));
            }
        }
    }
}
