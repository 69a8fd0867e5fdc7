package dev.argus.benchmarks.accuracy;

import dev.argus.model.Incident;
import dev.argus.simulator.FaultTruth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is wrong with the diagnosis of one job, in words. */
final class Misses {
    private static final int FEW = 8;

    private Misses() {}

    static List<String> of(Outcome outcome) {
        List<String> wrong = new ArrayList<>();
        for (FaultScore fault : outcome.score().faults()) {
            String what = what(fault);
            if (!what.isEmpty()) {
                wrong.add(what + ": " + expected(fault.truth()) + said(fault.said()));
            }
        }
        if (wrong.isEmpty() && !outcome.score().costliestFirst()) {
            wrong.add("costliest not first");
        }
        for (Incident alarm : outcome.score().falseAlarms()) {
            wrong.add("false alarm: " + text(alarm));
        }
        return wrong;
    }

    private static String what(FaultScore fault) {
        if (!fault.hit()) {
            return fault.onlyObserved() ? "missed (only observed)" : "missed";
        }
        if (!fault.exact()) {
            return "names " + fault.innocents() + " innocent";
        }
        if (!fault.kindRight()) {
            return "wrong kind";
        }
        return fault.stepsRight() ? "" : "wrong steps";
    }

    private static String expected(FaultTruth truth) {
        String who =
                truth.scope().equals("ranks") ? ranks(truth.suspects().stream().toList()) : "scope " + truth.scope();
        return String.format(
                Locale.ROOT,
                "%s %s, steps %d-%d (%d active), costs %.1f %%",
                truth.fault().kind(),
                who,
                truth.firstStep(),
                truth.lastStep(),
                truth.activeSteps().size(),
                100 * truth.costRatio());
    }

    private static String said(@org.jspecify.annotations.Nullable Incident said) {
        return said == null ? "" : "; said " + text(said);
    }

    private static String text(Incident i) {
        return String.format(
                Locale.ROOT,
                "%s %s, steps %d-%d, %.1f %% of the job, confidence %.2f",
                i.kind().text(),
                i.ranks().isEmpty() ? "of scope " + i.scope().text() : "ranks " + i.ranks(),
                i.firstStep(),
                i.lastStep(),
                100 * i.cost().stepRatio(),
                i.confidence());
    }

    private static String ranks(List<Integer> ranks) {
        return ranks.size() <= FEW
                ? "ranks " + ranks
                : "ranks " + ranks.subList(0, FEW) + " and " + (ranks.size() - FEW) + " more";
    }
}
