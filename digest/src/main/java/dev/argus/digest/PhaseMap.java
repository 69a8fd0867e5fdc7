package dev.argus.digest;

import dev.argus.model.CpuSpan;
import dev.argus.model.Phase;
import dev.argus.model.SpanKind;
import java.util.ArrayList;
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
        for (Phase p : PRIORITY) {
            Intervals r = ranges.get(p);
            if (r != null && r.covered(time, time + 1) > 0) {
                return p;
            }
        }
        return null;
    }
}
