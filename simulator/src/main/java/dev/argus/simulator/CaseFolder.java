package dev.argus.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A case as the scoreboard has them: {@code traces/} with one file per rank, and {@code truth.json} beside it. */
public final class CaseFolder {
    private CaseFolder() {}

    /**
     * Writes a case.
     *
     * @param job job
     * @param folder folder, created
     * @param name name of the case
     * @param written hears of every file
     * @return the truth about it
     */
    public static Truth write(SimulatedJob job, Path folder, String name, KinetoOutput.Listener written)
            throws IOException {
        Truth truth = Truth.of(job, name);
        KinetoOutput.write(job, folder.resolve("traces"), written);
        truth.write(folder);
        return truth;
    }

    /**
     * Writes a job that stands still: {@code traces/} of the steps that ended, {@code flight/} with a flight recorder dump a rank of the one that did not, and the truth beside them.
     *
     * @return the text of the truth
     */
    public static String write(StoppedJob job, Path folder, String name, KinetoOutput.Listener written)
            throws IOException {
        KinetoOutput.write(job.before(), folder.resolve("traces"), written);
        FlightOutput.write(job, folder.resolve("flight"));
        String truth = Truth.of(job, name);
        Files.writeString(folder.resolve("truth.json"), truth);
        return truth;
    }

    /**
     * Writes the attempts of one job: {@code traces-0/}, {@code traces-1/}, and a truth with a part for each.
     *
     * @return the truth about each
     */
    public static List<Truth> write(
            List<SimulatedJob> attempts, Path folder, String name, KinetoOutput.Listener written) throws IOException {
        List<Truth> parts = new ArrayList<>();
        for (SimulatedJob job : attempts) {
            String traces = "traces-" + parts.size();
            parts.add(Truth.of(job, new Truth.Part(name, parts.size(), traces)));
            KinetoOutput.write(job, folder.resolve(traces), written);
        }
        String all = parts.stream().map(Truth::json).map(String::strip).collect(Collectors.joining(", "));
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve("truth.json"),
                "{\"case\": " + JsonText.of(name) + ", \"tag\": \"sim\", \"parts\": [" + all + "]}\n");
        return parts;
    }
}
