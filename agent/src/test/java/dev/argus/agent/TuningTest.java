package dev.argus.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.RankSet;
import dev.argus.ring.RingControl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuningTest {
    private static final RankProcess.Key FIRST = new RankProcess.Key(1, 10, 100);
    private static final RankProcess.Key SECOND = new RankProcess.Key(1, 11, 101);

    private static Tuning stacks(int rate) {
        return new Tuning(null, null, null, null, rate);
    }

    @Test
    void whatIsAskedOfARankGoesBeforeWhatIsAskedOfAll() {
        Tunings asked = new Tunings();
        asked.add(null, RankSet.EMPTY, stacks(1));
        asked.add("j", RankSet.of(3), new Tuning(7, null, null, null, 2));
        asked.add("j", RankSet.EMPTY, new Tuning(null, 5, null, null, null));
        assertThat(asked.of("j", 3)).as("all of the job came later").isEqualTo(new Tuning(null, 5, null, null, 1));
        asked.add("j", RankSet.of(3), stacks(9));
        assertThat(asked.of("j", 3)).isEqualTo(new Tuning(null, 5, null, null, 9));
        assertThat(asked.of("other", 3)).isEqualTo(stacks(1));
        asked.add(null, RankSet.EMPTY, stacks(4));
        assertThat(asked.of("j", 3)).as("all of everything came last").isEqualTo(new Tuning(null, 5, null, null, 4));
    }

    @Test
    void onlyWhatIsSaidChanges() {
        RingControl before = new RingControl(3, 2, 0, 0, 9, 8);
        assertThat(Tuning.NOTHING.on(before)).isEqualTo(before);
        assertThat(new Tuning(1, null, 4, 1, null).on(before)).isEqualTo(new RingControl(1, 2, 4, 1, 9, 8));
        assertThatThrownBy(() -> new Tuning(null, null, 4, null, null)).hasMessageContaining("both");
        assertThatThrownBy(() -> new Tuning(1 << 16, null, null, null, null)).hasMessageContaining("expected");
    }

    private static RankProcess.Key process(int pid) {
        return new RankProcess.Key(1, pid, 1);
    }

    /** A job of four ranks in processes 10 to 13, some of which are gone. */
    private static AttemptBook four() {
        AttemptBook book = new AttemptBook(null);
        for (int rank = 0; rank < 4; rank++) {
            assertThat(book.begin("j", rank, 0, process(10 + rank), k -> true)).isZero();
        }
        return book;
    }

    @Test
    void aRankThatIsReplacedWhileMostOthersGoOnStaysInTheAttempt() {
        AttemptBook one = four();
        assertThat(one.begin("j", 2, 0, process(20), k -> k.pid() != 12)).isZero();
        assertThat(one.replaced()).isTrue();
        assertThat(one.begin("j", 2, 0, process(20), k -> true))
                .as("the same process")
                .isZero();
        assertThat(one.replaced()).isFalse();
        AttemptBook two = four();
        assertThat(two.begin("j", 2, 0, process(20), k -> k.pid() == 10 || k.pid() == 11))
                .as("two of three go on")
                .isZero();
        assertThat(two.begin("j", 3, 0, process(21), k -> k.pid() != 13))
                .as("and the next one")
                .isZero();
    }

    @Test
    void withMostOthersGoneOrACountOfTheJobItIsTheNextAttempt() {
        assertThat(four().begin("j", 2, 0, process(20), k -> k.pid() == 10))
                .as("one of three goes on")
                .isEqualTo(1);
        assertThat(four().begin("j", 2, 0, process(20), k -> false)).isEqualTo(1);
        AttemptBook counted = four();
        assertThat(counted.begin("j", 2, 1, process(20), k -> k.pid() != 12)).isEqualTo(1);
        assertThat(counted.replaced()).isFalse();
    }

    @Test
    void attemptsAreCountedBeyondTheLifeOfAnAgent(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("attempts");
        AttemptBook book = new AttemptBook(file);
        assertThat(book.begin("j", 0, 0, FIRST, k -> true)).isZero();
        assertThat(book.begin("j", 0, 0, SECOND, k -> true)).as("both live").isEqualTo(-1);
        assertThat(book.begin("j", 0, 0, SECOND, k -> false)).isEqualTo(1);
        book.save();
        AttemptBook next = new AttemptBook(file);
        assertThat(next.begin("j", 0, 0, SECOND, k -> false))
                .as("the same process")
                .isEqualTo(1);
        assertThat(next.begin("j", 0, 0, FIRST, k -> false)).isEqualTo(2);
        assertThat(next.begin("j", 0, 7, SECOND, k -> true))
                .as("as the job says")
                .isEqualTo(7);
        assertThat(next.problem()).isEmpty();
        next.save();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        AttemptBook damaged = new AttemptBook(file);
        assertThat(damaged.problem()).contains("counted anew");
        assertThat(damaged.begin("j", 0, 0, FIRST, k -> false)).isZero();
    }
}
