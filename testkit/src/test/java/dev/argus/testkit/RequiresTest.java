package dev.argus.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class RequiresTest {
    @TempDir
    Path skips;

    @Test
    void skipsAndRecordsTheTestWhoseNeedIsMissing() throws IOException {
        run(OneOfTwo.class, "none")
                .testEvents()
                .assertStatistics(s -> s.skipped(1).succeeded(1).failed(0));

        assertThat(records())
                .containsExactly("SHARED\t" + Need.SHARED.remedy() + "\t" + OneOfTwo.class.getName() + ".needsData");
    }

    @Test
    void recordsEveryTestOfASkippedClass() throws IOException {
        run(WholeClass.class, "none").containerEvents().assertStatistics(s -> s.skipped(1));

        assertThat(records()).hasSize(2).allMatch(line -> line.startsWith("SHARED\t"));
    }

    @Test
    void failsInsteadWhenEverythingIsRequired() throws IOException {
        run(OneOfTwo.class, "all")
                .testEvents()
                .assertStatistics(s -> s.skipped(0).succeeded(1).failed(1));
        run(WholeClass.class, "all")
                .testEvents()
                .assertStatistics(s -> s.skipped(0).succeeded(0).failed(2));

        assertThat(records()).isEmpty();
    }

    @Test
    void tagsWhatItMarks() throws NoSuchMethodException {
        assertThat(Requires.class.getAnnotation(org.junit.jupiter.api.Tag.class).value())
                .isEqualTo("needs");
    }

    @Test
    void knowsTheRepositoryAndTheFolderBesideIt() {
        assertThat(Shared.repository().resolve(".mvn")).isDirectory();
        assertThat(Shared.path("data/cases")).isAbsolute().endsWithRaw(Path.of("data", "cases"));
    }

    private EngineExecutionResults run(Class<?> tests, String require) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .configurationParameter("argus.require", require)
                .configurationParameter("argus.missing", "SHARED")
                .configurationParameter("argus.skips", skips.toString())
                .execute();
    }

    private List<String> records() throws IOException {
        List<String> lines = new ArrayList<>();
        try (var files = Files.newDirectoryStream(skips)) {
            for (Path file : files) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    /** Run by the tests above only: the build's pattern does not match its name. */
    static class OneOfTwo {
        @Test
        @Requires(Need.SHARED)
        void needsData() {}

        @Test
        void needsNothing() {}
    }

    /** Run by the tests above only. */
    @Requires(Need.SHARED)
    static class WholeClass {
        @Test
        void one() {}

        @Test
        void two() {}
    }
}
