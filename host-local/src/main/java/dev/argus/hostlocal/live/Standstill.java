package dev.argus.hostlocal.live;

import dev.argus.engine.StoppedJob;
import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.wire.WireReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is said of a job that stands still: while it does, once that it goes on again, and then nothing. */
final class Standstill {
    /** A standstill is looked at again after so long: it walks over all groups. */
    private static final long AGAIN_NANOS = 1_000_000_000L;

    private final NameTable names;
    private List<Incident> said = List.of();
    private long lookedNanos;

    Standstill(NameTable names) {
        this.names = names;
    }

    /** Looks at the job at a time; {@code goesOn} when steps went on with it; {@code newestStep} is the last that all have made, -1 before the first. */
    void look(
            @Nullable JobShape shape,
            HangWatch hangs,
            double measuredNanos,
            boolean goesOn,
            long newestStep,
            long nowNanos) {
        if (shape != null && hangs.stands(nowNanos)) {
            if (!said.isEmpty() && nowNanos - lookedNanos < AGAIN_NANOS) {
                return; // as it was said
            }
            lookedNanos = nowNanos;
            said = new StoppedJob(shape, names)
                            .judge(
                                    hangs.states(),
                                    hangs.flights(),
                                    hangs.stacks(),
                                    hangs.progressNanos(),
                                    nowNanos,
                                    measuredNanos)
                            .incidents()
                            .stream()
                            .map(i -> after(i, newestStep))
                            .toList();
        } else if (stands()) {
            said = said.stream().map(i -> i.resolved(hangs.progressNanos())).toList();
        } else if (goesOn) {
            said = List.of();
        }
    }

    /** Where no rank says which step it has begun it stands in the one after the last. */
    private static Incident after(Incident i, long newestStep) {
        return i.firstStep() >= 0 || newestStep < 0
                ? i
                : i.standing(i.id(), i.cost(), newestStep + 1, i.sinceEpochNanos());
    }

    boolean stands() {
        return !said.isEmpty() && said.getFirst().untilEpochNanos() == null;
    }

    List<Incident> said() {
        return said;
    }

    void clear() {
        said = List.of();
    }

    void encode(SnapshotOut out) {
        Codecs.incidents(said, out.to().writeSigned(lookedNanos));
    }

    void decode(WireReader from) {
        lookedNanos = from.readSigned();
        said = Codecs.incidents(from);
    }
}
