package dev.argus.wire;

import dev.argus.model.DurationSummary;
import dev.argus.model.DurationSummary.Form;
import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.StreamKernel;
import dev.argus.stats.BinnedSample;
import dev.argus.stats.LogBins;
import dev.argus.stats.PositionGrid;
import java.util.ArrayList;
import java.util.List;

/**
 * Layout of a {@link KernelWindow} and of a {@link DurationSummary} inside one process: name ids are the process' own, every record
 * stands alone, and what is written is read back equal. Between processes {@link KernelWindowEncoder} takes a fraction of the bytes.
 *
 * <pre>
 * window:   version:byte  attempt  rank(s)  window(s)  lost  kernels  { name  stream(s)  workItems  summary }
 *           extremes  { name  stream(s)  start(s)  duration }
 * summary:  form:byte  bound  sum, then
 *   EVENTS  n  { difference to the event before }
 *   STEPS   n  { difference to the bin before }
 *   KNOTS   count  positionBits:byte  n  { difference of places  difference of bins }  modes  { difference of first knots }
 * </pre>
 *
 * <p>Varints throughout, (s) zigzag; differences are not negative, for what they are of ascends.
 */
public final class KernelRecordCodec {
    private static final int VERSION = 2;
    private static final Form[] FORMS = Form.values();
    private static final int LAST_BIN = LogBins.lastBin(BinnedSample.BITS);

    private KernelRecordCodec() {}

    /** Appends a window. */
    public static void encode(KernelWindow window, WireWriter to) {
        to.writeByte(VERSION)
                .writeVarint(window.attempt())
                .writeSigned(window.rank())
                .writeSigned(window.window())
                .writeVarint(window.lost());
        to.writeVarint(window.kernels().size());
        for (StreamKernel k : window.kernels()) {
            to.writeVarint(k.name()).writeSigned(k.stream()).writeVarint(k.workItems());
            encode(k.durations(), to);
        }
        to.writeVarint(window.extremes().size());
        for (ExtremeEvent e : window.extremes()) {
            to.writeVarint(e.name())
                    .writeSigned(e.stream())
                    .writeSigned(e.startNanos())
                    .writeVarint(e.durationNanos());
        }
    }

    /**
     * Reads a window.
     *
     * @throws WireException if the bytes are not what {@link #encode} writes
     */
    public static KernelWindow decode(WireReader from) {
        int version = from.readByte();
        if (version != VERSION) {
            throw new WireException("kernel window of version " + version + ", expected " + VERSION);
        }
        int attempt = from.readInt();
        int rank = from.readSignedInt();
        long window = from.readSigned();
        long lost = from.readVarint();
        int n = from.readCount(6);
        List<StreamKernel> kernels = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            kernels.add(new StreamKernel(from.readInt(), from.readSignedInt(), from.readVarint(), decodeSummary(from)));
        }
        int m = from.readCount(4);
        List<ExtremeEvent> extremes = new ArrayList<>(m);
        for (int i = 0; i < m; i++) {
            extremes.add(new ExtremeEvent(from.readInt(), from.readSignedInt(), from.readSigned(), from.readVarint()));
        }
        return new KernelWindow(attempt, rank, window, kernels, extremes, lost);
    }

    /** Appends a summary. */
    public static void encode(DurationSummary s, WireWriter to) {
        to.writeByte(s.form().ordinal()).writeVarint(s.boundUnits()).writeVarint(s.sumNanos());
        switch (s.form()) {
            case EVENTS -> {
                to.writeVarint(s.events().length);
                long before = 0;
                for (long event : s.events()) {
                    to.writeVarint(event - before);
                    before = event;
                }
            }
            case STEPS -> {
                to.writeVarint(s.bins().length);
                differences(s.bins(), to);
            }
            case KNOTS -> {
                to.writeVarint(s.count()).writeByte(s.positionBits()).writeVarint(s.places().length);
                differences(s.places(), to);
                differences(s.bins(), to);
                to.writeVarint(s.modeFirst().length);
                differences(s.modeFirst(), to);
            }
        }
    }

    /**
     * Reads a summary.
     *
     * @throws WireException if the bytes are not what {@link #encode(DurationSummary, WireWriter)} writes
     */
    public static DurationSummary decodeSummary(WireReader from) {
        Form form = FORMS[StepDigestCodec.ordinal(from.readByte(), FORMS.length, "form of a summary")];
        int bound = from.readInt();
        long sum = from.readVarint();
        try {
            return switch (form) {
                case EVENTS -> events(sum, bound, from);
                case STEPS -> DurationSummary.ofSteps(sum, ascending(from.readCount(1), LAST_BIN, from), bound);
                case KNOTS -> {
                    long count = from.readVarint();
                    int bits = from.readByte();
                    if (count <= 0 || bits < 1 || bits > PositionGrid.MOST_BITS) {
                        require(false, "resolution of " + bits + " bits");
                    }
                    int last = new PositionGrid(count, bits).last();
                    int knots = from.readCount(2);
                    int[] places = ascending(knots, last, from);
                    require(knots > 0 && places[knots - 1] == last, "the last place is not behind all events");
                    int[] bins = ascending(knots, LAST_BIN, from);
                    int[] modeFirst = ascending(from.readCount(1), knots, from);
                    yield DurationSummary.ofKnots(count, sum, bits, places, bins, modeFirst, bound);
                }
            };
        } catch (IllegalArgumentException e) {
            throw new WireException(e.getMessage() + "; the bytes are damaged");
        }
    }

    private static DurationSummary events(long sum, int bound, WireReader from) {
        long[] events = new long[from.readCount(1)];
        long at = 0;
        for (int i = 0; i < events.length; i++) {
            at += from.readVarint();
            events[i] = at;
        }
        DurationSummary summary = DurationSummary.ofEvents(events);
        if (summary.sumNanos() != sum || bound != 0) {
            throw new WireException("events of " + summary.sumNanos() + " ns with sum " + sum + " and bound " + bound
                    + "; the bytes are damaged");
        }
        return summary;
    }

    private static void differences(int[] values, WireWriter to) {
        int before = 0;
        for (int value : values) {
            to.writeVarint(value - before);
            before = value;
        }
    }

    private static int[] ascending(int n, int most, WireReader from) {
        int[] values = new int[n];
        long at = 0;
        for (int i = 0; i < n; i++) {
            at += from.readInt();
            if (at > most) {
                require(false, "value " + at + ", expected at most " + most);
            }
            values[i] = (int) at;
        }
        return values;
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new WireException("summary of durations: " + what + "; the bytes are damaged");
        }
    }
}
