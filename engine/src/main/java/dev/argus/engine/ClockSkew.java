package dev.argus.engine;

import dev.argus.model.Cost;
import dev.argus.model.Evidence;
import dev.argus.model.HostClock;
import dev.argus.model.HostText;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Hosts whose clock is so far off that whoever lays timelines or logs side by side is misled: an observation that costs nothing and accuses
 * nobody. No level of the diagnosis needs aligned clocks, and none looks at them.
 *
 * <p>A clock is off when it is, beyond the bounds of error, {@value #SKEW_NANOS} ns from the middle clock of the hosts with its reference: time
 * servers keep hosts of one site within a few milliseconds, so nobody disciplines that clock, and events fall into another phase. Or half a
 * step and {@value #LEAST_SKEW_NANOS} ns or more: events fall into another step. Its drift is abnormal from {@value #DRIFT_PPM} ppm from the middle
 * drift on, twice what a crystal may be off. Of two hosts the one that is ahead, or faster, is named: which is right cannot be known.
 */
public final class ClockSkew {
    private static final double SKEW_NANOS = 10e6;
    private static final double LEAST_SKEW_NANOS = 1e6;
    private static final double STEP_RATIO = 0.5;
    private static final double DRIFT_PPM = 100;

    /** The bounds are of three standard deviations; what all ends have in common is assumed. */
    private static final double CONFIDENCE = 0.95;

    private final JobShape shape;
    private final List<HostClock> clocks;
    private final Pace pace;

    /** What is off, and by how much beyond its bound. */
    private record Off(HostClock clock, double nanos, double ppm) {}

    /**
     * Of one attempt.
     *
     * @param clocks the clocks of its hosts
     * @param pace how fast it was; {@link Pace#NONE} where there were no steps
     */
    public ClockSkew(JobShape shape, List<HostClock> clocks, Pace pace) {
        this.shape = shape;
        this.clocks = clocks;
        this.pace = pace;
    }

    /** The thresholds as lines for people. */
    public static List<String> lines() {
        return List.of(
                "clocks of hosts: apart: " + SKEW_NANOS / 1e6 + " ms, or " + STEP_RATIO + " of a step and "
                        + LEAST_SKEW_NANOS / 1e6 + " ms, from the middle clock and beyond the bounds",
                "clocks of hosts: drift: " + DRIFT_PPM + " ppm from the middle drift");
    }

    /** The observation, if a clock is off. */
    public Optional<Concluded> judge() {
        Map<String, List<HostClock>> together = new TreeMap<>();
        for (HostClock c : clocks) {
            if (c.isAligned()) {
                together.computeIfAbsent(c.reference(), r -> new ArrayList<>()).add(c);
            }
        }
        List<Off> off = new ArrayList<>();
        together.values().forEach(list -> off.addAll(off(list)));
        if (off.isEmpty()) {
            return Optional.empty();
        }
        off.sort(Comparator.comparingDouble((Off o) -> -severity(o))
                .thenComparing(o -> o.clock().host()));
        return Optional.of(Concluded.beside(shape.attempt(), List.of(), List.of(observation(off)), List.of()));
    }

    private double limit() {
        double halfStep = pace.known() ? STEP_RATIO * pace.stepNanos() : Double.POSITIVE_INFINITY;
        return Math.min(SKEW_NANOS, Math.max(LEAST_SKEW_NANOS, halfStep));
    }

    private double severity(Off o) {
        return Math.max(Math.abs(o.nanos()) / limit(), Math.abs(o.ppm()) / DRIFT_PPM);
    }

    private List<Off> off(List<HostClock> together) {
        HostClock middle = middle(together, Comparator.comparingLong(HostClock::offsetNanos));
        HostClock steady = middle(together, Comparator.comparingDouble(HostClock::driftPpm));
        List<Off> off = new ArrayList<>();
        for (HostClock c : together) {
            double nanos = beyond(
                    (double) (c.offsetNanos() - middle.offsetNanos()),
                    c.errorNanos() + (double) middle.errorNanos(),
                    limit());
            double ppm =
                    beyond(c.driftPpm() - steady.driftPpm(), c.driftErrorPpm() + steady.driftErrorPpm(), DRIFT_PPM);
            if (nanos != 0 || ppm != 0) {
                off.add(new Off(c, nanos, ppm));
            }
        }
        return off;
    }

    private static HostClock middle(List<HostClock> together, Comparator<HostClock> order) {
        HostClock[] sorted = together.toArray(HostClock[]::new);
        Arrays.sort(sorted, order);
        return sorted[(sorted.length - 1) / 2];
    }

    /** The distance where it reaches a limit for certain; else 0. */
    private static double beyond(double distance, double error, double limit) {
        return Math.abs(distance) - error >= limit ? distance : 0;
    }

    private Incident observation(List<Off> off) {
        List<Evidence> evidence = new ArrayList<>();
        for (Off o : off) {
            String host = "clock of " + o.clock().host();
            if (o.nanos() != 0) {
                String bound = "the middle clock; error at most "
                        + Say.time((double) o.clock().errorNanos());
                evidence.add(new Evidence(host, o.nanos() / 1e6, "ms", bound, limit() / 1e6));
            }
            if (o.ppm() != 0) {
                evidence.add(new Evidence(host + ", drift", o.ppm(), "ppm", "the middle drift", DRIFT_PPM));
            }
        }
        List<String> hosts = off.stream().map(o -> o.clock().host()).sorted().toList();
        return new Incident(
                IncidentIds.of(shape.attempt(), IncidentKind.CLOCK_SKEW, Scope.HOST, RankSet.EMPTY, shape.worldSize()),
                IncidentKind.CLOCK_SKEW,
                Scope.HOST,
                Severity.INFO,
                CONFIDENCE,
                Set.of(Level.L4),
                IncidentState.ONGOING,
                pace.known() ? pace.startNanos() : 0,
                null,
                shape.attempt(),
                RankSet.EMPTY,
                List.of(),
                hosts,
                List.of(),
                pace.firstStep(),
                pace.lastStep(),
                List.of(),
                null,
                summary(off),
                "All members of a collective end together; their clocks show it at different times. Steps, waits and kernels are"
                        + " compared by differences on one clock each, which this does not change.",
                "Discipline the clocks of these hosts (chrony, PTP); until then put timelines and logs of several hosts side by"
                        + " side only after correction by the offsets of the verdict's clocks.",
                evidence,
                Cost.NONE);
    }

    private static String summary(List<Off> off) {
        Off worst = off.getFirst();
        String text = "the clock of " + HostText.of(worst.clock().host());
        if (worst.nanos() != 0) {
            text += " is " + Say.time(Math.abs(worst.nanos())) + (worst.nanos() > 0 ? " ahead of" : " behind")
                    + " the middle clock";
        }
        if (worst.ppm() != 0) {
            text += (worst.nanos() == 0 ? "" : " and")
                    + (worst.ppm() > 0 ? " gains " : " loses ")
                    + String.format(Locale.ROOT, "%.0f ppm", Math.abs(worst.ppm()));
        }
        return off.size() == 1
                ? text
                : text + "; those of " + (off.size() - 1) + (off.size() == 2 ? " other host" : " other hosts")
                        + " are off too";
    }
}
