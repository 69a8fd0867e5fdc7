package dev.argus.digest;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CpuSpan;
import dev.argus.model.SpanKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the collectives among the ranges of the CPU.
 *
 * <p>One call shows several times: as the operator that launches it ({@code c10d::allreduce_}, short), as the record of its
 * arguments ({@code record_param_comms}, which names the group), and as the annotation around its work on the backend's own
 * thread ({@code gloo:all_reduce}, which lasts as long as the call). Where there are annotations they are the collectives, and
 * take their identity from the records in order; else the outermost operators are.
 */
final class CpuCollectives {
    private CpuCollectives() {}

    /** The collectives by start, each once. */
    static List<CpuSpan> of(List<CpuSpan> spans) {
        List<CpuSpan> annotations = new ArrayList<>();
        List<CpuSpan> operators = new ArrayList<>();
        for (CpuSpan s : spans) {
            if (s.collective() != null && s.kind() != SpanKind.GPU_ANNOTATION) {
                (s.kind() == SpanKind.ANNOTATION ? annotations : operators).add(s);
            }
        }
        if (annotations.isEmpty()) {
            return outermost(operators);
        }
        return identified(outermost(annotations), operators);
    }

    /** Gives annotations without a group the identity of the record of the same number, operation by operation. */
    private static List<CpuSpan> identified(List<CpuSpan> annotations, List<CpuSpan> operators) {
        Map<CollectiveOp, List<CollectiveCall>> records = new EnumMap<>(CollectiveOp.class);
        operators.sort(Comparator.comparingLong(CpuSpan::startNanos));
        for (CpuSpan s : operators) {
            CollectiveCall c = s.collective();
            if (c != null && c.group() >= 0) {
                records.computeIfAbsent(c.op(), o -> new ArrayList<>()).add(c);
            }
        }
        Map<CollectiveOp, Long> counts = new EnumMap<>(CollectiveOp.class);
        for (CpuSpan s : annotations) {
            CollectiveCall c = s.collective();
            if (c != null) {
                counts.merge(c.op(), 1L, Long::sum);
            }
        }
        Map<CollectiveOp, Integer> next = new EnumMap<>(CollectiveOp.class);
        List<CpuSpan> result = new ArrayList<>();
        for (CpuSpan s : annotations) {
            CollectiveCall c = s.collective();
            List<CollectiveCall> of = c == null ? null : records.get(c.op());
            if (c == null || of == null || c.group() >= 0 || of.size() != counts.getOrDefault(c.op(), 0L)) {
                result.add(s);
            } else {
                int number = next.merge(c.op(), 1, Integer::sum) - 1;
                result.add(new CpuSpan(
                        s.kind(),
                        s.name(),
                        s.process(),
                        s.thread(),
                        s.startNanos(),
                        s.durationNanos(),
                        s.externalId(),
                        of.get(number)));
            }
        }
        return result;
    }

    /** Those that do not lie inside another on their thread: a wrapper and what it wraps are one call. */
    private static List<CpuSpan> outermost(List<CpuSpan> spans) {
        spans.sort(Comparator.comparingLong(CpuSpan::startNanos)
                .thenComparing(Comparator.comparingLong(CpuSpan::durationNanos).reversed()));
        List<CpuSpan> kept = new ArrayList<>();
        Map<Long, Long> endOf = new HashMap<>();
        for (CpuSpan s : spans) {
            Long end = endOf.get(s.thread());
            if (end == null || s.endNanos() > end) {
                kept.add(s);
                endOf.put(s.thread(), s.endNanos());
            }
        }
        return kept;
    }
}
