package dev.argus.hostlocal;

import dev.argus.model.JobShape;
import dev.argus.model.Topology;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells attempts of one job from different jobs recorded one after the other.
 *
 * <p>A restart may change hosts, or the number of data-parallel replicas; it keeps the model, and so the tensor and pipeline sizes
 * and the kernels. Traces are of different jobs when their model-parallel sizes differ; when they share no host, and differ in world
 * size or in all kernels; and, where hosts are not stated, when both world size and all kernels differ.
 */
final class JobIdentity {
    private JobIdentity() {}

    /** Why two attempts cannot be of one job, or empty. */
    static String difference(JobShape a, Map<Integer, LoadedPart> partsA, JobShape b, Map<Integer, LoadedPart> partsB) {
        boolean layouts = !a.topology().dimensions().isEmpty()
                && !b.topology().dimensions().isEmpty();
        boolean model = layouts
                && (a.topology().size("tp") != b.topology().size("tp")
                        || a.topology().size("pp") != b.topology().size("pp"));
        Set<String> hostsA = hosts(partsA);
        Set<String> hostsB = hosts(partsB);
        boolean strangers = hostsA.isEmpty() || hostsB.isEmpty() || disjoint(hostsA, hostsB);
        boolean known = !hostsA.isEmpty() && !hostsB.isEmpty();
        boolean world = a.worldSize() != b.worldSize();
        Set<Long> workA = work(partsA);
        Set<Long> workB = work(partsB);
        boolean otherWork = !workA.isEmpty() && !workB.isEmpty() && disjoint(workA, workB);
        boolean nothingInCommon = known ? world || otherWork : world && otherWork;
        if (model || (strangers && nothingInCommon)) {
            return "traces of different jobs: " + describe(a, partsA) + " and " + describe(b, partsB)
                    + "; give the traces of one job at a time";
        }
        return "";
    }

    private static <T> boolean disjoint(Set<T> a, Set<T> b) {
        return a.stream().noneMatch(b::contains);
    }

    /** Hosts that the traces state. */
    private static Set<String> hosts(Map<Integer, LoadedPart> parts) {
        Set<String> hosts = new HashSet<>();
        parts.values().forEach(p -> hosts.add(p.header().host()));
        hosts.remove("");
        return hosts;
    }

    private static Set<Long> work(Map<Integer, LoadedPart> parts) {
        Set<Long> work = new HashSet<>();
        parts.values().forEach(p -> work.add(p.trace().workSignature()));
        work.remove(0L);
        return work;
    }

    private static String describe(JobShape shape, Map<Integer, LoadedPart> parts) {
        StringBuilder text = new StringBuilder("one of " + shape.worldSize() + " ranks");
        String separator = " (";
        for (Topology.Dimension d : shape.topology().dimensions()) {
            text.append(separator).append(d.name()).append('=').append(d.size());
            separator = ",";
        }
        List<String> labels = parts.values().stream().map(LoadedPart::label).toList();
        return text + (separator.equals(",") ? ")" : "") + " in " + Labels.some(labels);
    }
}
