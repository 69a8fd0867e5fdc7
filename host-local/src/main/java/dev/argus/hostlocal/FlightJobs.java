package dev.argus.hostlocal;

import dev.argus.hostlocal.FlightDumps.Dump;
import dev.argus.model.FlightRecord.Group;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What tells the dumps of different jobs apart. Dumps name no job; but the ranks of one job agree about the groups they are in:
 *
 * <ul>
 *   <li>the group of all ranks has one size, and no rank lies beyond it;
 *   <li>where a rank says of another that both are in a group of a name, the other does not say so of another set of ranks alone. Said by both sides: a rank that has not come to making a group yet contradicts
 *       nobody.
 * </ul>
 *
 * @param different why these are of different jobs, empty when nothing says so
 * @param world size of the group of all ranks, -1 when unknown
 */
record FlightJobs(String different, int world) {
    /** Clocks of hosts differ by less, and whoever waits for a rank called soon after that rank's last call. */
    static final long APART_NANOS = 600_000_000_000L;

    private static final Set<String> ALL_RANKS = Set.of("default_pg", "group 0");

    /** Members of groups that are compared, in all. */
    private static final int MOST_MEMBERS = 1 << 22;

    private static final int MOST_DECLARERS = 4;

    static FlightJobs of(List<Dump> dumps, NameTable names) {
        TreeMap<Integer, List<String>> worlds = new TreeMap<>();
        for (Dump dump : dumps) {
            dump.record().groups().stream()
                    .filter(g -> g.complete() && ALL_RANKS.contains(names.name(g.label())))
                    .mapToInt(g -> g.members().size())
                    .max()
                    .ifPresent(world -> worlds.computeIfAbsent(world, w -> new ArrayList<>())
                            .add(dump.label()));
        }
        int world = worlds.isEmpty() ? -1 : worlds.lastKey();
        List<String> each = new ArrayList<>();
        worlds.forEach((ranks, labels) -> each.add("of " + ranks + " ranks (" + Labels.some(labels) + ")"));
        List<Dump> beyond = dumps.stream()
                .filter(d -> world > 0 && d.record().rank() >= world)
                .toList();
        if (!beyond.isEmpty()) {
            int highest = beyond.stream().mapToInt(d -> d.record().rank()).max().orElse(-1);
            each.add("of more than " + highest + " ranks ("
                    + Labels.some(beyond.stream().map(Dump::label).toList()) + ")");
        }
        return new FlightJobs(each.size() > 1 ? said(String.join(" and ", each)) : contradiction(dumps, names), world);
    }

    private static String said(String how) {
        return "flight recorder dumps of different jobs: " + how + "; give the dumps of one job at a time";
    }

    /** The dumps by time, oldest first: those of one time overlap, or are not far apart. Those that state no time are of the newest. */
    static List<List<Dump>> times(List<Dump> dumps) {
        List<Dump> sorted = new ArrayList<>(dumps);
        sorted.removeIf(d -> d.record().lastNanos() <= 0);
        sorted.sort(Comparator.comparingLong(d -> d.record().firstNanos()));
        List<List<Dump>> times = new ArrayList<>();
        long end = 0;
        for (Dump dump : sorted) {
            if (times.isEmpty() || dump.record().firstNanos() - end > APART_NANOS) {
                times.add(new ArrayList<>());
            }
            times.getLast().add(dump);
            end = Math.max(end, dump.record().lastNanos());
        }
        if (!times.isEmpty()) {
            dumps.stream().filter(d -> d.record().lastNanos() <= 0).forEach(times.getLast()::add);
        }
        return times;
    }

    // ---------------------------------------------------------------- groups

    /** Sets of ranks that go by one name, and by whom. */
    private static final class Named {
        final Map<RankSet, List<Dump>> declarers = new HashMap<>();
        final Map<Integer, List<RankSet>> byMember = new HashMap<>();
    }

    private static String contradiction(List<Dump> dumps, NameTable names) {
        Map<Integer, Named> byLabel = new HashMap<>();
        int members = 0;
        for (Dump dump : dumps) {
            for (Group g : described(dump, names)) {
                Named named = byLabel.computeIfAbsent(g.label(), l -> new Named());
                List<Dump> known = named.declarers.get(g.members());
                if (known == null) {
                    members += g.members().size();
                    if (members > MOST_MEMBERS) {
                        return "";
                    }
                    known = new ArrayList<>();
                    named.declarers.put(g.members(), known);
                    g.members().stream()
                            .forEach(r -> named.byMember
                                    .computeIfAbsent(r, k -> new ArrayList<>(1))
                                    .add(g.members()));
                }
                if (known.size() < MOST_DECLARERS) {
                    known.add(dump);
                }
            }
        }
        for (Dump dump : dumps) {
            for (Group g : described(dump, names)) {
                Named named = byLabel.get(g.label());
                String said = named == null ? "" : contradiction(dump, g, named, names);
                if (!said.isEmpty()) {
                    return said;
                }
            }
        }
        return "";
    }

    /** Another rank that says of this one that both are in a group of that name, with other members, while this one says the same of it. */
    private static String contradiction(Dump dump, Group g, Named named, NameTable names) {
        for (RankSet other : named.byMember.getOrDefault(dump.record().rank(), List.of())) {
            if (declares(dump, g.label(), other)) {
                continue;
            }
            for (Dump a : named.declarers.getOrDefault(other, List.of())) {
                if (g.members().contains(a.record().rank()) && !declares(a, g.label(), g.members())) {
                    return said("group " + names.name(g.label()) + " of rank "
                            + a.record().rank() + " has ranks " + other + " (" + a.label() + "), that of rank "
                            + dump.record().rank() + " ranks " + g.members() + " (" + dump.label() + ")");
                }
            }
        }
        return "";
    }

    /** Groups with a description: a bare name may mean another group on another rank. */
    private static List<Group> described(Dump dump, NameTable names) {
        return dump.record().groups().stream()
                .filter(g -> g.complete() && !names.name(g.label()).startsWith("group "))
                .toList();
    }

    private static boolean declares(Dump dump, int label, RankSet members) {
        return dump.record().groups().stream()
                .anyMatch(g -> g.label() == label && g.members().equals(members));
    }
}
