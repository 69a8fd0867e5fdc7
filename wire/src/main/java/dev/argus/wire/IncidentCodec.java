package dev.argus.wire;

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
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An incident or observation with everything it says, as a job keeps it over a restart. Words stand as texts, so that a word added later moves no other.
 *
 * <pre>
 * version:byte  id kind scope severity state direction:text(empty none)  confidence:double  levels:byte(bit a level)
 * since(s) flags:byte(1 until follows) until(s)  attempt(s)  firstStep(s) lastStep(s)
 * ranks  n  n x { rank(s) flags:byte(1 host, 2 uuid) host:text uuid:text index(s) }     GPUs
 * n  n x host:text   n  n x { dimension:text ranks }   n  n x kernel:text
 * summary explanation advice:text   n  n x { what:text value:double unit:text reference:text threshold:double }
 * stepRatio gpuSeconds duringRatio:double  flags:byte(1 upper bound)            version 1 has no duringRatio, 2 no flags
 * </pre>
 *
 * <p>Varints, (s) zigzag; sets of ranks as {@link RankDeclarationCodec} has them. About 1 KB.
 */
public final class IncidentCodec {
    private static final int VERSION = 3;

    private IncidentCodec() {}

    /** Appends an incident. */
    public static void encode(Incident i, WireWriter to) {
        Direction direction = i.direction();
        to.writeByte(VERSION)
                .writeText(i.id())
                .writeText(i.kind().name())
                .writeText(i.scope().name())
                .writeText(i.severity().name())
                .writeText(i.state().name())
                .writeText(direction == null ? "" : direction.name())
                .writeDouble(i.confidence());
        int levels = 0;
        for (Level level : i.levels()) {
            levels |= 1 << level.ordinal();
        }
        Long until = i.untilEpochNanos();
        to.writeByte(levels).writeSigned(i.sinceEpochNanos()).writeByte(until == null ? 0 : 1);
        if (until != null) {
            to.writeSigned(until);
        }
        to.writeSigned(i.attempt()).writeSigned(i.firstStep()).writeSigned(i.lastStep());
        RankDeclarationCodec.ranks(i.ranks(), to);
        list(i.gpus(), IncidentCodec::gpu, to);
        texts(i.hosts(), to);
        list(i.groups(), (g, w) -> RankDeclarationCodec.ranks(g.ranks(), w.writeText(g.dimension())), to);
        texts(i.kernels(), to);
        to.writeText(i.summary()).writeText(i.explanation()).writeText(i.advice());
        list(i.evidence(), IncidentCodec::evidence, to);
        Cost cost = i.cost();
        to.writeDouble(cost.stepRatio())
                .writeDouble(cost.gpuSeconds())
                .writeDouble(cost.duringRatio())
                .writeByte(cost.upperBound() ? 1 : 0);
    }

    private static void gpu(GpuRef gpu, WireWriter to) {
        String host = gpu.host();
        String uuid = gpu.uuid();
        to.writeSigned(gpu.rank()).writeByte((host == null ? 0 : 1) | (uuid == null ? 0 : 2));
        if (host != null) {
            to.writeText(host);
        }
        if (uuid != null) {
            to.writeText(uuid);
        }
        to.writeSigned(gpu.index());
    }

    private static void evidence(Evidence row, WireWriter to) {
        to.writeText(row.what())
                .writeDouble(row.value())
                .writeText(row.unit())
                .writeText(row.reference())
                .writeDouble(row.threshold());
    }

    /**
     * Reads an incident.
     *
     * @param from bytes
     * @param mostMembers ranks that its ranks and groups may have together, for runs say many in few bytes
     * @throws WireException if the bytes are not what {@link #encode} writes, or of another version
     */
    public static Incident decode(WireReader from, long mostMembers) {
        int version = from.readByte();
        if (version < 1 || version > VERSION) {
            throw new WireException("incident of version " + version + ", expected 1 to " + VERSION);
        }
        String id = from.readText();
        IncidentKind kind = word(IncidentKind.class, from.readText());
        Scope scope = word(Scope.class, from.readText());
        Severity severity = word(Severity.class, from.readText());
        IncidentState state = word(IncidentState.class, from.readText());
        String direction = from.readText();
        double confidence = from.readDouble();
        Set<Level> levels = levels(from.readFlags(1 << (Level.values().length - 1)));
        long since = from.readSigned();
        Long until = from.readFlags(1) == 0 ? null : Long.valueOf(from.readSigned());
        int attempt = from.readSignedInt();
        long firstStep = from.readSigned();
        long lastStep = from.readSigned();
        RankSet ranks = RankDeclarationCodec.ranks(from, mostMembers);
        long[] left = {mostMembers - ranks.size()};
        List<GpuRef> gpus = list(3, IncidentCodec::gpu, from);
        List<String> hosts = list(1, WireReader::readText, from);
        List<ParallelGroup> groups = list(2, r -> group(r, left), from);
        List<String> kernels = list(1, WireReader::readText, from);
        return new Incident(
                id,
                kind,
                scope,
                severity,
                confidence,
                levels,
                state,
                since,
                until,
                attempt,
                ranks,
                gpus,
                hosts,
                groups,
                firstStep,
                lastStep,
                kernels,
                direction.isEmpty() ? null : word(Direction.class, direction),
                from.readText(),
                from.readText(),
                from.readText(),
                list(19, IncidentCodec::evidence, from),
                new Cost(
                        from.readDouble(),
                        from.readDouble(),
                        version == 1 ? Double.NaN : from.readDouble(),
                        version >= 3 && from.readFlags(1) == 1));
    }

    private static GpuRef gpu(WireReader from) {
        int rank = from.readSignedInt();
        int flags = from.readFlags(2);
        @Nullable String host = (flags & 1) == 0 ? null : from.readText();
        @Nullable String uuid = (flags & 2) == 0 ? null : from.readText();
        return new GpuRef(rank, host, from.readSignedInt(), uuid);
    }

    private static ParallelGroup group(WireReader from, long[] left) {
        String dimension = from.readText();
        RankSet ranks = RankDeclarationCodec.ranks(from, left[0]);
        left[0] -= ranks.size();
        return new ParallelGroup(dimension, ranks);
    }

    private static Evidence evidence(WireReader from) {
        return new Evidence(from.readText(), from.readDouble(), from.readText(), from.readText(), from.readDouble());
    }

    private static Set<Level> levels(int bits) {
        Set<Level> levels = EnumSet.noneOf(Level.class);
        for (Level level : Level.values()) {
            if ((bits & 1 << level.ordinal()) != 0) {
                levels.add(level);
            }
        }
        return levels;
    }

    /** A constant by its name. */
    private static <E extends Enum<E>> E word(Class<E> type, String name) {
        for (E value : type.getEnumConstants()) {
            if (value.name().equals(name)) {
                return value;
            }
        }
        throw new WireException("unknown " + type.getSimpleName() + " in an incident; damaged, or of a newer version");
    }

    private static void texts(List<String> texts, WireWriter to) {
        list(texts, (text, w) -> w.writeText(text), to);
    }

    static <T> void list(List<T> list, BiConsumer<T, WireWriter> each, WireWriter to) {
        to.writeVarint(list.size());
        list.forEach(t -> each.accept(t, to));
    }

    /** @param bytesEach bytes that each takes at least */
    static <T> List<T> list(int bytesEach, Function<WireReader, T> each, WireReader from) {
        int n = from.readCount(bytesEach);
        List<T> list = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            list.add(each.apply(from));
        }
        return List.copyOf(list);
    }
}
