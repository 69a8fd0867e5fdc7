package dev.argus.hostlocal;

import dev.argus.engine.ClockSkew;
import dev.argus.model.HostClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The clocks of hosts in a few lines: one for each reference, and one for those that cannot be aligned. */
final class ClockLines {
    private static final int MOST_NAMES = 4;

    private ClockLines() {}

    /** With the thresholds; none where there is one host or none. */
    static List<String> of(List<HostClock> clocks) {
        if (clocks.stream().map(HostClock::host).distinct().count() < 2) {
            return List.of();
        }
        Map<String, List<HostClock>> together = new TreeMap<>();
        Map<String, TreeSet<String>> refused = new TreeMap<>();
        for (HostClock c : clocks) {
            HostClock.Refusal why = c.refusal();
            String attempt = c.attempt() == 0 ? "" : " in attempt " + c.attempt();
            if (why == null) {
                together.computeIfAbsent(c.reference() + attempt, r -> new ArrayList<>())
                        .add(c);
            } else {
                refused.computeIfAbsent(why.text() + attempt, r -> new TreeSet<>())
                        .add(c.host());
            }
        }
        List<String> lines = new ArrayList<>(ClockSkew.lines());
        together.forEach((reference, list) -> lines.add(aligned(reference, list)));
        refused.forEach((why, hosts) -> lines.add("clocks of " + some(hosts) + ": not aligned, " + why));
        return lines;
    }

    private static String aligned(String reference, List<HostClock> list) {
        long low = list.stream().mapToLong(HostClock::offsetNanos).min().orElse(0);
        long high = list.stream().mapToLong(HostClock::offsetNanos).max().orElse(0);
        long error = list.stream().mapToLong(HostClock::errorNanos).max().orElse(0);
        long residual = list.stream().mapToLong(HostClock::residualNanos).max().orElse(0);
        double drift =
                list.stream().mapToDouble(c -> Math.abs(c.driftPpm())).max().orElse(0);
        return String.format(
                Locale.ROOT,
                "clocks of %d hosts against %s: offsets %.3f to %.3f ms, drift at most %.1f ppm; error at most %.1f us, residuals %.1f us",
                list.size(),
                reference,
                low / 1e6,
                high / 1e6,
                drift,
                error / 1e3,
                residual / 1e3);
    }

    private static String some(Set<String> hosts) {
        String names = String.join(", ", hosts.stream().limit(MOST_NAMES).toList());
        return hosts.size() <= MOST_NAMES ? names : names + " and " + (hosts.size() - MOST_NAMES) + " more";
    }
}
