package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Suspects among links: intersects the groups (and pairs) whose transfers are slow, and holds them against those of the same kind
 * that are not.
 *
 * <p>Inside hosts: the host whose groups are slow. Across hosts: the one host that all slow groups touch and most untouched
 * ones do not; else the one pair of hosts; else, when most groups over many hosts suffer, the fabric, and nobody is accused.
 */
final class LinkSuspects {
    /** Share of a host's groups that must be slow. */
    private static final double HOST_SHARE = 0.6;

    /** Share of all groups from which on it is the fabric. */
    private static final double FABRIC_SHARE = 0.7;

    /** Cheaper excess, of the step, says nothing about a link: payloads are too small. */
    private static final double MIN_STEP_RATIO = 0.002;

    private final List<TransferFinding> all;
    private final JobShape shape;
    private final JobTimes times;
    private final double threshold;
    private final Set<Long> events;

    LinkSuspects(List<TransferFinding> all, JobShape shape, Thresholds thresholds, JobTimes times, Set<Long> events) {
        this.threshold = thresholds.transferRatio();
        this.all = all.stream().filter(TransferFinding::complete).toList();
        this.shape = shape;
        this.times = times;
        this.events = events;
    }

    List<Suspect> find() {
        List<Suspect> suspects = new ArrayList<>();
        List<TransferFinding> slow = all.stream().filter(this::costly).toList();
        if (slow.isEmpty() || shape.hostCount() == 0) {
            return suspects;
        }
        inside(slow.stream().filter(f -> !f.acrossHosts()).toList(), suspects);
        across(slow.stream().filter(TransferFinding::acrossHosts).toList(), suspects);
        return suspects;
    }

    private boolean costly(TransferFinding f) {
        double sum = 0;
        int quiet = 0;
        for (int i = 0; i < f.steps().length; i++) {
            sum += f.excessNanos()[i];
            quiet += events.contains(f.steps()[i]) ? 0 : 1;
        }
        return f.slow() && quiet >= 2 && sum / f.steps().length > MIN_STEP_RATIO * times.typicalNanos();
    }

    private Set<String> hosts(TransferFinding f) {
        Set<String> hosts = new TreeSet<>();
        f.ranks().stream().mapToObj(shape::hostOf).filter(h -> !h.isEmpty()).forEach(hosts::add);
        return hosts;
    }

    /** True if the same kind of transfer was compared here. */
    private static boolean sameKind(TransferFinding a, TransferFinding b) {
        return a.op() == b.op()
                && a.bytes() == b.bytes()
                && a.ranks().size() == b.ranks().size()
                && a.acrossHosts() == b.acrossHosts();
    }

    private List<TransferFinding> siblings(List<TransferFinding> slow) {
        return all.stream()
                .filter(f -> slow.stream().anyMatch(s -> sameKind(f, s)))
                .toList();
    }

    private void inside(List<TransferFinding> slow, List<Suspect> suspects) {
        Map<String, List<TransferFinding>> byHost = new TreeMap<>();
        for (TransferFinding f : slow) {
            hosts(f).forEach(h ->
                    byHost.computeIfAbsent(h, x -> new ArrayList<>()).add(f));
        }
        List<TransferFinding> kin = siblings(slow);
        Set<String> known = new TreeSet<>();
        kin.forEach(f -> known.addAll(hosts(f)));
        byHost.forEach((host, list) -> {
            long here = kin.stream().filter(f -> hosts(f).contains(host)).count();
            boolean alone = 2 * byHost.size() <= known.size() || known.size() == 1;
            if (list.size() >= HOST_SHARE * here && alone) {
                RankSet ranks = shape.ranksOn(host);
                suspects.add(suspect(IncidentKind.NVLINK_DEGRADED, Scope.HOST, ranks, host, list, kin.size()));
            }
        });
    }

    private void across(List<TransferFinding> slow, List<Suspect> suspects) {
        if (slow.isEmpty()) {
            return;
        }
        List<TransferFinding> kin = siblings(slow);
        RankSet shared = sharedRanks(slow, kin);
        if (!shared.isEmpty()) {
            String host = shape.hostOf(shared.get(0));
            boolean one = shared.stream().allMatch(r -> shape.hostOf(r).equals(host));
            suspects.add(suspect(IncidentKind.LINK_DEGRADED, Scope.RAIL, shared, one ? host : "", slow, kin.size()));
            return;
        }
        List<String> hosts = cover(slow, kin);
        if (hosts.size() == 1) {
            String host = hosts.getFirst();
            RankSet on = shape.ranksOn(host);
            RankSet bad = onlyIn(slow, kin, on);
            boolean few = !bad.isEmpty() && 2 * bad.size() < on.size();
            RankSet ranks = few ? bad : on;
            Scope scope = few ? Scope.RAIL : Scope.HOST;
            suspects.add(suspect(IncidentKind.LINK_DEGRADED, scope, ranks, host, slow, kin.size()));
            return;
        }
        Set<String> touched = new TreeSet<>();
        Set<String> common = new TreeSet<>(hosts(slow.getFirst()));
        for (TransferFinding f : slow) {
            touched.addAll(hosts(f));
            common.retainAll(hosts(f));
        }
        boolean everywhere =
                slow.size() >= FABRIC_SHARE * kin.size() && touched.size() >= Math.max(2, shape.hostCount() - 1);
        if (everywhere) {
            suspects.add(suspect(IncidentKind.FABRIC_CONGESTION, Scope.JOB, RankSet.EMPTY, "", slow, kin.size()));
        } else if (hosts.size() > 1) {
            RankSet ranks = hosts.stream().map(shape::ranksOn).reduce(RankSet.EMPTY, RankSet::union);
            suspects.add(suspect(IncidentKind.LINK_DEGRADED, Scope.SWITCH, ranks, "", slow, kin.size()));
        } else if (common.size() == 2) {
            RankSet on = common.stream().map(shape::ranksOn).reduce(RankSet.EMPTY, RankSet::union);
            RankSet used = slow.stream().map(TransferFinding::ranks).reduce(RankSet.EMPTY, RankSet::union);
            suspects.add(suspect(IncidentKind.LINK_DEGRADED, Scope.PAIR, on.intersect(used), "", slow, kin.size()));
        }
    }

    /** The few ranks that are in every slow transfer and in no other of the kind: their own interfaces; empty when there are none. */
    private RankSet sharedRanks(List<TransferFinding> slow, List<TransferFinding> kin) {
        RankSet shared = slow.getFirst().ranks();
        for (TransferFinding f : slow) {
            shared = shared.intersect(f.ranks());
        }
        boolean compared = false;
        for (TransferFinding f : kin) {
            if (!slow.contains(f)) {
                shared = shared.minus(f.ranks());
                compared = true;
            }
        }
        int most = Math.min(8, Math.max(1, shape.worldSize() / 4));
        return compared && shared.size() <= most ? shared : RankSet.EMPTY;
    }

    /**
     * The fewest hosts that all slow transfers touch, each of which is slow in most of its own; empty when there are none, or when
     * two hosts fit equally well.
     */
    private List<String> cover(List<TransferFinding> slow, List<TransferFinding> kin) {
        List<TransferFinding> left = new ArrayList<>(slow);
        List<String> chosen = new ArrayList<>();
        while (!left.isEmpty() && chosen.size() < Math.max(1, shape.hostCount() / 2)) {
            Set<String> candidates = new TreeSet<>();
            left.forEach(f -> candidates.addAll(hosts(f)));
            String best = "";
            double bestScore = 0;
            double second = 0;
            for (String host : candidates) {
                long with = kin.stream().filter(f -> hosts(f).contains(host)).count();
                long bad = slow.stream().filter(f -> hosts(f).contains(host)).count();
                long explains =
                        left.stream().filter(f -> hosts(f).contains(host)).count();
                double share = with == 0 ? 0 : (double) bad / with;
                double score = share < HOST_SHARE ? 0 : share * explains / left.size();
                if (score > bestScore) {
                    second = bestScore;
                    bestScore = score;
                    best = host;
                } else {
                    second = Math.max(second, score);
                }
            }
            boolean tie = chosen.isEmpty() && bestScore > 0.99 && second > bestScore / 1.15;
            if (best.isEmpty() || tie) {
                return List.of();
            }
            chosen.add(best);
            String taken = best;
            left.removeIf(f -> hosts(f).contains(taken));
        }
        return left.isEmpty() ? chosen : List.of();
    }

    /** The ranks of a host that are in slow transfers and in no other of the same kind. */
    private static RankSet onlyIn(List<TransferFinding> slow, List<TransferFinding> kin, RankSet on) {
        RankSet bad = RankSet.EMPTY;
        RankSet good = RankSet.EMPTY;
        for (TransferFinding f : kin) {
            RankSet here = f.ranks().intersect(on);
            if (slow.contains(f)) {
                bad = bad.union(here);
            } else {
                good = good.union(here);
            }
        }
        return bad.minus(good);
    }

    private Suspect suspect(
            IncidentKind kind, Scope scope, RankSet ranks, String host, List<TransferFinding> slow, int compared) {
        Suspect s = new Suspect(kind, scope, ranks, host);
        TreeMap<Long, Double> worst = new TreeMap<>();
        double ratio = 0;
        for (TransferFinding f : slow) {
            s.groups.add(f.ranks());
            ratio = Math.max(ratio, f.ratio());
            for (int i = 0; i < f.steps().length; i++) {
                if (!events.contains(f.steps()[i])) {
                    worst.merge(f.steps()[i], f.excessNanos()[i], Math::max);
                }
            }
        }
        worst.forEach(s::claim);
        s.activeSteps = worst.size();
        s.margin = ratio / threshold;
        s.levels.add(Level.L2);
        s.levels.add(Level.L3);
        s.what = "transfers " + Say.times(ratio) + " as long as groups of the same kind";
        s.why = "A transfer is the shortest member's duration, so nobody was late: " + slow.size() + " of " + compared
                + " groups or pairs of the same kind and volume are slow"
                + (scope == Scope.JOB ? ", over many hosts at once." : ", and this is what they have in common.");
        s.advice = CauseRules.advice(kind);
        for (TransferFinding f : slow) {
            if (s.evidence.size() < 4) {
                s.evidence.add(new Evidence(
                        "transfer (" + f.op().name().toLowerCase(Locale.ROOT).replace('_', '-') + ") among ranks "
                                + f.ranks(),
                        f.ratio(),
                        "x",
                        f.ownHistory() ? "the group's own quiet steps" : "median of groups of the same kind",
                        threshold));
            }
        }
        return s;
    }
}
