package dev.argus.simulator;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** A case as the scoreboard has them: {@code traces/} with one file per rank, and {@code truth.json} beside it. */
public final class CaseFolder {
    private CaseFolder() {}

    /**
     * Writes a case.
     *
     * @param job job
     * @param folder folder, created
     * @param name name of the case
     * @param missing ranks whose traces are missing
     * @param written hears of every file
     * @return the truth about it
     */
    public static Truth write(
            SimulatedJob job, Path folder, String name, Set<Integer> missing, KinetoOutput.Listener written)
            throws IOException {
        Truth truth = Truth.of(job, name, missing);
        KinetoOutput.write(job, folder.resolve("traces"), missing, written);
        truth.write(folder);
        return truth;
    }
}
