package dev.argus.hostlocal;

import dev.argus.digest.JobBuilder;
import dev.argus.model.DataProblem;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Sorts traces into attempts of one job. A rank recorded at disjoint times means two attempts; at overlapping times it is a conflict,
 * and neither is used. Different world sizes at overlapping times are different jobs.
 */
final class Attempts {
    private final List<Map<Integer, LoadedPart>> byAttempt = new ArrayList<>();
    private final List<DataProblem> problems = new ArrayList<>();
    private final IdentityHashMap<LoadedPart, Integer> attemptOf = new IdentityHashMap<>();
    private String twoJobs = "";

    private Attempts() {}

    static Attempts of(List<LoadedPart> parts) {
        Attempts a = new Attempts();
        List<LoadedPart> known = new ArrayList<>();
        List<LoadedPart> unknown = new ArrayList<>();
        for (LoadedPart p : parts) {
            if (p.hasEvents()) {
                boolean rank = p.header().rank() >= 0 && p.header().rank() < JobBuilder.MAX_WORLD;
                (rank ? known : unknown).add(p);
            }
        }
        a.unknownRanks(known, unknown);
        a.split(known);
        return a;
    }

    /** The traces of each attempt by rank, oldest first. */
    List<Map<Integer, LoadedPart>> list() {
        return byAttempt;
    }

    /** Attempt of a trace; 0 for traces in none. */
    int attemptOf(LoadedPart part) {
        return attemptOf.getOrDefault(part, 0);
    }

    List<DataProblem> problems() {
        return problems;
    }

    /** Why these are the traces of more than one job; empty when they are not. */
    String twoJobs() {
        return twoJobs;
    }

    private void unknownRanks(List<LoadedPart> known, List<LoadedPart> unknown) {
        if (unknown.isEmpty()) {
            return;
        }
        List<String> labels = unknown.stream().map(LoadedPart::label).toList();
        problems.add(new DataProblem(
                "rank-unknown",
                RankSet.EMPTY,
                (unknown.size() == 1 ? "the rank of " + labels.getFirst() : "the ranks of " + Labels.some(labels))
                        + " cannot be told from content or name; put it into the file name, as in rank3.json.gz"));
        if (known.isEmpty() && unknown.size() == 1) {
            known.add(unknown.getFirst());
        }
    }

    private void split(List<LoadedPart> parts) {
        List<List<LoadedPart>> periods = periods(parts);
        for (List<LoadedPart> period : periods) {
            Map<String, List<String>> worlds = new TreeMap<>();
            Map<String, List<String>> jobs = new TreeMap<>();
            for (LoadedPart p : period) {
                int world = p.header().worldSize();
                if (world > 0 && world <= JobBuilder.MAX_WORLD) {
                    file(worlds, world + " ranks", p);
                }
                if (!p.header().jobName().isEmpty()) {
                    file(jobs, p.header().jobName(), p);
                }
            }
            twoJobs = worlds.size() > 1 ? different(worlds) : jobs.size() > 1 ? different(jobs) : "";
            if (!twoJobs.isEmpty()) {
                return;
            }
        }
        for (List<LoadedPart> period : periods) {
            attempt(period);
        }
    }

    private static void file(Map<String, List<String>> by, String key, LoadedPart part) {
        by.computeIfAbsent(key, k -> new ArrayList<>()).add(part.label());
    }

    private static String different(Map<String, List<String>> jobs) {
        List<String> each = new ArrayList<>();
        jobs.forEach((job, labels) -> each.add(job + " (" + Labels.some(labels) + ")"));
        return "traces of different jobs at the same time: " + String.join(" and ", each)
                + "; give the traces of one job at a time";
    }

    /** Traces that overlap in time, as long as a rank or a world size tells them apart; else all are one period. */
    private static List<List<LoadedPart>> periods(List<LoadedPart> parts) {
        Set<Integer> ranks = new HashSet<>();
        Set<Integer> worlds = new HashSet<>();
        boolean twice = false;
        for (LoadedPart p : parts) {
            twice |= !ranks.add(rank(p));
            if (p.header().worldSize() > 0) {
                worlds.add(p.header().worldSize());
            }
        }
        if (!twice && worlds.size() < 2) {
            return parts.isEmpty() ? List.of() : List.of(parts);
        }
        List<LoadedPart> sorted = new ArrayList<>(parts);
        sorted.sort(Comparator.comparingLong(p -> p.trace().firstNanos()));
        List<List<LoadedPart>> periods = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (LoadedPart p : sorted) {
            if (periods.isEmpty() || p.trace().firstNanos() > end) {
                periods.add(new ArrayList<>());
            }
            periods.getLast().add(p);
            end = Math.max(end, p.trace().lastNanos());
        }
        return periods;
    }

    private static int rank(LoadedPart p) {
        int rank = p.header().rank();
        return rank >= 0 && rank < JobBuilder.MAX_WORLD ? rank : 0;
    }

    private void attempt(List<LoadedPart> period) {
        Map<Integer, LoadedPart> byRank = new TreeMap<>();
        Map<Integer, List<String>> conflicts = new TreeMap<>();
        int attempt = byAttempt.size();
        for (LoadedPart p : period) {
            attemptOf.put(p, attempt);
            LoadedPart before = byRank.putIfAbsent(rank(p), p);
            if (before != null) {
                conflicts
                        .computeIfAbsent(rank(p), r -> new ArrayList<>(List.of(before.label())))
                        .add(p.label());
            }
        }
        conflicts.forEach((rank, labels) -> {
            byRank.remove(rank);
            problems.add(new DataProblem(
                    "duplicate-rank",
                    RankSet.of(rank),
                    "rank " + rank + " is claimed by " + Labels.some(labels)
                            + " at the same time; none of them is used: remove or rename the wrong one"));
        });
        byAttempt.add(byRank);
    }
}
