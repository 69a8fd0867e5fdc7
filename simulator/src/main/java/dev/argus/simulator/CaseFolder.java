package dev.argus.simulator;

import java.io.IOException;
import java.nio.file.Path;

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
}
