package dev.argus.server.ingest;

import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.server.job.KernelPictureJson;
import dev.argus.storage.Rows;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Which pictures of kernels are kept beside incidents, for whoever reads them when they are over: those of the moment at which windows of an incident's steps are first there, and again each time it has twice as
 * many steps, or accuses others, at most {@value #MOST_TIMES} times. What a picture is drawn from is in memory only while the job runs.
 *
 * <p>State: a few numbers an incident that is known now. After a restart each is kept once more. One thread.
 */
final class KeptPictures {
    /** Characters of what is kept of an incident at a time: names of kernels may be long. Beyond, kernels that cost less are left out. */
    static final int MOST_CHARS = 64 << 10;

    static final int MOST_TIMES = 16;

    private final Map<String, Kept> kept = new HashMap<>();

    private record Kept(long steps, int accused, int times) {}

    /**
     * Rows for what is known now.
     *
     * @param pictures makes those of an incident; asked only where some may be kept
     */
    List<Rows.Picture> next(
            String job, List<Incident> incidents, Function<Incident, List<KernelPicture>> pictures, long nowNanos) {
        Set<String> known = new HashSet<>();
        incidents.forEach(i -> known.add(i.id()));
        kept.keySet().retainAll(known);
        return incidents.stream()
                .filter(i -> i.state() != IncidentState.RESOLVED && due(i))
                .map(i -> row(job, i, pictures.apply(i), nowNanos))
                .flatMap(Optional::stream)
                .toList();
    }

    private boolean due(Incident incident) {
        Kept before = kept.get(incident.id());
        return before == null
                || (before.times() < MOST_TIMES
                        && (steps(incident) >= 2 * before.steps() || accused(incident) != before.accused()));
    }

    private static long steps(Incident incident) {
        return Math.max(1, incident.lastStep() - incident.firstStep() + 1);
    }

    private static int accused(Incident incident) {
        return 31 * incident.ranks().hashCode() + incident.kernels().hashCode();
    }

    private Optional<Rows.Picture> row(String job, Incident incident, List<KernelPicture> pictures, long nowNanos) {
        StringBuilder document = new StringBuilder("[");
        for (KernelPicture picture : pictures) {
            String one = json(picture);
            if (document.length() + one.length() + 2 <= MOST_CHARS) {
                document.append(document.length() > 1 ? "," : "").append(one);
            }
        }
        if (document.length() == 1) {
            return Optional.empty();
        }
        Kept before = kept.get(incident.id());
        kept.put(
                incident.id(), new Kept(steps(incident), accused(incident), before == null ? 1 : before.times() + 1));
        return Optional.of(new Rows.Picture(
                job, incident.id(), KernelPictureJson.KEPT, nowNanos, document.append(']').toString()));
    }

    private static String json(KernelPicture picture) {
        StringBuilder out = new StringBuilder();
        try {
            KernelPictureJson.write(new JsonWriter(out, 0), picture);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringBuilder does not throw
        }
        return out.toString();
    }
}
