package dev.argus.engine;

import dev.argus.model.CollectiveOp;
import dev.argus.model.JobShape;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The transfers of one kind in one group, or in one direction between two ranks, as the search for a slow link sees them.
 *
 * @param finding what was seen
 * @param kind number of the kind: same operation, payload, size, number of hosts and fewest members on one
 * @param hosts hosts of the members, in the order of the ranks, each once
 * @param logs natural logarithm of the median transfer at each step of the evidence, NaN where nothing was seen
 */
@SuppressWarnings("ArrayRecordComponent")
record LinkTraffic(TransferFinding finding, int kind, List<String> hosts, double[] logs) {
    static List<String> hosts(TransferFinding f, JobShape shape) {
        Set<String> hosts = new LinkedHashSet<>();
        f.ranks().stream().mapToObj(shape::hostOf).filter(h -> !h.isEmpty()).forEach(hosts::add);
        return List.copyOf(hosts);
    }

    /** What makes two transfers comparable. */
    record Kind(CollectiveOp op, long bytes, int ranks, int hosts, int perHost) {
        static Kind of(TransferFinding f) {
            return new Kind(f.op(), f.bytes(), f.ranks().size(), f.hosts(), f.perHost());
        }
    }

    /**
     * Pairs of hosts that its bytes pass: a ring is assumed to follow the ranks, as libraries build it where all hosts are equally
     * far from each other.
     */
    List<List<String>> pairs() {
        List<List<String>> pairs = new ArrayList<>();
        int n = hosts.size();
        for (int i = 0; i < (n == 2 ? 1 : n); i++) {
            String a = hosts.get(i);
            String b = hosts.get((i + 1) % n);
            pairs.add(a.compareTo(b) < 0 ? List.of(a, b) : List.of(b, a));
        }
        return pairs;
    }
}
