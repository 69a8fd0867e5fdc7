package dev.argus.simulator;

import dev.argus.simulator.Layout.Dimension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What a slow link can be told by: the communicators that suffer. Two faults that slow the same communicators cannot be told
 * apart by anybody, so both count as right; a fault that slows all of them cannot be located at all.
 */
final class LinkIdentity {
    private static final long MESSAGE = 1L << 60;
    private static final long LOW = (1L << 30) - 1;
    private final Scenario scenario;
    private final Layout layout;

    LinkIdentity(Scenario scenario) {
        this.scenario = scenario;
        this.layout = scenario.layout();
    }

    /** True when the fault is of a link that has a place. */
    static boolean concerns(Fault fault) {
        return fault instanceof Fault.SlowNetwork
                || fault instanceof Fault.SlowRail
                || fault instanceof Fault.SlowPair
                || fault instanceof Fault.SlowNvlink;
    }

    /** True when the communicators that suffer point to a place. */
    boolean locatable(Fault fault) {
        Set<Long> own = signature(fault);
        boolean nvlink = fault instanceof Fault.SlowNvlink;
        if (own.isEmpty() || own.size() == all(nvlink)) {
            return false;
        }
        if (fault instanceof Fault.SlowPair) {
            return hosts().noneMatch(h -> signature(network(h)).equals(own))
                    && suspects(fault).size() <= 24;
        }
        if (fault instanceof Fault.SlowNetwork network && network.hosts().length > 1) {
            return hosts().filter(h -> IntStream.of(network.hosts()).noneMatch(x -> x == h))
                    .noneMatch(h -> own.containsAll(signature(network(h))));
        }
        return suspects(fault).size() <= Math.max(8, layout.world() / 4);
    }

    /** Ranks which one may name: those at fault, and those nobody could tell from them. */
    NavigableSet<Integer> suspects(Fault fault) {
        NavigableSet<Integer> ranks = new TreeSet<>();
        Arrays.stream(fault.ranks(layout)).forEach(ranks::add);
        Set<Long> own = signature(fault);
        for (Fault other : alternatives(fault)) {
            if (signature(other).equals(own)) {
                Arrays.stream(other.ranks(layout)).forEach(ranks::add);
            }
        }
        return ranks;
    }

    private IntStream hosts() {
        return IntStream.range(0, layout.hosts());
    }

    private static Fault network(int host) {
        return new Fault.SlowNetwork(new int[] {host}, 2, When.always(0, 0));
    }

    /** Faults of the same form at the places which one of the suffering communicators has: no other can be alike. */
    private List<Fault> alternatives(Fault fault) {
        When when = When.always(0, 0);
        int[] ranks = signature(fault).stream()
                .min(Comparator.naturalOrder())
                .map(this::members)
                .orElse(new int[0]);
        int[] hosts = IntStream.of(ranks).map(layout::hostOf).distinct().toArray();
        List<Fault> others = new ArrayList<>();
        switch (fault) {
            case Fault.SlowNetwork n
            when n.hosts().length == 1 -> IntStream.of(hosts).forEach(h -> others.add(network(h)));
            case Fault.SlowRail r ->
                IntStream.of(ranks).forEach(rank -> others.add(new Fault.SlowRail(rank, r.factor(), when)));
            case Fault.SlowPair p -> {
                for (int a = 0; a < hosts.length; a++) {
                    for (int b = a + 1; b < hosts.length; b++) {
                        others.add(new Fault.SlowPair(hosts[a], hosts[b], p.factor(), when));
                    }
                }
            }
            default -> {}
        }
        return others;
    }

    private int[] members(long id) {
        if (id >= MESSAGE) {
            return new int[] {(int) (id >>> 30 & LOW), (int) (id & LOW)};
        }
        for (GroupKind kind : GroupKind.values()) {
            for (Group group : layout.groups(kind)) {
                if (group.id() == id) {
                    return group.ranks();
                }
            }
        }
        throw new IllegalArgumentException("no group has number " + id);
    }

    private boolean used(GroupKind kind) {
        return kind != GroupKind.WORLD
                && kind != GroupKind.PIPELINE
                && scenario.model().uses(kind);
    }

    private int all(boolean inside) {
        Set<Long> found = new HashSet<>();
        for (GroupKind kind : GroupKind.values()) {
            for (Group group : layout.groups(kind)) {
                if (used(kind) && group.size() > 1 && group.crossesHosts() != inside) {
                    found.add((long) group.id());
                }
            }
        }
        forMessages((source, target) -> {
            if ((layout.hostOf(source) == layout.hostOf(target)) == inside) {
                found.add(message(source, target));
            }
        });
        return found.size();
    }

    private static long message(int source, int target) {
        return MESSAGE | ((long) Math.min(source, target) << 30) | Math.max(source, target);
    }

    private interface Pair {
        void accept(int source, int target);
    }

    private void forMessages(Pair to) {
        int stages = layout.size(Dimension.PP);
        for (int rank = 0; stages > 1 && rank < layout.world(); rank++) {
            int stage = layout.coordinate(rank, Dimension.PP);
            if (stage + 1 < stages || scenario.model().chunks() > 1) {
                to.accept(rank, layout.atStage(rank, (stage + 1) % stages));
            }
        }
    }

    private Set<Long> signature(Fault fault) {
        int step = fault.when().steps().getFirst();
        Set<Long> found = new HashSet<>();
        for (GroupKind kind : GroupKind.values()) {
            for (Group group : layout.groups(kind)) {
                if (used(kind) && group.size() > 1 && slows(fault, group, step)) {
                    found.add((long) group.id());
                }
            }
        }
        forMessages((source, target) -> {
            if (fault.message(layout, source, target, step, 0) > 1) {
                found.add(message(source, target));
            }
        });
        return found;
    }

    private static boolean slows(Fault fault, Group group, int step) {
        return group.crossesHosts() ? fault.network(group, step, 0) > 1 : fault.nvlink(group, step) > 1;
    }
}
