package dev.argus.agent.host;

import dev.argus.agent.Collector;
import dev.argus.agent.CollectorSink;
import dev.argus.agent.LocalJobs;
import dev.argus.agent.OwnCost;
import dev.argus.agent.RankReport;
import dev.argus.agent.control.ControlRequest;
import dev.argus.agent.history.RawHistory;
import dev.argus.agent.ship.ShippingSink;
import dev.argus.model.DataProblem;
import dev.argus.model.SafeText;
import dev.argus.ring.RingControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How an agent is, in lines for its user. Bounded by what it watches; safe to print whatever the names are. */
final class AgentStatus {
    private static final long SECOND = 1_000_000_000L;
    private static final double MIB = 1 << 20;
    private static final int MOST_RANKS = 512;

    private AgentStatus() {}

    static List<String> lines(
            HostAgentSettings settings,
            Collector collector,
            @Nullable ShippingSink ship,
            @Nullable RawHistory history,
            CollectorSink sink,
            long nowMono,
            long sinceNanos) {
        List<String> lines = new ArrayList<>();
        OwnCost.Used used = OwnCost.now(settings.options().proc());
        lines.add(String.format(
                Locale.ROOT,
                "agent: process %d, watching %s for %d s, %d processes, %d records taken",
                ProcessHandle.current().pid(),
                SafeText.of(settings.options().rings().toString()),
                sinceNanos / SECOND,
                collector.processes(),
                collector.records()));
        lines.add(String.format(
                Locale.ROOT,
                "cost: %.2f %% of one core since it began, %.0f MiB of memory",
                100.0 * used.cpuNanos() / Math.max(SECOND, sinceNanos),
                used.memoryBytes() / MIB));
        for (RankReport r : collector.ranks().stream().limit(MOST_RANKS).toList()) {
            lines.add(rank(r));
        }
        collector.overheads().forEach((job, e) -> {
            if (e.pairs() > 0) {
                lines.add(String.format(
                        Locale.ROOT,
                        "overhead%s: recording adds %.2f %% to a step (95 %%: %.2f to %.2f, %d pairs of runs)",
                        of(job),
                        100 * e.ratio(),
                        100 * e.low(),
                        100 * e.high(),
                        e.pairs()));
            }
        });
        if (ship != null) {
            ways(ship, lines);
        } else if (sink instanceof LocalJobs local) {
            local.jobs()
                    .forEach((job, live) -> lines.add(String.format(
                            Locale.ROOT,
                            "diagnosis%s: ranks %s, newest step %d, %d incidents",
                            of(job),
                            live.declared(),
                            live.newestStep(),
                            live.incidents().size())));
        }
        if (history != null) {
            long oldest = history.oldestNanos();
            lines.add(String.format(
                    Locale.ROOT,
                    "history: %.1f of %.0f MiB%s%s",
                    history.bytes() / MIB,
                    history.mostBytes() / MIB,
                    oldest == Long.MAX_VALUE
                            ? ""
                            : ", the last " + Math.max(0, (collector.epochNanos(nowMono) - oldest) / SECOND) + " s",
                    history.lostBlocks() == 0
                            ? ""
                            : "; " + history.lostBlocks() + " blocks were not taken by the disk"));
        } else {
            lines.add("history: none");
        }
        for (DataProblem p : collector.problems()) {
            lines.add("problem: " + p.detail());
        }
        return lines;
    }

    private static void ways(ShippingSink ship, List<String> lines) {
        for (ShippingSink.Way w : ship.ways()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "ship%s: %d shipments, %d frames (%.1f MiB) not yet safe there%s%s%s%s",
                    of(w.job()),
                    w.sender().shipments(),
                    w.frames(),
                    w.bytes() / MIB,
                    w.inMemory() ? ", the disk takes none" : "",
                    w.lost().isEmpty() ? "" : ", frames lost: " + counts(w.lost()),
                    w.sender().troubles().isEmpty()
                            ? ""
                            : ", tries that failed: " + counts(w.sender().troubles()),
                    w.sender().problem().isEmpty()
                            ? ""
                            : "; " + SafeText.sentence(w.sender().problem())));
        }
        if (ship.unshipped() > 0) {
            lines.add(ship.unshipped() + " records were dropped: their spool could not be opened");
        }
    }

    private static String of(String job) {
        return job.isEmpty() ? "" : " of job " + SafeText.of(job, 80);
    }

    private static String rank(RankReport r) {
        RingControl c = r.control();
        return String.format(
                Locale.ROOT,
                "rank %s%s: process %d %s, attempt %d, newest step %d, signals %s, kernels of one step in %d, turns %s, %.0f stacks a second%s%s",
                r.rank() < 0 ? "?" : Integer.toString(r.rank()),
                of(r.job()),
                r.pid(),
                r.process(),
                r.attempt(),
                r.newestStep(),
                signals(c.signals()),
                Math.max(1, c.oneIn()),
                c.stepsOff() == 0 ? "off" : c.stepsOn() + "/" + c.stepsOff(),
                r.stacksPerSecond(),
                r.lost().isEmpty() ? "" : ", lost: " + counts(r.lost()),
                r.aside().isEmpty() ? "" : ", set aside: " + counts(r.aside()));
    }

    private static String signals(int bits) {
        if (bits == RingControl.INITIAL.signals()) {
            return "all";
        }
        String list = ControlRequest.SIGNALS.entrySet().stream()
                .filter(e -> Integer.bitCount(e.getValue()) == 1 && (bits & e.getValue()) != 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(","));
        return list.isEmpty() ? "none" : list;
    }

    private static String counts(Map<String, Long> counts) {
        return new TreeMap<>(counts)
                .entrySet().stream()
                        .map(e -> SafeText.of(e.getKey(), 60) + " " + e.getValue())
                        .collect(Collectors.joining(", "));
    }
}
