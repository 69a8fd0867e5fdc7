package dev.argus.server.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.AgentCommand;
import dev.argus.model.AgentCommand.Retune;
import dev.argus.model.AgentCommand.SendExcerpt;
import dev.argus.model.RankSet;
import dev.argus.wire.WireException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandDeskTest {
    private static final long SECOND = 1_000_000_000L;
    private long now = 1_700_000_000L * SECOND;
    private final CommandDesk desk = new CommandDesk(() -> now);

    private List<AgentCommand> all(String job) {
        return desk.commands(job, "h", 0);
    }

    @Test
    void idsAscendWithTimeAndWithoutIt() {
        long first = desk.retune("j", RankSet.of(1), 1, 1, 0);
        long second = desk.retune("j", RankSet.of(2), 1, 1, 0);
        now += SECOND;
        long third = desk.retune("j", RankSet.of(3), 1, 1, 0);
        assertThat(first).isEqualTo(1_700_000_000_000L);
        assertThat(second).isEqualTo(first + 1);
        assertThat(third).isEqualTo(first + 1000);
        assertThat(desk.commands("j", "h", second)).extracting(AgentCommand::id).containsExactly(third);
    }

    @Test
    void aRetuneReplacesTheOneBeforeOfTheSameRanksAndStands() {
        desk.retune("j", RankSet.of(1), 1, 1, 0);
        long wanted = desk.retune("j", RankSet.of(1), 3, 1, 0);
        now += 7 * 86_400 * SECOND;
        assertThat(all("j")).extracting(AgentCommand::id).containsExactly(wanted);
        assertThat(((Retune) all("j").getFirst()).signals()).isEqualTo(3);
    }

    @Test
    void anExcerptIsAskedForForTenMinutes() {
        long id = desk.excerpt("j", RankSet.of(1), 0, now - SECOND, now, "incident");
        now += 600 * SECOND;
        assertThat(all("j")).hasSize(1);
        assertThat(desk.asked("j", id))
                .get()
                .extracting(CommandDesk.Asked::incident)
                .isEqualTo("incident");
        now += 1;
        assertThat(all("j")).isEmpty();
    }

    @Test
    void aJobDoesNotSeeCommandsOfAnother() {
        desk.retune("j", RankSet.of(1), 1, 1, 0);
        assertThat(all("k")).isEmpty();
    }

    @Test
    void isBounded() {
        for (int i = 0; i < 1000; i++) {
            desk.excerpt("j", RankSet.of(i), 0, 0, 1, "");
        }
        assertThat(all("j")).hasSize(CommandDesk.MOST_COMMANDS);
        for (int i = 0; i < 1000; i++) {
            desk.retune("job" + i, RankSet.of(1), 1, 1, 0);
        }
        assertThat(all("j")).isEmpty();
        assertThat(all("job999")).hasSize(1);
    }

    @Test
    void survivesARestart() {
        desk.retune("j", RankSet.of(1), 1, 1, 5);
        desk.excerpt("k", RankSet.of(2), 3, 4, 5, "incident");
        CommandDesk after = new CommandDesk(() -> 0L); // and the clock was set back
        after.restore(desk.snapshot());
        assertThat(after.commands("j", "h", 0)).isEqualTo(all("j"));
        assertThat(after.asked("k", all("k").getFirst().id())).isPresent();
        assertThat(((SendExcerpt) all("k").getFirst()).attempt()).isEqualTo(3);
        assertThat(after.retune("j", RankSet.of(9), 1, 1, 0))
                .isGreaterThan(all("k").getFirst().id());
    }

    @Test
    void refusesAnotherSnapshot() {
        byte[] bytes = desk.snapshot();
        bytes[1] ^= 1;
        assertThatThrownBy(() -> desk.restore(bytes)).isInstanceOf(WireException.class);
    }
}
