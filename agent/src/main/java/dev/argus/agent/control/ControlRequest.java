package dev.argus.agent.control;

import dev.argus.agent.Tuning;
import dev.argus.model.AgentCommand.Retune;
import dev.argus.model.RankSet;
import dev.argus.model.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request as a line: {@code status}, {@code set ranks=0-3 signals=steps,phases sampling=4 turns=19/1 stacks=10}, {@code excerpt ranks=0-3 seconds=30}.
 * A line is hostile: what cannot be is an {@link IllegalArgumentException} that says what was expected.
 */
public sealed interface ControlRequest {
    /** Longest excerpt, seconds. */
    int MOST_SECONDS = 3600;

    /** Bits of the signals by their words. */
    Map<String, Integer> SIGNALS = Signal.byWord();

    /** How everything is. */
    record Status() implements ControlRequest {}

    /**
     * Record otherwise.
     *
     * @param ranks ranks, empty for all
     * @param tuning what is to be other
     */
    record Set(RankSet ranks, Tuning tuning) implements ControlRequest {}

    /**
     * Write an excerpt of the last seconds.
     *
     * @param ranks ranks, empty for all
     * @param seconds how many
     */
    record Excerpt(RankSet ranks, int seconds) implements ControlRequest {}

    /** Reads a line. */
    static ControlRequest parse(String line) {
        String[] words = line.strip().split("\\s+", -1);
        Map<String, String> values = new TreeMap<>();
        for (int i = 1; i < words.length; i++) {
            int sign = words[i].indexOf('=');
            if (sign < 1 || values.put(words[i].substring(0, sign), words[i].substring(sign + 1)) != null) {
                throw new IllegalArgumentException("found '" + words[i] + "', expected key=value, each key once");
            }
        }
        ControlRequest request = switch (words[0]) {
            case "status" -> new Status();
            case "set" -> set(values);
            case "excerpt" ->
                new Excerpt(
                        ranks(values.remove("ranks")),
                        number("seconds", values.remove("seconds"), 1, MOST_SECONDS, 30));
            default -> throw new IllegalArgumentException("found '" + words[0] + "', expected status, set or excerpt");
        };
        if (!values.isEmpty()) {
            throw new IllegalArgumentException(
                    "found '" + values.keySet().iterator().next() + "', expected a key that " + words[0] + " knows");
        }
        return request;
    }

    private static Set set(Map<String, String> values) {
        RankSet ranks = ranks(values.remove("ranks"));
        String signals = values.remove("signals");
        String sampling = values.remove("sampling");
        String stacks = values.remove("stacks");
        String turns = values.remove("turns");
        Integer on = null;
        Integer off = null;
        if (turns != null) {
            if (turns.equals("off")) {
                on = 1;
                off = 0;
            } else {
                String[] parts = turns.split("/", -1);
                if (parts.length != 2) {
                    throw new IllegalArgumentException(
                            "turns: found '" + turns + "', expected ON/OFF in steps, such as 19/1, or off");
                }
                on = number("turns", parts[0], 1, 255, 1);
                off = number("turns", parts[1], 0, 255, 0);
            }
        }
        Tuning tuning = new Tuning(
                signals == null ? null : bits(signals),
                sampling == null ? null : (Integer) number("sampling", sampling, 1, 0xFFFF, 1),
                on,
                off,
                stacks == null ? null : (Integer) number("stacks", stacks, 0, Retune.MOST_STACKS_PER_SECOND, 0));
        if (tuning.isNothing()) {
            throw new IllegalArgumentException("nothing to set, expected signals, sampling, turns or stacks");
        }
        return new Set(ranks, tuning);
    }

    private static int bits(String list) {
        int bits = 0;
        for (String word : list.split(",", -1)) {
            Integer bit = SIGNALS.get(word);
            if (bit == null) {
                throw new IllegalArgumentException(
                        "signals: found '" + word + "', expected a list of " + String.join(", ", SIGNALS.keySet()));
            }
            bits |= bit;
        }
        return bits;
    }

    private static int number(String what, @Nullable String text, int least, int most, int otherwise) {
        if (text == null) {
            return otherwise;
        }
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
            throw new IllegalArgumentException(
                    what + ": found '" + text + "', expected a whole number from " + least + " to " + most);
        }
        return Integer.parseInt(text);
    }

    private static RankSet ranks(@Nullable String text) {
        if (text == null || text.equals("all")) {
            return RankSet.EMPTY;
        }
        List<Integer> all = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.matches("[0-9]{1,7}(-[0-9]{1,7})?")) {
                throw new IllegalArgumentException("ranks: found '" + part + "', expected a list such as 0-7,16");
            }
            String[] ends = part.split("-", -1);
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (last < first || last - first + all.size() >= 4096) {
                throw new IllegalArgumentException("ranks: found '" + part + "', expected at most 4096 in all");
            }
            for (int r = first; r <= last; r++) {
                all.add(r);
            }
        }
        return RankSet.of(all);
    }
}
