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
import java.util.List;

/**
 * Layout of a {@link StepDigest} inside one process: name ids are the process' own. Times inside a step are relative to its
 * start, collectives to their predecessor; about 12 bytes a collective.
 *
 * <pre>
 * version:byte  attempt  rank  step(s)  start(s)  duration  flags:byte(1 last, 2 partial, 4 gpu, 8 launches known)
 * compute copy exposed idle hostIdle  h2dNanos h2dBytes  kernelCount workItems  [launchNanos+1 where known]
 * n  n x { phase:byte span compute }
 * n  n x { op:byte(bit 7 queued) group(s) sequence(s, to predecessor) bytes(s) peer(s) stream(s) start(s, to predecessor) duration exposed }
 * n  n x { start(s, to step) duration flags:byte(1 hostLate, 2 beforeInput, 4 afterWork) cover(s) coverKind:byte }
 * </pre>
 *
 * <p>Varints throughout, (s) zigzag.
 */
public final class StepDigestCodec {
    private static final int VERSION = 1;
    private static final CollectiveOp[] OPS = CollectiveOp.values();
    private static final Phase[] PHASES = Phase.values();
    private static final SpanKind[] KINDS = SpanKind.values();

    private StepDigestCodec() {}

    /** Appends a digest. */
    public static void encode(StepDigest d, WireWriter to) {
        OwnTime own = d.own();
        to.writeByte(VERSION)
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
        to.writeVarint(d.phases().size());
        for (PhaseTime p : d.phases()) {
            to.writeByte(p.phase().ordinal()).writeVarint(p.spanNanos()).writeVarint(p.computeNanos());
        }
        to.writeVarint(d.collectives().size());
        long start = d.startNanos();
        long sequence = 0;
        for (CollectiveStat c : d.collectives()) {
            to.writeByte(c.op().ordinal() | (c.queued() ? 0x80 : 0))
                    .writeSigned(c.group())
                    .writeSigned(c.sequence() - sequence)
                    .writeSigned(c.bytes())
                    .writeSigned(c.peer())
                    .writeSigned(c.stream())
                    .writeSigned(c.startNanos() - start)
                    .writeVarint(c.durationNanos())
                    .writeVarint(c.exposedNanos());
            start = c.startNanos();
            sequence = c.sequence();
        }
        to.writeVarint(d.gaps().size());
        for (Gap g : d.gaps()) {
            to.writeSigned(g.startNanos() - d.startNanos())
                    .writeVarint(g.durationNanos())
                    .writeByte((g.hostLate() ? 1 : 0) | (g.beforeInput() ? 2 : 0) | (g.afterWork() ? 4 : 0))
                    .writeSigned(g.cover())
                    .writeByte(g.coverKind().ordinal());
        }
    }

    /**
     * Reads a digest.
     *
     * @throws WireException if the bytes are not what {@link #encode} writes
     */
    public static StepDigest decode(WireReader from) {
        int version = from.readByte();
        if (version != VERSION) {
            throw new WireException("digest of version " + version + ", expected " + VERSION);
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
        long launch = (flags & 8) != 0 ? launch(from) : 0;
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
                phases(from),
                collectives(from, startNanos),
                gaps(from, startNanos));
    }

    /** The time from one launch to the next of a digest that has it: more than 0, or -1. */
    static long launch(WireReader from) {
        long behind = from.readVarint();
        if (behind < 0 || behind == 1) {
            throw new WireException(
                    "launches known, with " + Long.toUnsignedString(behind) + ", expected 0 or 2 and more");
        }
        return behind - 1;
    }

    private static List<PhaseTime> phases(WireReader from) {
        int n = from.readCount(3);
        List<PhaseTime> list = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            list.add(new PhaseTime(
                    PHASES[ordinal(from.readByte(), PHASES.length, "phase")], from.readVarint(), from.readVarint()));
        }
        return list;
    }

    private static List<CollectiveStat> collectives(WireReader from, long stepStart) {
        int n = from.readCount(9);
        PackedCollectives.Builder list = new PackedCollectives.Builder(n);
        long start = stepStart;
        long sequence = 0;
        for (int i = 0; i < n; i++) {
            int op = from.readByte();
            int group = from.readSignedInt();
            sequence += from.readSigned();
            long bytes = from.readSigned();
            int peer = from.readSignedInt();
            int stream = from.readSignedInt();
            start += from.readSigned();
            list.add(
                    OPS[ordinal(op & 0x7F, OPS.length, "operation")],
                    group,
                    sequence,
                    bytes,
                    peer,
                    stream,
                    start,
                    from.readVarint(),
                    from.readVarint(),
                    op >= 0x80);
        }
        return list.build();
    }

    private static List<Gap> gaps(WireReader from, long stepStart) {
        int n = from.readCount(5);
        List<Gap> list = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            long start = stepStart + from.readSigned();
            long duration = from.readVarint();
            int flags = from.readFlags(4);
            int cover = from.readSignedInt();
            list.add(new Gap(
                    start,
                    duration,
                    (flags & 1) != 0,
                    (flags & 2) != 0,
                    (flags & 4) != 0,
                    cover,
                    KINDS[ordinal(from.readByte(), KINDS.length, "origin")]));
        }
        return list;
    }

    static int ordinal(int value, int bound, String what) {
        if (value >= bound) {
            throw new WireException(what + " " + value + ", expected below " + bound);
        }
        return value;
    }
}
