package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.NameTable;
import dev.argus.model.StackRecord;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FoldedStacksTest {
    private final NameTable names = new NameTable();

    @Test
    void addsUpEqualStacksHeaviestFirst() {
        FoldedStacks folded = new FoldedStacks(10);
        folded.add(stack("MainThread", 1, false, "a", "m"));
        folded.add(stack("MainThread", 1, true, "a", "m"));
        folded.add(stack("MainThread", 1, true, "b", "m"));
        folded.add(stack("loader", 20, false, "a", "m"));

        StackRecord record = folded.record(2, 7, "pid 5", 8, names);
        assertThat(record.attempt()).isEqualTo(2);
        assertThat(record.rank()).isEqualTo(7);
        assertThat(record.sampled()).isTrue();
        assertThat(record.samples()).isEqualTo(23);
        assertThat(record.stacks()).extracting(StackRecord.Stack::weight).containsExactly(20L, 2L, 1L);
        assertThat(names.name(record.stacks().getFirst().thread())).isEqualTo("loader");
        assertThat(record.stacks().get(1).active()).isTrue();
        assertThat(names.name(record.stacks().get(1).frames()[0])).isEqualTo("a");
        assertThat(names.name(record.process())).isEqualTo("pid 5");
    }

    @Test
    void countsWhatThereIsNoRoomFor() {
        FoldedStacks folded = new FoldedStacks(2);
        folded.add(stack("t", 1, true, "a"));
        folded.add(stack("t", 1, true, "b"));
        assertThat(folded.beyond()).isZero();
        folded.add(stack("t", 3, true, "c"));
        folded.add(stack("t", 1, true, "a"));
        assertThat(folded.beyond()).isEqualTo(3);
        assertThat(folded.size()).isEqualTo(2);
        assertThat(folded.samples()).isEqualTo(6);
        assertThat(folded.record(0, 0, "", 1, names).stacks()).hasSize(1);
        assertThat(names.size()).as("nothing of what was not kept").isEqualTo(3);
        folded.clear();
        assertThat(folded.size() + folded.samples() + folded.beyond()).isZero();
        assertThatThrownBy(() -> new FoldedStacks(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void marksWhatIsCut() {
        FoldedStacks folded = new FoldedStacks(9);
        folded.add(new SampledStack(0, 1, "t", true, true, true, true, 1, List.of("a", "b")));
        folded.add(new SampledStack(
                0, 1, "u", true, true, true, false, 1, Collections.nCopies(FoldedStacks.MAX_FRAMES, "f")));
        folded.add(new SampledStack(
                0, 1, "v", true, true, true, false, 1, Collections.nCopies(FoldedStacks.MAX_FRAMES + 1, "f")));
        List<StackRecord.Stack> stacks = folded.record(0, 0, "", 9, names).stacks();
        assertThat(last(stacks.get(0))).isEqualTo(FoldedStacks.CUT);
        assertThat(last(stacks.get(1))).isEqualTo("f");
        assertThat(last(stacks.get(2))).isEqualTo(FoldedStacks.CUT);
        assertThat(stacks).allMatch(s -> s.frames().length <= FoldedStacks.MAX_FRAMES);
    }

    private String last(StackRecord.Stack stack) {
        return names.name(stack.frames()[stack.frames().length - 1]);
    }

    private static SampledStack stack(String thread, int weight, boolean active, String... frames) {
        return new SampledStack(0, 1, thread, true, true, active, false, weight, List.of(frames));
    }
}
