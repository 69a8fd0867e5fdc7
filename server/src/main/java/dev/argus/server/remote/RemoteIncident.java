package dev.argus.server.remote;

import dev.argus.model.Cost;
import dev.argus.model.Direction;
import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.Level;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads an incident as {@code argus.verdict/1} has it. */
final class RemoteIncident {
    private static final int MOST_ITEMS = 100_000;
    private static final int MOST_STEP_ITEMS = 2;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    private RemoteIncident() {}

    static Incident read(JsonValue from) throws UnusableValueException {
        String id = from.text("id");
        if (!ID.matcher(id).matches()) {
            throw from.wrong("id", "letters, digits, points, dashes, underscores and colons, at most 128");
        }
        double confidence = from.amount("confidence");
        if (confidence > 1) {
            throw from.wrong("confidence", "0 to 1");
        }
        long[] steps = steps(from);
        return new Incident(
                id,
                word(from, "kind", IncidentKind.values(), IncidentKind::text),
                word(from, "scope", Scope.values(), Scope::text),
                word(from, "severity", Severity.values(), Severity::text),
                confidence,
                levels(from),
                word(from, "state", IncidentState.values(), IncidentState::text),
                from.whole("sinceEpochNanos", 0, Long.MAX_VALUE),
                from.has("untilEpochNanos") ? (Long) from.whole("untilEpochNanos", 0, Long.MAX_VALUE) : null,
                (int) from.whole("attempt", 0, Integer.MAX_VALUE),
                RankSet.of(from.ranks("ranks")),
                gpus(from),
                from.texts("hosts", MOST_ITEMS),
                groups(from),
                steps[0],
                steps[1],
                from.texts("kernels", MOST_ITEMS),
                direction(from),
                from.text("summary"),
                from.text("explanation"),
                from.text("advice"),
                evidence(from),
                cost(from.object("cost")));
    }

    private static <E> E word(JsonValue from, String name, E[] all, Function<E, String> text)
            throws UnusableValueException {
        String word = from.text(name);
        for (E value : all) {
            if (text.apply(value).equals(word)) {
                return value;
            }
        }
        throw from.wrong(name, "a word that this version knows");
    }

    private static @Nullable Direction direction(JsonValue from) throws UnusableValueException {
        return from.has("direction") ? word(from, "direction", Direction.values(), Direction::text) : null;
    }

    private static Set<Level> levels(JsonValue from) throws UnusableValueException {
        Set<Level> levels = EnumSet.noneOf(Level.class);
        for (String name : from.texts("levels", Level.values().length)) {
            for (Level level : Level.values()) {
                if (level.name().equals(name)) {
                    levels.add(level);
                }
            }
        }
        return levels;
    }

    private static long[] steps(JsonValue from) throws UnusableValueException {
        if (!from.has("steps")) {
            return new long[] {-1, -1};
        }
        List<Long> steps = from.wholes("steps", MOST_STEP_ITEMS);
        if (steps.size() != MOST_STEP_ITEMS || steps.get(0) < 0 || steps.get(1) < steps.get(0)) {
            throw from.wrong("steps", "the first and the last step");
        }
        return new long[] {steps.get(0), steps.get(1)};
    }

    private static List<GpuRef> gpus(JsonValue from) throws UnusableValueException {
        List<GpuRef> gpus = new ArrayList<>();
        for (JsonValue gpu : from.objects("gpus", MOST_ITEMS)) {
            gpus.add(new GpuRef(
                    natural(gpu, "rank"), gpu.textOrNull("host"), natural(gpu, "index"), gpu.textOrNull("uuid")));
        }
        return gpus;
    }

    private static int natural(JsonValue from, String name) throws UnusableValueException {
        return from.has(name) ? (int) from.whole(name, 0, Integer.MAX_VALUE) : -1;
    }

    private static List<ParallelGroup> groups(JsonValue from) throws UnusableValueException {
        List<ParallelGroup> groups = new ArrayList<>();
        for (JsonValue group : from.objects("groups", MOST_ITEMS)) {
            groups.add(new ParallelGroup(group.text("dimension"), RankSet.of(group.ranks("ranks"))));
        }
        return groups;
    }

    private static List<Evidence> evidence(JsonValue from) throws UnusableValueException {
        List<Evidence> rows = new ArrayList<>();
        for (JsonValue row : from.objects("evidence", MOST_ITEMS)) {
            rows.add(new Evidence(
                    row.text("what"),
                    row.number("value"),
                    row.text("unit"),
                    row.text("reference"),
                    row.number("threshold")));
        }
        return rows;
    }

    private static Cost cost(JsonValue from) throws UnusableValueException {
        return new Cost(
                from.amount("stepRatio"),
                from.amount("gpuSeconds"),
                from.has("duringRatio") ? from.amount("duringRatio") : Double.NaN,
                from.has("upperBound") && from.truth("upperBound"));
    }
}
