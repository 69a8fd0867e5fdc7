package dev.argus.digest;

import dev.argus.model.CpuSpan;
import dev.argus.model.Phase;
import dev.argus.model.SpanKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the phases of a rank lie on the clock of its host. */
final class PhaseMap {
    /** A forward pass inside an evaluation is evaluation: the outermost purpose wins, in this order. */
    private static final List<Phase> PRIORITY = List.of(
            Phase.EVALUATION, Phase.CHECKPOINT, Phase.DATA_LOADING, Phase.OPTIMIZER, Phase.BACKWARD, Phase.FORWARD);

    private final Map<Phase, Intervals> ranges = new EnumMap<>(Phase.class);

    /** Where the answer changes, ascending, and the answer from there on; made when it is first asked for. */
    private long @Nullable [] bounds;

    private @Nullable Phase[] between = new Phase[0];

    /** The piece of the last answer: whoever asks mostly does so in order of time. */
    private int piece;

    PhaseMap(List<CpuSpan> spans, NameKinds kinds) {
        Map<Phase, List<CpuSpan>> byPhase = new EnumMap<>(Phase.class);
        for (CpuSpan s : spans) {
            if (s.kind() != SpanKind.ANNOTATION || s.collective() != null) {
                continue;
            }
            Phase phase = kinds.phaseOf(s.name());
            if (phase != null) {
                byPhase.computeIfAbsent(phase, x -> new ArrayList<>()).add(s);
            }
        }
        byPhase.forEach((phase, list) -> {
            list.sort((a, b) -> Long.compare(a.startNanos(), b.startNanos()));
            Intervals union = new Intervals();
            list.forEach(s -> union.add(s.startNanos(), s.endNanos()));
            ranges.put(phase, union);
        });
    }

    /** Phases that were seen at all. */
    List<Phase> phases() {
        return List.copyOf(ranges.keySet());
    }

    Intervals ranges(Phase phase) {
        return ranges.getOrDefault(phase, new Intervals());
    }

    /** The phase at a time, or null. */
    @Nullable
    Phase at(long time) {
        long[] at = bounds;
        if (at == null) {
            at = pieces();
            bounds = at;
        }
        int i = piece;
        if (i >= at.length || time < at[i] || (i + 1 < at.length && time >= at[i + 1])) {
            i = last(at, time);
            if (i < 0) {
                return null;
            }
            piece = i;
        }
        return between[i];
    }

    /** The last of equal ones that is not behind a time, or -1. */
    private static int last(long[] at, long time) {
        int low = 0;
        int high = at.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (at[middle] <= time) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    private long[] pieces() {
        int ends = 0;
        for (Intervals r : ranges.values()) {
            ends += 2 * r.size();
        }
        long[] at = new long[ends];
        int n = 0;
        for (Intervals r : ranges.values()) {
            for (int i = 0; i < r.size(); i++) {
                at[n++] = r.start(i);
                at[n++] = r.end(i);
            }
        }
        Arrays.sort(at);
        between = new Phase[at.length];
        for (int i = 0; i < at.length; i++) {
            between[i] = outermost(at[i]);
        }
        return at;
    }

    private @Nullable Phase outermost(long time) {
        for (Phase p : PRIORITY) {
            Intervals r = ranges.get(p);
            if (r != null && r.covered(time, time + 1) > 0) {
                return p;
            }
        }
        return null;
    }
}
