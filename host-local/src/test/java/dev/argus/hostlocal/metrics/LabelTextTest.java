package dev.argus.hostlocal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LabelTextTest {
    @Test
    void plainNamesStayAsTheyAre() {
        assertThat(LabelText.of("llama-70b/run 3")).isEqualTo("llama-70b/run 3");
        assertThat(LabelText.of("größe")).isEqualTo("größe");
    }

    @Test
    void namesThatDifferHaveLabelsThatDiffer() {
        String stem = "x".repeat(200);
        String cut = LabelText.of(stem + "1");
        List<String> names = List.of(
                "",
                "a",
                "a\n",
                "a\\x0a", // what the one before is shown as
                "a\u001b[2J",
                stem + "1",
                stem + "2",
                stem + "\ud800",
                stem + "\ud801",
                cut, // a name chosen to look like the label of another
                LabelText.of(cut),
                LabelText.of("a\n"));
        Set<String> labels = new HashSet<>();
        names.forEach(n -> labels.add(LabelText.of(n)));

        assertThat(labels).hasSameSizeAs(names);
        assertThat(labels).allSatisfy(l -> {
            assertThat(l.length()).isLessThanOrEqualTo(110);
            assertThat(l).isNotEmpty();
            assertThat(l.codePoints()).allMatch(c -> c >= 0x20 && !Character.isISOControl(c));
        });
    }
}
