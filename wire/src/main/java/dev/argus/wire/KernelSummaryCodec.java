package dev.argus.wire;

import dev.argus.model.KernelClass;
import dev.argus.model.KernelSummary;

/**
 * Layout of a {@link KernelSummary} inside one process: name ids are the process' own. Quantiles are rounded to nanoseconds and
 * written as differences, for they ascend.
 *
 * <pre>
 * version:byte  attempt  rank(s)  step(s)  name  class:byte  count  sum  workItems  16 x difference
 * </pre>
 *
 * <p>Varints throughout, (s) zigzag.
 */
public final class KernelSummaryCodec {
    private static final int VERSION = 1;
    private static final KernelClass[] CLASSES = KernelClass.values();

    private KernelSummaryCodec() {}

    /** Appends a summary. */
    public static void encode(KernelSummary k, WireWriter to) {
        to.writeByte(VERSION)
                .writeVarint(k.attempt())
                .writeSigned(k.rank())
                .writeSigned(k.step())
                .writeVarint(k.name())
                .writeByte(k.kernelClass().ordinal())
                .writeVarint(k.count())
                .writeVarint(k.sumNanos())
                .writeVarint(k.workItems());
        long before = 0;
        for (double q : k.quantilesNanos()) {
            long nanos = Math.max(before, Math.round(q));
            to.writeVarint(nanos - before);
            before = nanos;
        }
    }

    /**
     * Reads a summary.
     *
     * @throws WireException if the bytes are not what {@link #encode} writes
     */
    public static KernelSummary decode(WireReader from) {
        int version = from.readByte();
        if (version != VERSION) {
            throw new WireException("kernel summary of version " + version + ", expected " + VERSION);
        }
        int attempt = from.readInt();
        int rank = from.readSignedInt();
        long step = from.readSigned();
        int name = from.readInt();
        KernelClass kernelClass = CLASSES[StepDigestCodec.ordinal(from.readByte(), CLASSES.length, "kernel class")];
        long count = from.readVarint();
        long sum = from.readVarint();
        long work = from.readVarint();
        double[] quantiles = new double[KernelSummary.KNOTS];
        long at = 0;
        for (int i = 0; i < quantiles.length; i++) {
            at += from.readVarint();
            quantiles[i] = at;
            if (at < 0 || Math.round(quantiles[i]) != at) {
                throw new WireException("quantile " + i + " of " + Long.toUnsignedString(at)
                        + " ns, expected one that a double holds; the bytes are damaged");
            }
        }
        return new KernelSummary(attempt, rank, step, name, kernelClass, count, sum, work, quantiles);
    }
}
