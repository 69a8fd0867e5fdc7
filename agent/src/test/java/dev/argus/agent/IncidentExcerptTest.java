package dev.argus.agent;

import static dev.argus.agent.SimulatedRank.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.agent.host.HostAgent;
import dev.argus.agent.host.HostAgentSettings;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.IncidentKind;
import dev.argus.model.NameTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent without server: an incident that opens leaves a timeline of its suspects and two of their peers. */
class IncidentExcerptTest {
    private static final long EPOCH = 1_800_000_000_000_000_000L;
    private static final int RANKS = 5;
    private static final int SLOW = 1;

    @TempDir
    Path folder;

    private long nowMono = System.nanoTime();
    private final List<Path> files = new ArrayList<>();
    private final List<IncidentChange> opened = new ArrayList<>();
    private final HostAgent[] agent = new HostAgent[1];

    private HostAgent agent(long historyBytes) {
        NameTable names = new NameTable();
        LocalJobs jobs = new LocalJobs(names, Thresholds.DEFAULT, LiveOptions.DEFAULT, (job, change) -> {
            if (change.kind() == IncidentChange.Kind.OPENED) {
                opened.add(change);
                Path file = agent[0].excerpt(job, change.incident(), change.atNanos());
                if (file != null) {
                    files.add(file);
                }
            }
        });
        HostAgentSettings settings = new HostAgentSettings(
                AgentOptions.of(folder.resolve("rings")).withStacks(0),
                folder.resolve("state"),
                historyBytes,
                folder.resolve("excerpts"),
                false);
        agent[0] = new HostAgent(settings, names, jobs, EPOCH, nowMono);
        return agent[0];
    }

    private void job(HostAgent of) throws IOException {
        List<SimulatedRank> ranks = new ArrayList<>();
        for (int r = 0; r < RANKS; r++) {
            ranks.add(new SimulatedRank(folder.resolve("rings"), "j", r, RANKS, 4_000_000 + r, 7, 1, 1 << 14));
        }
        for (long step = 0; step < 45; step++) {
            long load = step < 20 ? 10 * MILLI : 250 * MILLI;
            long reduced = SimulatedRank.arrives(nowMono, load, 100 * MILLI) + 2 * MILLI;
            long end = nowMono;
            for (int r = 0; r < RANKS; r++) {
                long own = r == SLOW ? load : 10 * MILLI + r * 100_000L;
                end = Math.max(end, ranks.get(r).step(step, nowMono, own, 100 * MILLI, reduced));
            }
            for (; nowMono < end; nowMono += 50 * MILLI) {
                of.look(nowMono);
            }
            nowMono = end;
        }
        ranks.forEach(SimulatedRank::close);
    }

    @Test
    void theTimelineLiesWhereTheIncidentSays() throws IOException {
        Files.createDirectories(folder.resolve("excerpts"));
        HostAgent of = agent(8 << 20);
        job(of);
        of.close();
        assertThat(of.takeNotices())
                .anyMatch(line -> line.startsWith("wrote " + files.getFirst()) && line.contains("of ranks 0-2,"));
        assertThat(opened.getFirst().incident().kind()).isEqualTo(IncidentKind.DATA_STALL);
        assertThat(files.getFirst().getFileName())
                .hasToString(
                        "argus-" + opened.getFirst().incident().id().replaceAll("[^A-Za-z0-9_.-]", "_") + ".pftrace");
        assertThat(files.getFirst()).isNotEmptyFile();
    }

    @Test
    void withoutHistoryThereIsNone() throws IOException {
        try (HostAgent of = agent(0)) {
            job(of);
        }
        assertThat(opened).isNotEmpty();
        assertThat(files).isEmpty();
    }
}
