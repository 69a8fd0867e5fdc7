package dev.argus.hostlocal;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Versions of the software of one attempt: of each what most of its ranks state. */
final class Software {
    private Software() {}

    static Map<String, String> of(Map<Integer, LoadedPart> byRank) {
        Map<String, Map<String, Integer>> counts = new TreeMap<>();
        byRank.values()
                .forEach(p -> p.header()
                        .software()
                        .forEach((name, version) -> counts.computeIfAbsent(name, n -> new HashMap<>())
                                .merge(version, 1, Integer::sum)));
        Map<String, String> software = new TreeMap<>();
        counts.forEach((name, versions) -> versions.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .ifPresent(e -> software.put(name, e.getKey())));
        return software;
    }
}
