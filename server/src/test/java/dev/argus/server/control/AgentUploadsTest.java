package dev.argus.server.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.RankSet;
import dev.argus.server.MemoryObjects;
import dev.argus.server.api.NotOrderedException;
import dev.argus.storage.Rows;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    private ObjectKeeper keeper;
    private AgentUploads uploads;

    @BeforeEach
    void begin() {
        keeper = new ObjectKeeper(new MemoryObjects(), folder, () -> now, (job, row) -> kept.add(row), problem -> {});
        uploads = new AgentUploads(desk, keeper, folder, 40 * SIZE);
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
