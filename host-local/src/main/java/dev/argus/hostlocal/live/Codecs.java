package dev.argus.hostlocal.live;

import dev.argus.engine.Concluded;
import dev.argus.engine.Pace;
import dev.argus.hostlocal.live.IncidentChange.Kind;
import dev.argus.model.Incident;
import dev.argus.model.KernelWindow;
import dev.argus.model.StepDigest;
import dev.argus.wire.IncidentCodec;
import dev.argus.wire.KernelRecordCodec;
import dev.argus.wire.StepDigestCodec;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the parts of a job are written down that more than one of its classes hold; by the name ids of the process. */
final class Codecs {
    /** Ranks that the groups of one record may have together. */
    static final long MOST_MEMBERS = 1L << 26;

    private static final Kind[] KINDS = Kind.values();

    private Codecs() {}

    // ---------------------------------------------------------------- numbers and texts

    /** Numbers from 0 on, in ascending order. */
    static void ints(Collection<Integer> numbers, WireWriter to) {
        to.writeVarint(numbers.size());
        numbers.stream().mapToInt(n -> n).sorted().forEach(to::writeVarint);
    }

    static List<Integer> ints(WireReader from) {
        int n = from.readCount(1);
        List<Integer> numbers = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            numbers.add(from.readInt());
        }
        return numbers;
    }

    static void texts(Collection<String> texts, WireWriter to) {
        to.writeVarint(texts.size());
        texts.forEach(to::writeText);
    }

    static List<String> texts(WireReader from) {
        int n = from.readCount(1);
        List<String> texts = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            texts.add(from.readText());
        }
        return texts;
    }

    // ---------------------------------------------------------------- steps

    static void rankStep(RankStep step, WireWriter to) {
        StepDigestCodec.encode(step.digest(), to);
        KernelWindow kernels = step.kernels();
        to.writeByte(kernels == null ? 0 : 1);
        if (kernels != null) {
            KernelRecordCodec.encode(kernels, to);
        }
    }

    /** How many and each, handed over as they are written. */
    static void rankSteps(Collection<RankStep> steps, SnapshotOut out) {
        out.to().writeVarint(steps.size());
        steps.forEach(s -> {
            rankStep(s, out.to());
            out.written();
        });
    }

    static RankStep rankStep(WireReader from) {
        StepDigest digest = StepDigestCodec.decode(from);
        return new RankStep(digest, from.readByte() == 0 ? null : KernelRecordCodec.decode(from));
    }

    // ---------------------------------------------------------------- incidents

    static void incidents(Collection<Incident> incidents, WireWriter to) {
        to.writeVarint(incidents.size());
        incidents.forEach(i -> IncidentCodec.encode(i, to));
    }

    static List<Incident> incidents(WireReader from) {
        int n = from.readCount(8);
        List<Incident> incidents = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            incidents.add(IncidentCodec.decode(from, MOST_MEMBERS));
        }
        return List.copyOf(incidents);
    }

    static void changes(List<IncidentChange> changes, WireWriter to) {
        to.writeVarint(changes.size());
        for (IncidentChange c : changes) {
            to.writeByte(c.kind().ordinal()).writeSigned(c.atNanos());
            IncidentCodec.encode(c.incident(), to);
            to.writeText(c.because());
        }
    }

    static List<IncidentChange> changes(WireReader from) {
        int n = from.readCount(8);
        List<IncidentChange> changes = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            int kind = from.readByte();
            if (kind >= KINDS.length) {
                throw new WireException("change of kind " + kind + ", expected below " + KINDS.length);
            }
            long at = from.readSigned();
            changes.add(new IncidentChange(KINDS[kind], IncidentCodec.decode(from, MOST_MEMBERS), at, from.readText()));
        }
        return changes;
    }

    static void concluded(@Nullable Concluded c, WireWriter to) {
        to.writeByte(c == null ? 0 : 1);
        if (c == null) {
            return;
        }
        to.writeSigned(c.attempt());
        incidents(c.incidents(), to);
        incidents(c.observations(), to);
        texts(c.notes(), to);
        to.writeDouble(c.lostNanos())
                .writeDouble(c.claimedNanos())
                .writeDouble(c.measuredNanos())
                .writeByte(c.quietSteps() ? 1 : 0);
        Pace p = c.pace();
        to.writeSigned(p.firstStep())
                .writeSigned(p.lastStep())
                .writeSigned(p.startNanos())
                .writeSigned(p.endNanos())
                .writeDouble(p.stepNanos())
                .writeVarint(p.peerSets().size());
        for (Pace.Peers s : p.peerSets()) {
            to.writeSigned(s.ranks())
                    .writeSigned(s.steps())
                    .writeDouble(s.computeNanos())
                    .writeDouble(s.workItems())
                    .writeDouble(s.slope())
                    .writeDouble(s.noiseRatio());
        }
    }

    static @Nullable Concluded concluded(WireReader from) {
        if (from.readByte() == 0) {
            return null;
        }
        return new Concluded(
                from.readSignedInt(),
                incidents(from),
                incidents(from),
                List.copyOf(texts(from)),
                from.readDouble(),
                from.readDouble(),
                from.readDouble(),
                from.readByte() != 0,
                new Pace(
                        from.readSigned(),
                        from.readSigned(),
                        from.readSigned(),
                        from.readSigned(),
                        from.readDouble(),
                        peers(from)));
    }

    private static List<Pace.Peers> peers(WireReader from) {
        int n = from.readCount(34);
        List<Pace.Peers> sets = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            sets.add(new Pace.Peers(
                    from.readSignedInt(),
                    from.readSignedInt(),
                    from.readDouble(),
                    from.readDouble(),
                    from.readDouble(),
                    from.readDouble()));
        }
        return List.copyOf(sets);
    }
}
