package dev.argus.archtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules about the files themselves: their length, the pages of the packages, and what the pages of the project name. */
class PagesTest {
    private static final int LONGEST_FILE_LINES = 800;

    /** A class in backticks: a capital, then at least one small letter; optionally followed by a member. */
    private static final Pattern CLASS = Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:[.#][^`]*)?`");

    private static final Pattern METRIC = Pattern.compile("\\b(?:counter|gauge)\\(\\s*\"([A-Za-z]+)\"");

    private static final Pattern BLOCK = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);

    @Test
    void noFileIsLongerThan800Lines() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : sources()) {
            long lines = Files.readString(file, UTF_8).lines().count();
            if (lines > LONGEST_FILE_LINES) {
                tooLong.add(relative(file) + ": " + lines + " lines");
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void everyPackageHasItsPage() throws IOException {
        Set<String> without = new TreeSet<>();
        for (Path file : sources()) {
            Path folder = file.resolveSibling("package-info.java");
            if (relative(file).contains("/src/main/java/") && !Files.exists(folder)) {
                without.add(relative(folder));
            }
        }
        assertThat(without).isEmpty();
    }

    @Test
    void architectureNamesOnlyClassesThatExist() throws IOException {
        Set<String> existing = new TreeSet<>();
        for (Path file : sources()) {
            existing.add(file.getFileName().toString().replace(".java", ""));
        }
        assertThat(existing).as("the sources were found").contains("PagesTest");

        assertThat(classesNamedIn(page("ARCHITECTURE.md")))
                .as("classes that ARCHITECTURE.md names")
                .isNotEmpty()
                .isSubsetOf(existing);
    }

    @Test
    void findsTheClassesAPageNames() {
        assertThat(classesNamedIn("`Main` and `RankSet.of`, not `L1`, `./argus`, `TP` or Plain; `a.B`"))
                .containsExactlyInAnyOrder("Main", "RankSet");
    }

    @Test
    void architectureShowsEveryRoom() throws IOException {
        String page = page("ARCHITECTURE.md");
        for (String room : House.floors().keySet()) {
            assertThat(page).contains("`" + House.folderOf(room) + "`");
        }
    }

    @Test
    void theFirstBlockOfTheReadmeIsTheTwoCommands() throws IOException {
        Matcher block = BLOCK.matcher(page("README.md"));

        assertThat(block.find()).isTrue();
        assertThat(block.group(1).lines()).containsExactly("./argus diagnose example/traces", "./build");
    }

    /** A row that a paragraph has cut off from its table is shown as text. */
    @Test
    void everyTableHasItsHead() throws IOException {
        List<String> headless = new ArrayList<>();
        for (Path page : pages()) {
            List<String> lines = Files.readString(page, UTF_8).lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                boolean begins = lines.get(i).startsWith("|")
                        && (i == 0 || !lines.get(i - 1).startsWith("|"));
                if (begins && (i + 1 == lines.size() || !lines.get(i + 1).startsWith("|-"))) {
                    headless.add(relative(page) + ":" + (i + 1));
                }
            }
        }
        assertThat(headless).isEmpty();
    }

    @Test
    void everyMetricOfTheJobOnFlinkIsOnItsPage() throws IOException {
        Set<String> metrics = new TreeSet<>();
        for (Path file : sources()) {
            if (relative(file).startsWith("host-flink/src/main/")) {
                Matcher named = METRIC.matcher(Files.readString(file, UTF_8));
                while (named.find()) {
                    metrics.add("`" + named.group(1) + "`");
                }
            }
        }
        assertThat(metrics).as("the metrics were found").contains("`ticksWritten`", "`samplesDropped`");

        assertThat(page("docs/flink.md")).contains(metrics);
    }

    private static Set<String> classesNamedIn(String page) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = CLASS.matcher(page);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static String page(String name) throws IOException {
        return Files.readString(House.repository().resolve(name), UTF_8);
    }

    private static String relative(Path file) {
        return House.repository().relativize(file).toString();
    }

    /** Every Java file of the repository. */
    private static List<Path> sources() throws IOException {
        return files(".java");
    }

    /** Every page of the repository. */
    private static List<Path> pages() throws IOException {
        return files(".md");
    }

    /** Without what builds leave and without hidden folders. */
    private static List<Path> files(String end) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(House.repository(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean skipped = name.equals("target") || (name.startsWith(".") && !folder.equals(House.repository()));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(end)) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
