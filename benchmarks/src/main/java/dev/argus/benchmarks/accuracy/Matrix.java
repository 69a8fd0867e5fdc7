package dev.argus.benchmarks.accuracy;

import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What is tried: every kind at every severity, so many seeds each. Layout, model, noise, dialect, place, onset, duration
 * and pattern are drawn from the seed of a scenario; seeds count up from the first, the same in every kind,
 * severities in turn, so that no two severities see the same job.
 *
 * @param firstSeed first seed
 * @param perKind seeds of every kind and severity
 * @param kinds kinds; empty = all
 * @param maxRanks ranks of a job, at most
 * @param everyFile one of so many scenarios goes through files
 */
public record Matrix(long firstSeed, int perKind, Set<ScenarioKind> kinds, int maxRanks, int everyFile) {
    /** Ranks of a job that is written to files, at most: reading is what costs. */
    private static final int FILE_RANKS = 16;

    /** What is tried with damaged records; what lasts, so that no lost step can hide it. */
    private static final List<ScenarioKind> DAMAGED =
            List.of(ScenarioKind.COMPUTE, ScenarioKind.HBM, ScenarioKind.RAIL, ScenarioKind.HEALTHY);

    private static final long DAMAGED_SEEDS = 500_000;

    /** All scenarios, kind by kind. */
    public List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (ScenarioKind kind : ScenarioKind.values()) {
            if (!kinds.isEmpty() && !kinds.contains(kind)) {
                continue;
            }
            for (Severity severity : Severity.values()) {
                boolean fits = kind.faulty() ? severity.fits(kind) : severity == Severity.STRONG;
                for (int i = 0; fits && i < perKind; i++) {
                    long seed = firstSeed + (long) i * Severity.values().length + severity.ordinal();
                    boolean files = kind.attempts() > 1 || cells.size() % everyFile == everyFile - 1;
                    int ranks = files ? Math.min(FILE_RANKS, maxRanks) : maxRanks;
                    cells.add(new Cell(
                            kind, severity, seed, ranks, Recording.SOUND, files ? Cell.Way.FILES : Cell.Way.RECORDS));
                }
            }
        }
        for (Recording recording : Recording.values()) {
            for (ScenarioKind kind : recording == Recording.SOUND ? List.<ScenarioKind>of() : DAMAGED) {
                boolean wanted = kinds.isEmpty() || kinds.contains(kind);
                for (int i = 0; wanted && i < perKind; i++) {
                    long seed = firstSeed + DAMAGED_SEEDS + i;
                    boolean files = recording == Recording.RESTARTED;
                    int ranks = files ? Math.min(FILE_RANKS, maxRanks) : maxRanks;
                    Cell.Way way = files ? Cell.Way.FILES : Cell.Way.RECORDS;
                    cells.add(new Cell(kind, Severity.STRONG, seed, ranks, recording, way));
                }
            }
        }
        return cells;
    }
}
