package dev.argus.server.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.Incident;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.server.FakeFleet;
import dev.argus.server.MemoryObjects;
import dev.argus.server.Samples;
import dev.argus.server.api.NotOrderedException;
import dev.argus.storage.Rows;
import dev.argus.testkit.PerfettoFile;
import dev.argus.trace.export.PerfettoWriter;
import dev.argus.trace.export.Slices;
import dev.argus.trace.export.TrackPlace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents send what they were asked for, once, and not more than their job's share. */
class AgentUploadsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SIZE = 100;

    @TempDir
    Path folder;

    private long now = 1_700_000_000L * SECOND;
    private final CommandDesk desk = new CommandDesk(() -> now);
    private final List<Rows.StoredObject> kept = new ArrayList<>();
    private final FakeFleet fleet = new FakeFleet();
    private final MemoryObjects objects = new MemoryObjects();
    private ObjectKeeper keeper;
    private AgentUploads uploads;

    @BeforeEach
    void begin() {
        keeper = new ObjectKeeper(objects, folder, () -> now, (job, row) -> kept.add(row), problem -> {});
        uploads = new AgentUploads(desk, keeper, folder, 40 * SIZE, fleet);
    }

    @AfterEach
    void end() {
        keeper.close();
    }

    private void send(long id, String host) throws Exception {
        uploads.keep("j", "argus-command-" + id + "-" + host + ".pftrace", new ByteArrayInputStream(new byte[SIZE]));
    }

    @Test
    void onlyOfAnExcerptThatIsStillWanted() throws Exception {
        long retune = desk.retune("j", RankSet.of(1), 1, 1, 0);
        assertThatThrownBy(() -> send(retune, "h")).isInstanceOf(NotOrderedException.class);
        long excerpt = desk.excerpt("j", RankSet.of(1), 0, 0, 1, "");
        send(excerpt, "h");
        now += CommandDesk.EXCERPT_NANOS + 1;
        assertThatThrownBy(() -> send(excerpt, "h")).isInstanceOf(NotOrderedException.class);
        assertThat(kept).hasSize(1);
    }

    @Test
    void oneOfEachHost() throws Exception {
        long excerpt = desk.excerpt("j", RankSet.of(1, 2), 0, 0, 1, "");
        send(excerpt, "a");
        send(excerpt, "b");
        assertThatThrownBy(() -> send(excerpt, "c")).isInstanceOf(NotOrderedException.class);
        send(excerpt, "a"); // its answer was lost
        send(excerpt, "a");
        assertThatThrownBy(() -> send(excerpt, "a")).isInstanceOf(NotOrderedException.class);
        assertThat(kept).hasSize(4);
    }

    @Test
    void theMarkOfItsIncidentIsPutBehindAnExcerpt() throws Exception {
        fleet.jobs.add(Samples.view(Samples.JOB));
        Incident incident = fleet.jobs.getFirst().incidents().getFirst();
        NameTable names = new NameTable();
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        try (PerfettoWriter to = new PerfettoWriter(sent, names, Samples.EPOCH, true)) {
            int process = to.process("rank 0001", 1, List.of("host0"));
            Slices slices = new Slices();
            slices.add(Samples.EPOCH + 5, 7, names.id("gemm"), null);
            to.slices(new TrackPlace(process, "", "python", 2, TrackPlace.Kind.THREAD), slices);
        }
        AgentUploads roomy = new AgentUploads(desk, keeper, folder, 1 << 20, fleet);
        long excerpt = desk.excerpt(Samples.JOB, RankSet.of(1), 0, 0, 1, incident.id());
        roomy.keep(
                Samples.JOB, "argus-command-" + excerpt + "-h.pftrace", new ByteArrayInputStream(sent.toByteArray()));
        byte[] stored = Objects.requireNonNull(objects.all.get(kept.getFirst().key()));
        PerfettoFile file = PerfettoFile.of(stored);
        assertThat(kept.getFirst().bytes()).isEqualTo(stored.length);
        assertThat(file.errors).isEmpty();
        assertThat(file.slices).singleElement().satisfies(s -> {
            assertThat(s.process()).isEqualTo("rank 0001");
            assertThat(s.start()).isEqualTo(Samples.EPOCH + 5);
        });
        assertThat(file.instants).singleElement().satisfies(i -> {
            assertThat(i.process()).isEqualTo("incidents");
            assertThat(i.time()).isEqualTo(incident.sinceEpochNanos());
            assertThat(i.name()).contains(incident.summary());
            assertThat(i.details()).containsEntry("id", incident.id());
        });
        assertThat(file.processes).hasSize(2);
    }

    @Test
    void aJobHasAShare() throws Exception {
        long excerpt = desk.excerpt("j", RankSet.EMPTY, 0, 0, 1, "");
        for (int i = 0; i < 10; i++) {
            send(excerpt, "h" + i);
        }
        assertThatThrownBy(() -> send(excerpt, "more")).isInstanceOf(NotOrderedException.class);
        assertThat(kept).hasSize(10);
        now += CommandDesk.EXCERPT_NANOS + 1;
        send(desk.excerpt("j", RankSet.EMPTY, 0, 0, 1, ""), "later");
    }
}
