package dev.argus.hostlocal;

import dev.argus.hostlocal.LoadedPart.LoadedStep;
import dev.argus.model.KernelWindow;
import dev.argus.model.StepDigest;
import dev.argus.wire.KernelRecordCodec;
import dev.argus.wire.StepDigestCodec;
import dev.argus.wire.WireReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The records of one attempt, read from where they lie step by step: judgement goes by steps, and files come rank by rank. */
final class AttemptSteps {
    private final int attempt;
    private final SpillStore store;
    private final TreeSet<Long> steps = new TreeSet<>();
    private final Map<Integer, Map<Long, LoadedStep>> byRank = new TreeMap<>();

    AttemptSteps(int attempt, Map<Integer, LoadedPart> parts, SpillStore store) {
        this.attempt = attempt;
        this.store = store;
        parts.forEach((rank, part) -> {
            Map<Long, LoadedStep> own = new HashMap<>();
            for (LoadedStep s : part.steps()) {
                own.put(s.step(), s);
                steps.add(s.step());
            }
            byRank.put(rank, own);
        });
    }

    /** All steps that any rank has, ascending. */
    SortedSet<Long> steps() {
        return Collections.unmodifiableSortedSet(steps);
    }

    Iterable<Integer> ranks() {
        return byRank.keySet();
    }

    /** Digests of all ranks that have the step, by rank. */
    List<StepDigest> digests(long step) {
        List<StepDigest> digests = new ArrayList<>();
        for (int rank : byRank.keySet()) {
            StepDigest digest = digest(rank, step);
            if (digest != null) {
                digests.add(digest);
            }
        }
        return digests;
    }

    /** The digest of a rank; null where it has no such step. */
    @Nullable
    StepDigest digest(int rank, long step) {
        LoadedStep s = at(rank, step);
        return s == null
                ? null
                : StepDigestCodec.decode(new WireReader(store.read(s.digest()))).of(attempt, rank);
    }

    /** The kernels of a rank in a step; null where there are none. */
    @Nullable
    KernelWindow kernels(int rank, long step) {
        LoadedStep s = at(rank, step);
        SpillStore.Ref ref = s == null ? null : s.kernels();
        return ref == null
                ? null
                : KernelRecordCodec.decode(new WireReader(store.read(ref))).of(attempt, rank);
    }

    private @Nullable LoadedStep at(int rank, long step) {
        return byRank.getOrDefault(rank, Map.of()).get(step);
    }
}
