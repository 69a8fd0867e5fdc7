package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceInputsTest {
    @TempDir
    Path folder;

    @Test
    void filesAreFoundOnceInOrderOfTheirLabels() throws IOException {
        Files.createDirectories(folder.resolve("b/c"));
        for (String name : List.of("b/c/rank1.json", "b/rank0.json", "a.json", "b/.hidden")) {
            Files.writeString(folder.resolve(name), "x");
        }
        Files.createSymbolicLink(folder.resolve("b/loop"), folder);
        Files.createSymbolicLink(folder.resolve("z.json"), folder.resolve("a.json"));
        TraceInputs found = TraceInputs.find(List.of(folder, folder.resolve("b/rank0.json")));
        assertThat(found.files())
                .extracting(TraceFile::label)
                .containsExactly("a.json", "b/c/rank1.json", "b/rank0.json");
        assertThat(found.problems()).extracting(p -> p.kind()).containsExactly("unreadable-path");
    }

    @Test
    void aFileIsCalledByItsName() throws IOException {
        Path file = Files.writeString(folder.resolve("t.json"), "{}");
        TraceFile found = TraceInputs.find(List.of(file)).files().getFirst();
        assertThat(found).isEqualTo(new TraceFile(file, "t.json", 2));
    }

    @Test
    void nothingThereIsSaid() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThat(TraceInputs.find(List.of(empty, folder.resolve("none"))).problems())
                .extracting(p -> p.kind())
                .containsExactly("empty-folder", "missing-path");
    }

    @Test
    void ranksAndHostsInNames() {
        assertThat(FileNames.rank("run/rank00003.pt.trace.json.gz")).isEqualTo(3);
        assertThat(FileNames.rank("sampled_rank-0.json.gz")).isZero();
        assertThat(FileNames.rank("a100_rank3of8_control.json.gz")).isEqualTo(3);
        assertThat(FileNames.rank("rank_12/trace.json")).isEqualTo(12);
        assertThat(FileNames.rank("worker0.1623143089861.pt.trace.json.gz")).isZero();
        assertThat(FileNames.rank("trace_3.json")).isEqualTo(3);
        assertThat(FileNames.rank("libkineto_activities_1074.json")).isEqualTo(-1);
        assertThat(FileNames.rank("step_100.json")).isEqualTo(-1);
        assertThat(FileNames.rank("h100_qwen1.5_0.5b.json.gz")).isEqualTo(-1);
        assertThat(FileNames.rank("n17_4711.1700000000000.pt.trace.json")).isEqualTo(-1);
        assertThat(FileNames.host("n17_4711.1700000000000.pt.trace.json.gz")).isEqualTo("n17");
        assertThat(FileNames.host("rank00003.pt.trace.json")).isEmpty();
    }
}
