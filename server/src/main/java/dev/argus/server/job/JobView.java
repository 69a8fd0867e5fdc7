package dev.argus.server.job;

import dev.argus.model.HostClock;
import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.storage.Rows;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a job at one moment. All texts are hostile.
 *
 * @param job name
 * @param attempt newest attempt, -1 before a rank has said who it is
 * @param shape who runs where and does what; null before the first conclusion
 * @param expected ranks the job has, as far as known
 * @param reporting ranks that report now: declared, with a process, heard within {@link #SILENT_NANOS}, and waited for by steps
 * @param silent ranks that have said who they are, whose processes are not known to have ended, and that do not report
 * @param newestStep newest step that all ranks that report have ended, -1 before the first
 * @param last that step; null before the first
 * @param lastPhases its phases
 * @param usualNanos median length of recent steps, 0 when unknown
 * @param firstNanos when the job was first heard of, nanoseconds since the Unix epoch by the clock of the server
 * @param heardNanos when it was last heard of
 * @param lagNanos from the arrival of the oldest record that waits to now; 0 when none waits
 * @param standing true while it stands still
 * @param ended true when the processes of all its ranks have ended
 * @param incidents what is open, most costly now first, and what ended last
 * @param observations what explains slowness and needs no action
 * @param lostGpuSeconds GPU time lost by incidents so far
 * @param measuredNanos step time measured
 * @param notes what was contradictory or left out, in sentences
 * @param losses records missing so far, by reason
 * @param agents the hosts' agents by host
 * @param clocks clocks of the hosts against each other, as far as collectives tell; empty before they do
 * @param gone whose processes have ended, and how
 */
public record JobView(
        String job,
        int attempt,
        @Nullable JobShape shape,
        int expected,
        RankSet reporting,
        RankSet silent,
        long newestStep,
        Rows.@Nullable Step last,
        List<Rows.Phase> lastPhases,
        long usualNanos,
        long firstNanos,
        long heardNanos,
        long lagNanos,
        boolean standing,
        boolean ended,
        List<Incident> incidents,
        List<Incident> observations,
        double lostGpuSeconds,
        double measuredNanos,
        List<String> notes,
        Map<String, Long> losses,
        Map<String, AgentView> agents,
        List<HostClock> clocks,
        Gone gone) {
    /** Agents say something every second: of whom nothing was heard for so long nothing is said of now. */
    public static final long SILENT_NANOS = 30_000_000_000L;

    /**
     * Processes that have ended.
     *
     * @param ranks whose
     * @param said true when those of all ranks have, and have said so: nothing was killed
     * @param how how the job came to its end, in words; empty while any process is there
     */
    public record Gone(RankSet ranks, boolean said, String how) {
        /** None, as far as known. */
        public static final Gone NONE = new Gone(RankSet.EMPTY, false, "");
    }

    /**
     * The agent of a host.
     *
     * @param host host
     * @param ranks ranks on it
     * @param heardNanos when it was last heard of, by the clock of the server
     * @param clockNanos by how much the clock of the host is ahead of the server's, as far as frames tell; 0 when it is not
     * @param cpuRatio CPU time that the agent used over the last reading, of one core; NaN when unknown
     * @param memoryBytes its memory, -1 when unknown
     * @param slowerRatio by how much the job is slower for being watched; NaN when not measured
     */
    public record AgentView(
            String host,
            RankSet ranks,
            long heardNanos,
            long clockNanos,
            double cpuRatio,
            long memoryBytes,
            double slowerRatio) {}

    /**
     * Bound on the error of the offsets between the clocks of hosts that can be held against each other, nanoseconds; NaN before any can.
     */
    public double clockErrorNanos() {
        return clocks.stream()
                .filter(HostClock::isAligned)
                .mapToDouble(HostClock::errorNanos)
                .max()
                .orElse(Double.NaN);
    }

    /** True if nothing was heard of it for so long that nothing is said of now. */
    public boolean isUnheard(long nowNanos) {
        return nowNanos - heardNanos > SILENT_NANOS;
    }

    /** Copies defensively. */
    public JobView {
        lastPhases = List.copyOf(lastPhases);
        incidents = List.copyOf(incidents);
        observations = List.copyOf(observations);
        notes = List.copyOf(notes);
        losses = Map.copyOf(losses);
        agents = Map.copyOf(agents);
        clocks = List.copyOf(clocks);
    }
}
