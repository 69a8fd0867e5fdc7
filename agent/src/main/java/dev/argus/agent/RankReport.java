package dev.argus.agent;

import dev.argus.ring.RingControl;
import java.util.Map;

/**
 * How one watched process is, for who asks the agent.
 *
 * @param job job, hostile text
 * @param attempt attempt, -1 before its first step
 * @param rank global rank, -1 when it states none
 * @param pid process id on this host, -1 when it is not seen
 * @param process what the system says of it
 * @param newestStep newest step begun, -1 for none
 * @param control what its producers were asked to record
 * @param stacksPerSecond samples of its stacks
 * @param lost what its producers dropped so far, by reason
 * @param aside what was set aside here, by reason
 */
public record RankReport(
        String job,
        int attempt,
        int rank,
        long pid,
        String process,
        long newestStep,
        RingControl control,
        double stacksPerSecond,
        Map<String, Long> lost,
        Map<String, Long> aside) {
    /** Copies defensively. */
    public RankReport {
        lost = Map.copyOf(lost);
        aside = Map.copyOf(aside);
    }
}
