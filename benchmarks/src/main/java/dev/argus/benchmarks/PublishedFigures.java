package dev.argus.benchmarks;

import dev.argus.benchmarks.accuracy.Published;
import dev.argus.benchmarks.accuracy.PublishedPage;
import dev.argus.benchmarks.accuracy.PublishedTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The published situations, one after the other: at their size, or small. */
final class PublishedFigures {
    private static final double MOST_HEAP = 6e9;

    private PublishedFigures() {}

    static List<Figure> measure(BenchRequest request) throws IOException, CannotMeasure {
        List<PublishedTrial> trials = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        for (Published situation : chosen(request.trials().only())) {
            PublishedTrial trial = PublishedTrial.run(situation, request.full());
            request.progress()
                    .accept("%s, %s: %s"
                            .formatted(situation.word(), trial.layout(), trial.named() ? "named" : "missed"));
            trials.add(trial);
            figures(figures, trial);
        }
        figures.add(Figure.single(
                "publishedHeap",
                "B",
                (double) trials.stream()
                        .mapToLong(PublishedTrial::heapBytes)
                        .max()
                        .orElse(0),
                "most heap in use in any of them, garbage included",
                Bar.atMost(MOST_HEAP)));
        Path page = request.trials().page();
        if (page != null) {
            Machine here = Machine.here();
            String section = PublishedPage.section(
                    trials,
                    "./argus bench accuracy --published" + (request.full() ? " --full" : "") + " --page " + page,
                    LocalDate.now(ZoneOffset.UTC).toString(),
                    here.cpu() + ", " + here.cores() + " cores, JDK " + here.jdk());
            Files.writeString(page, PublishedPage.with(Files.exists(page) ? Files.readString(page) : "", section));
            request.progress().accept("section written to " + page);
        }
        return figures;
    }

    private static List<Published> chosen(List<String> words) throws CannotMeasure {
        List<Published> all = Arrays.asList(Published.values());
        List<String> known = all.stream().map(Published::word).toList();
        for (String word : words) {
            if (!known.contains(word)) {
                throw new CannotMeasure(
                        "--only: situation is " + word + ", must be one of " + String.join(", ", known));
            }
        }
        return words.isEmpty()
                ? all
                : all.stream().filter(p -> words.contains(p.word())).toList();
    }

    private static void figures(List<Figure> figures, PublishedTrial trial) {
        String name = camel(trial.situation().word());
        String job = trial.situation().sentence() + ", " + trial.layout();
        figures.add(
                Figure.count(name + "Named", "1", trial.named() ? 1 : 0, job + ": " + trial.answer(), Bar.exactly(1)));
        figures.add(Figure.count(
                name + "HealthyAlarms",
                "1",
                trial.healthyAlarms().size(),
                "alarms in the same job without its faults",
                Bar.exactly(0)));
        figures.add(Figure.single(
                name + "Simulation", "s", trial.madeSeconds(), "job, truth and records of it, one thread", null));
        figures.add(Figure.single(
                name + "Diagnosis", "s", trial.diagnosedSeconds(), "records to verdict, one thread", null));
    }

    private static String camel(String word) {
        StringBuilder text = new StringBuilder();
        for (String part : word.split("-", -1)) {
            text.append(text.isEmpty() ? part : Character.toUpperCase(part.charAt(0)) + part.substring(1));
        }
        return text.toString();
    }
}
