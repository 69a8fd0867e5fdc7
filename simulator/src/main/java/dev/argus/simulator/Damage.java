package dev.argus.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What is wrong with the record of a job, not with the job.
 *
 * @param missing whose traces are missing
 * @param windows true when ranks begin and end their records at different steps, one apart
 * @param dropped true when about a third of the ranks lost a burst of GPU work in one step
 * @param doubled true when about a third of the ranks have a burst of GPU work twice
 */
public record Damage(Missing missing, boolean windows, boolean dropped, boolean doubled) {
    /** A complete record. */
    public static final Damage NONE = new Damage(Missing.NONE, false, false, false);

    /** The words that {@link #of} reads. */
    public static final List<String> WORDS =
            List.of("none", "one-missing", "half-missing", "culprit-missing", "other-windows", "dropped", "doubled");

    private static final String MISSING = "-missing";
    private static final double HIT = 1.0 / 3;

    /**
     * Reads words.
     *
     * @throws IllegalArgumentException for a word that is none of {@link #WORDS}
     */
    public static Damage of(String... words) {
        Missing missing = Missing.NONE;
        for (String word : words) {
            if (!WORDS.contains(word)) {
                throw new IllegalArgumentException(
                        "damage is " + word + ", must be one of " + String.join(", ", WORDS));
            }
            for (Missing m : Missing.values()) {
                missing = word.equals(m.word() + MISSING) ? m : missing;
            }
        }
        List<String> all = Arrays.asList(words);
        return new Damage(missing, all.contains("other-windows"), all.contains("dropped"), all.contains("doubled"));
    }

    /** The words for it. */
    public List<String> words() {
        List<String> words = new ArrayList<>();
        if (missing != Missing.NONE) {
            words.add(missing.word() + MISSING);
        }
        for (int i = 0; i < 3; i++) {
            if (List.of(windows, dropped, doubled).get(i)) {
                words.add(WORDS.get(WORDS.size() - 3 + i));
            }
        }
        return words;
    }

    /** Ranks without a trace. */
    Set<Integer> missingRanks(Scenario scenario) {
        return missing.ranks(scenario);
    }

    /** Tells the record of one rank, as far as it was kept. */
    void tell(SimulatedJob job, int rank, Recorder to) {
        Scenario scenario = job.scenario();
        long bits = Noise.bits(scenario.seed(), rank, -21, 0);
        List<RankStep> steps = job.rank(rank);
        boolean room = windows && steps.size() > 4;
        int from = room && (bits & 1) != 0 ? 1 : 0;
        int until = steps.size() - (room && (bits & 2) != 0 ? 1 : 0);
        int burst = from + (int) Math.floorMod(bits >>> 8, (long) Math.max(1, until - from));
        boolean drops = dropped && Noise.unit(Noise.bits(bits, 1, 0, 0)) < HIT;
        boolean doubles = doubled && Noise.unit(Noise.bits(bits, 2, 0, 0)) < HIT;
        BurstRecorder kept = new BurstRecorder(to, drops ? 0 : doubles ? 2 : 1);
        Narrator narrator = new Narrator(scenario, job.clocks(), rank, kept);
        for (int i = 0; i < until; i++) {
            if (i < from) {
                narrator.skip(steps.get(i));
            } else {
                kept.begin(i == burst);
                narrator.tell(steps.get(i));
            }
        }
    }
}
