package dev.argus.wire;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.Gap;
import dev.argus.model.OwnTime;
import dev.argus.model.PackedCollectives;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;

/**
 * Layout of a {@link StepDigest} between hosts: names as text, times of collectives and gaps in units of {@value #QUANTUM_NANOS} ns.
 *
 * <p>Error: starts and durations within half a unit, exposed parts within one; so a wait (own duration less the shortest, at most the exposed part) is
 * within one unit, and nothing adds up along a step, for starts are rounded from the step's start and not from each other. The accounts of the step (own
 * time, phases, copies) are exact. Collectives of one kind are written once, then by number: 5 to 9 bytes an instance.
 *
 * <p>Version 1 brings its names as texts and stands alone; version 2 has numbers of names that both sides know ({@link SessionNames}).
 *
 * <pre>
 * version:byte  attempt  rank(s)  step(s)  start(s)  duration  flags:byte(1 last, 2 partial, 4 gpu, 8 launches known)
 * compute copy exposed idle hostIdle  h2dNanos h2dBytes  kernelCount workItems  [launchNanos+1 where known]
 * n  n x text                                                                              version 2: n x number
 * n  n x { phase:byte span compute }
 * n  n x { op:byte text+1 bytes(s) peer(s) stream(s) }                                        kinds of collectives
 * n  n x { kind*2+queued sequence(s, to the last of its kind) start(s, to predecessor) duration covered }    in units
 * n  n x { start(s, to step) duration flags:byte text+1 coverKind:byte }                      in units
 * </pre>
 *
 * <p>Varints throughout, (s) zigzag.
 */
public final class ShippedDigestCodec {
    /** Unit of time. */
    public static final long QUANTUM_NANOS = 1_000;

    private static final int VERSION = 1;
    private static final int NUMBERED = 2;
    private static final int MOST_TEXT = 512;
    private static final CollectiveOp[] OPS = CollectiveOp.values();
    private static final Phase[] PHASES = Phase.values();
    private static final SpanKind[] KINDS = SpanKind.values();

    private ShippedDigestCodec() {}

    private record Kind(CollectiveOp op, int text, long bytes, int peer, int stream) {}

    /**
     * Appends a digest.
     *
     * @param d digest
     * @param names gives the text of a name id; texts are cut at {@value #MOST_TEXT} characters
     * @param to where to
     */
    public static void encode(StepDigest d, IntFunction<String> names, WireWriter to) {
        encode(VERSION, d, id -> cut(names.apply(id)), to, text -> to.writeText((String) text));
    }

    /**
     * Appends a digest whose name ids are numbers that the reader knows: version 2.
     *
     * @param d digest
     * @param to where to
     */
    public static void encodeNumbered(StepDigest d, WireWriter to) {
        encode(NUMBERED, d, id -> id, to, number -> to.writeVarint((Integer) number));
    }

    private static void encode(
            int version, StepDigest d, IntFunction<Object> names, WireWriter to, Consumer<Object> name) {
        Map<Object, Integer> texts = new LinkedHashMap<>();
        Map<Kind, Integer> kinds = new LinkedHashMap<>();
        List<Kind> kindOf = new ArrayList<>();
        for (CollectiveStat c : d.collectives()) {
            Kind kind = new Kind(c.op(), text(c.group(), names, texts), c.bytes(), c.peer(), c.stream());
            kinds.putIfAbsent(kind, kinds.size());
            kindOf.add(kind);
        }
        List<Integer> covers = new ArrayList<>();
        d.gaps().forEach(g -> covers.add(text(g.cover(), names, texts)));
        OwnTime own = d.own();
        to.writeByte(version)
                .writeVarint(d.attempt())
                .writeSigned(d.rank())
                .writeSigned(d.step())
                .writeSigned(d.startNanos())
                .writeVarint(d.durationNanos())
                .writeByte(
                        (d.last() ? 1 : 0) | (d.partial() ? 2 : 0) | (d.gpu() ? 4 : 0) | (d.launchNanos() != 0 ? 8 : 0))
                .writeVarint(own.computeNanos())
                .writeVarint(own.copyNanos())
                .writeVarint(own.exposedCommNanos())
                .writeVarint(own.idleNanos())
                .writeVarint(own.hostIdleNanos())
                .writeVarint(d.hostToDeviceNanos())
                .writeVarint(d.hostToDeviceBytes())
                .writeVarint(d.kernelCount())
                .writeVarint(d.workItems());
        if (d.launchNanos() != 0) {
            to.writeVarint(d.launchNanos() + 1);
        }
        to.writeVarint(texts.size());
        texts.keySet().forEach(name);
        to.writeVarint(d.phases().size());
        d.phases()
                .forEach(p -> to.writeByte(p.phase().ordinal())
                        .writeVarint(p.spanNanos())
                        .writeVarint(p.computeNanos()));
        to.writeVarint(kinds.size());
        kinds.keySet()
                .forEach(k -> to.writeByte(k.op.ordinal())
                        .writeVarint(k.text + 1L)
                        .writeSigned(k.bytes)
                        .writeSigned(k.peer)
                        .writeSigned(k.stream));
        to.writeVarint(d.collectives().size());
        long[] sequence = new long[kinds.size()];
        long start = 0;
        for (int i = 0; i < kindOf.size(); i++) {
            CollectiveStat c = d.collectives().get(i);
            int kind = kinds.getOrDefault(kindOf.get(i), 0);
            long at = units(c.startNanos() - d.startNanos());
            long duration = units(c.durationNanos());
            to.writeVarint(2L * kind + (c.queued() ? 1 : 0))
                    .writeSigned(c.sequence() - sequence[kind])
                    .writeSigned(at - start)
                    .writeVarint(duration)
                    .writeVarint(Math.clamp(units(c.durationNanos() - c.exposedNanos()), 0, duration));
            sequence[kind] = c.sequence();
            start = at;
        }
        to.writeVarint(d.gaps().size());
        for (int i = 0; i < covers.size(); i++) {
            Gap g = d.gaps().get(i);
            to.writeSigned(units(g.startNanos() - d.startNanos()))
                    .writeVarint(units(g.durationNanos()))
                    .writeByte((g.hostLate() ? 1 : 0) | (g.beforeInput() ? 2 : 0) | (g.afterWork() ? 4 : 0))
                    .writeVarint(covers.get(i) + 1L)
                    .writeByte(g.coverKind().ordinal());
        }
    }

    private static int text(int id, IntFunction<Object> names, Map<Object, Integer> texts) {
        if (id < 0) {
            return -1;
        }
        Integer known = texts.putIfAbsent(names.apply(id), texts.size());
        return known == null ? texts.size() - 1 : known;
    }

    private static String cut(String text) {
        return text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text;
    }

    private static long units(long nanos) {
        return Math.floorDiv(nanos + QUANTUM_NANOS / 2, QUANTUM_NANOS);
    }

    /**
     * Reads a digest.
     *
     * @param from bytes
     * @param ids gives the reader's own id of a name
     * @throws WireException if the bytes are not what {@link #encode} writes
     */
    public static StepDigest decode(WireReader from, ToIntFunction<String> ids) {
        return decode(VERSION, from, r -> ids.applyAsInt(r.readText()));
    }

    /**
     * Reads a digest of version 2.
     *
     * @param from bytes
     * @param ids gives the reader's own id of a number, or throws where there is no such number
     * @throws WireException if the bytes are not what {@link #encodeNumbered} writes
     */
    public static StepDigest decodeNumbered(WireReader from, IntUnaryOperator ids) {
        return decode(NUMBERED, from, r -> ids.applyAsInt(r.readInt()));
    }

    private static StepDigest decode(int expected, WireReader from, ToIntFunction<WireReader> name) {
        int version = from.readByte();
        if (version != expected) {
            throw new WireException("shipped digest of version " + version + ", expected " + expected);
        }
        int attempt = from.readInt();
        int rank = from.readSignedInt();
        long step = from.readSigned();
        long startNanos = from.readSigned();
        long duration = from.readVarint();
        int flags = from.readFlags(8);
        OwnTime own = new OwnTime(
                from.readVarint(), from.readVarint(), from.readVarint(), from.readVarint(), from.readVarint());
        long h2dNanos = from.readVarint();
        long h2dBytes = from.readVarint();
        long kernels = from.readVarint();
        long work = from.readVarint();
        long launch = (flags & 8) != 0 ? StepDigestCodec.launch(from) : 0;
        int[] texts = new int[from.readCount(1)];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = name.applyAsInt(from);
        }
        List<PhaseTime> phases = new ArrayList<>();
        for (int n = from.readCount(3); n > 0; n--) {
            Phase phase = PHASES[StepDigestCodec.ordinal(from.readByte(), PHASES.length, "phase")];
            phases.add(new PhaseTime(phase, from.readVarint(), from.readVarint()));
        }
        return new StepDigest(
                attempt,
                rank,
                step,
                startNanos,
                duration,
                (flags & 1) != 0,
                (flags & 2) != 0,
                (flags & 4) != 0,
                own,
                h2dNanos,
                h2dBytes,
                kernels,
                work,
                launch,
                phases,
                collectives(from, startNanos, texts),
                gaps(from, startNanos, texts));
    }

    private static List<CollectiveStat> collectives(WireReader from, long stepStart, int[] texts) {
        List<Kind> kinds = new ArrayList<>();
        for (int n = from.readCount(5); n > 0; n--) {
            CollectiveOp op = OPS[StepDigestCodec.ordinal(from.readByte(), OPS.length, "operation")];
            kinds.add(new Kind(op, name(from, texts), from.readSigned(), from.readSignedInt(), from.readSignedInt()));
        }
        int n = from.readCount(5);
        PackedCollectives.Builder list = new PackedCollectives.Builder(n);
        Map<Integer, Long> sequences = new HashMap<>();
        long start = 0;
        for (int i = 0; i < n; i++) {
            int coded = from.readInt();
            int number = StepDigestCodec.ordinal(coded / 2, kinds.size(), "kind of collective");
            Kind kind = kinds.get(number);
            long sequence = sequences.merge(number, from.readSigned(), Long::sum);
            start += from.readSigned();
            long duration = nanos(from.readVarint());
            long covered = nanos(from.readVarint());
            if (covered > duration) {
                throw new WireException("collective of " + duration + " ns of which " + covered + " are covered");
            }
            list.add(
                    kind.op,
                    kind.text,
                    sequence,
                    kind.bytes,
                    kind.peer,
                    kind.stream,
                    stepStart + start * QUANTUM_NANOS,
                    duration,
                    duration - covered,
                    (coded & 1) != 0);
        }
        return list.build();
    }

    private static List<Gap> gaps(WireReader from, long stepStart, int[] texts) {
        int n = from.readCount(5);
        List<Gap> list = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            long start = stepStart + from.readSigned() * QUANTUM_NANOS;
            long duration = nanos(from.readVarint());
            int flags = from.readFlags(4);
            int cover = name(from, texts);
            SpanKind kind = KINDS[StepDigestCodec.ordinal(from.readByte(), KINDS.length, "origin")];
            list.add(new Gap(start, duration, (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0, cover, kind));
        }
        return list;
    }

    private static int name(WireReader from, int[] texts) {
        int place = from.readInt();
        return place == 0 ? -1 : texts[StepDigestCodec.ordinal(place - 1, texts.length, "text")];
    }

    private static long nanos(long units) {
        if (units < 0 || units > Long.MAX_VALUE / QUANTUM_NANOS) {
            throw new WireException("time of " + units + " us, expected at most what 64 bits of nanoseconds hold");
        }
        return units * QUANTUM_NANOS;
    }
}
