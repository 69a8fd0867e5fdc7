package dev.argus.wire;

import dev.argus.model.DurationSummary;
import dev.argus.model.DurationSummary.Form;
import dev.argus.model.ExtremeEvent;
import dev.argus.model.KernelWindow;
import dev.argus.model.PackedKernels;
import dev.argus.model.StreamKernel;
import dev.argus.stats.Knots;
import dev.argus.stats.LogBins;
import dev.argus.stats.PositionGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a {@link KernelWindow} between processes, in both directions, and what both sides remember between frames:
 * dictionary, window before, probabilities. A key frame forgets all three.
 *
 * <pre>
 *  byte 0      1       2 ...
 *  +---------+-------+------------+---------------------------------+------------------------------+-----------+
 *  | version | flags | frame      | new names                       | body: range-coded bits       | CRC-32C   |
 *  | 1 byte  | bit 0 | number     | varint count, then each as      | (EntropyCoder), to the       | 4 bytes,  |
 *  | = 1     | = key | varint     | varint length and UTF-8 bytes   | checksum                     | little-e. |
 *  +---------+-------+------------+---------------------------------+------------------------------+-----------+
 *  CRC-32C (Castagnoli) over everything before it. Flag bits 1 to 7 are 0. Frame numbers ascend by 1 from a key frame on.
 *
 *  body:  attempt rank window lost        each against the window before
 *         microseconds                    1 bit: all sums and events are whole ones and stand divided by 1000
 *         present                         1 bit for each key of the dictionary
 *         new keys                        number, then (name, stream) of each
 *         kernel                          for each present or new key, in the order of the dictionary
 *         extremes                        number, then (key, start, duration) of each
 *
 *  kernel: count  work items  form (where count &lt;= 8)
 *          EVENTS  first duration, then differences
 *          STEPS   bin of the first, then differences; bound; sum
 *          KNOTS   1 bit carried; carried: 1 bit same shape, minimum and maximum, else all bins, against the window before
 *                  not carried: position bits, modes; per mode knots, the first bin; per knot places passed and bins passed
 *                  bound; sum
 *  sum:    its difference to what the bins say, corrected by the factor the window before had
 * </pre>
 *
 * <p>Version rule: a reader knows the versions it names and refuses others. Any change of this picture, of a context or of
 * what a prediction is made from is a new version.
 */
final class KernelWindowLayout {
    static final int VERSION = 1;
    static final int KEY_FRAME = 1;

    static final int MOST_KEYS = 1 << 16;
    private static final int MOST_KNOTS = 1 << 12;
    private static final int MOST_MODES = 1 << 8;
    private static final int MOST_BOUND = 1 << 20;
    private static final int BITS = 7;

    private static final int HEAD = 0;
    private static final int FLAGS = HEAD + 4 * EntropyCoder.SIGNED;
    private static final int PRESENT = FLAGS + 16;
    private static final int NEW_KEYS = PRESENT + 4;
    private static final int STREAM = NEW_KEYS + EntropyCoder.NUMBER;
    private static final int COUNT = STREAM + EntropyCoder.SIGNED;
    private static final int WORK = COUNT + EntropyCoder.SIGNED + EntropyCoder.NUMBER;
    private static final int FIRST = WORK + EntropyCoder.SIGNED + EntropyCoder.NUMBER;
    private static final int EVENT = FIRST + EntropyCoder.NUMBER;
    private static final int EVENT_CLASSES = 16;
    private static final int OLD_EVENT = EVENT + EVENT_CLASSES * EntropyCoder.NUMBER;
    private static final int OCTAVE = OLD_EVENT + 2 * EntropyCoder.SIGNED;
    private static final int STEP = OCTAVE + 64;
    private static final int OLD_BIN = STEP + 8 * EntropyCoder.NUMBER;
    private static final int POSITION_BITS = OLD_BIN + 6 * EntropyCoder.SIGNED;
    private static final int MODES = POSITION_BITS + 16;
    private static final int KNOTS = MODES + EntropyCoder.NUMBER;
    private static final int SAME_PLACE = KNOTS + 2 * EntropyCoder.NUMBER;
    private static final int SAME_BIN = SAME_PLACE + 8;
    private static final int BOUND = SAME_BIN + 16;
    private static final int SUM = BOUND + 64 + EntropyCoder.NUMBER;
    private static final int EXTREMES = SUM + 4 * 132;
    private static final int CONTEXTS = EXTREMES + 4 * EntropyCoder.NUMBER;

    /** A key of the dictionary. */
    private record Key(int name, int stream) {}

    private final List<Key> keys = new ArrayList<>();
    private final Map<Key, Integer> numbers = new HashMap<>();
    private int names;
    private PackedKernels before = NOTHING;

    /** By key: which of {@link #before} it is, less 1; 0 = it was not there. */
    private int[] placeBefore = {};

    /** By key: what the bins of the window before say its sum is, so that it is not computed twice. */
    private double[] plainBefore = {};

    private double plain;
    private KernelWindow head = new KernelWindow(0, 0, -1, List.of(), List.of(), 0);
    private long lastStart;
    final EntropyCoder.Models models = new EntropyCoder.Models(CONTEXTS);

    private long unit = 1;
    private long budget;

    /** What a key frame does first. */
    void reset() {
        keys.clear();
        numbers.clear();
        names = 0;
        before = NOTHING;
        placeBefore = new int[0];
        plainBefore = new double[0];
        head = new KernelWindow(0, 0, -1, List.of(), List.of(), 0);
        lastStart = 0;
        models.reset();
    }

    /** What is undone when a frame turns out to be damaged in its middle. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Mark(
            int keys,
            int names,
            PackedKernels before,
            int[] placeBefore,
            double[] plainBefore,
            KernelWindow head,
            long lastStart) {}

    private @Nullable Mark mark;

    /** From here on everything can be undone. */
    void begin() {
        mark = new Mark(
                keys.size(),
                names,
                before,
                placeBefore,
                plainBefore,
                head,
                lastStart); // each window brings a list of its own
    }

    /** What was read since {@link #begin} stays. */
    void keep() {
        mark = null;
        models.keep();
    }

    /** As it was before {@link #begin}. */
    void undo() {
        Mark at = mark;
        if (at != null) {
            while (keys.size() > at.keys()) {
                numbers.remove(keys.removeLast());
            }
            names = at.names();
            before = at.before();
            placeBefore = at.placeBefore();
            plainBefore = at.plainBefore();
            head = at.head();
            lastStart = at.lastStart();
            models.undo();
            mark = null;
        }
    }

    /**
     * Codes the body.
     *
     * @param window what to write, its names already numbers of the dictionary; ignored when reading
     * @param namesNow number of names the dictionary has with this frame
     * @param most bound of what may be read: kernels, knots and events together
     */
    KernelWindow code(EntropyCoder coder, KernelWindow window, int namesNow, long most) {
        names = namesNow;
        budget = most;
        int attempt = (int) (head.attempt() + coder.signed(HEAD, (long) window.attempt() - head.attempt()));
        int rank = (int) (head.rank() + coder.signed(HEAD + EntropyCoder.SIGNED, (long) window.rank() - head.rank()));
        long number =
                head.window() + 1 + coder.signed(HEAD + 2 * EntropyCoder.SIGNED, window.window() - head.window() - 1);
        long lost = coder.number(HEAD + 3 * EntropyCoder.SIGNED, window.lost());
        unit = coder.flag(FLAGS, inMicros(window)) ? 1000 : 1;

        int known = keys.size();
        @Nullable StreamKernel[] given = byKey(window);
        boolean[] present = new boolean[known];
        for (int i = 0; i < known; i++) {
            present[i] = coder.flag(PRESENT + (placeBefore[i] == 0 ? 1 : 0), given[i] != null);
        }
        newKeys(coder, window, known);
        given = keys.size() == known ? given : byKey(window);
        PackedKernels.Builder kernels = new PackedKernels.Builder(keys.size());
        int[] placeNow = new int[keys.size()];
        int n = 0;
        double[] plainNow = new double[keys.size()];
        StreamKernel last = null;
        for (int i = 0; i < keys.size(); i++) {
            if (i < known && !present[i]) {
                continue;
            }
            plain = i < known ? plainBefore[i] : 0;
            last = kernel(coder, i, given[i], i < known ? placeBefore[i] - 1 : NONE, last);
            plainNow[i] = plain;
            kernels.add(last);
            placeNow[i] = ++n;
        }
        List<ExtremeEvent> extremes = extremes(coder, window.extremes());
        before = kernels.build();
        placeBefore = placeNow;
        plainBefore = plainNow;
        head = new KernelWindow(attempt, rank, number, List.of(), List.of(), lost);
        return new KernelWindow(attempt, rank, number, before, extremes, lost);
    }

    private static boolean inMicros(KernelWindow window) {
        for (StreamKernel kernel : window.kernels()) {
            boolean whole = kernel.durations().sumNanos() % 1000 == 0;
            for (long event : kernel.durations().events()) {
                whole &= event % 1000 == 0;
            }
            if (!whole) {
                return false;
            }
        }
        return true;
    }

    private @Nullable StreamKernel[] byKey(KernelWindow window) {
        @Nullable StreamKernel[] given = new @Nullable StreamKernel[keys.size()];
        for (StreamKernel kernel : window.kernels()) {
            Integer at = numbers.get(new Key(kernel.name(), kernel.stream()));
            if (at != null) {
                given[at] = kernel;
            }
        }
        return given;
    }

    private void newKeys(EntropyCoder coder, KernelWindow window, int known) {
        List<Key> fresh = new ArrayList<>(0);
        for (StreamKernel kernel : window.kernels()) {
            Key key = new Key(kernel.name(), kernel.stream());
            if (!numbers.containsKey(key)) {
                fresh.add(key);
            }
        }
        long n = coder.number(NEW_KEYS, fresh.size());
        check(n <= MOST_KEYS - known, "dictionary of " + (known + n) + " keys, expected at most " + MOST_KEYS);
        int nextName = known == 0 || n == 0
                ? 0
                : 1 + keys.stream().mapToInt(Key::name).max().orElse(-1);
        int stream = known == 0 ? 0 : keys.getLast().stream();
        for (int i = 0; i < n; i++) {
            spend(1);
            Key wanted = i < fresh.size() ? fresh.get(i) : new Key(0, 0);
            boolean next = coder.flag(FLAGS + 1, wanted.name() == nextName);
            check(next ? nextName < names : names > 0, "key of a new name, names", names);
            int name = next ? nextName++ : coder.below(wanted.name(), names);
            stream += (int) coder.signed(STREAM, (long) wanted.stream() - stream);
            Key key = new Key(name, stream);
            if (numbers.putIfAbsent(key, keys.size()) != null) {
                throw new WireException("key " + key + " twice; the bytes are damaged");
            }
            keys.add(key);
        }
    }

    private void spend(long elements) {
        budget -= elements;
        check(budget >= 0, "more content than the length allows");
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new WireException(what + "; the bytes are damaged");
        }
    }

    /** The sentence is made only where it is needed. */
    private static void check(boolean holds, String what, long value) {
        if (!holds) {
            throw new WireException(what + " " + value + "; the bytes are damaged");
        }
    }

    /** Place in {@link #before} of what was not there. */
    private static final int NONE = -1;

    private static final PackedKernels NOTHING = new PackedKernels.Builder(0).build();
    private static final DurationSummary EMPTY = DurationSummary.ofEvents(new long[0]);

    /** @param old its place in the window before */
    private StreamKernel kernel(
            EntropyCoder coder, int number, @Nullable StreamKernel given, int old, @Nullable StreamKernel last) {
        spend(1);
        DurationSummary d = given == null ? EMPTY : given.durations();
        long count = like(
                coder,
                COUNT,
                d.count(),
                old < 0 ? -1 : before.count(old),
                last == null ? -1 : last.durations().count());
        long work = like(
                coder,
                WORK,
                given == null ? 0 : given.workItems(),
                old < 0 ? -1 : before.workItems(old),
                last == null ? -1 : last.workItems());
        DurationSummary durations;
        try {
            if (count > DurationSummary.FEW) {
                durations = knots(coder, count, d, old);
            } else if (count == 0 || coder.flag(FLAGS + 2, d.form() == Form.EVENTS)) {
                durations = events(coder, (int) count, d, old);
            } else {
                durations = steps(coder, (int) count, d, old);
            }
        } catch (IllegalArgumentException e) {
            throw new WireException(e.getMessage() + "; the bytes are damaged");
        }
        if (old >= 0) {
            return new StreamKernel(before.name(old), before.stream(old), work, durations); // lie together
        }
        Key key = keys.get(number);
        return new StreamKernel(key.name(), key.stream(), work, durations);
    }

    /** A value that is mostly the one of the window before, or of the key before; -1 = there is none. */
    private static long like(EntropyCoder coder, int context, long value, long old, long neighbour) {
        long result;
        if (old >= 0) {
            result = old + coder.signed(context, value - old);
        } else {
            int flag = context == COUNT ? FLAGS + 3 : FLAGS + 4;
            boolean same = neighbour >= 0 && coder.flag(flag, value == neighbour);
            result = same ? neighbour : coder.number(context + EntropyCoder.SIGNED, value);
        }
        check(result >= 0, "count", result);
        return result;
    }

    private boolean had(int old, Form form) {
        return old >= 0 && before.form(old) == form;
    }

    private DurationSummary events(EntropyCoder coder, int count, DurationSummary d, int old) {
        spend(count);
        long[] events = new long[count];
        boolean moved = had(old, Form.EVENTS) && before.count(old) == count;
        long above = 0;
        for (int i = 0; i < count; i++) {
            long given = i < d.events().length ? d.events()[i] / unit : 0;
            long value;
            if (moved) {
                long origin = before.events(old)[i] / unit;
                value = origin + coder.signed(OLD_EVENT, given - origin);
            } else if (i == 0) {
                value = coder.number(FIRST, given);
            } else {
                int size = Math.min(EVENT_CLASSES - 1, (64 - Long.numberOfLeadingZeros(above)) / 2);
                value = above + coder.number(EVENT + size * EntropyCoder.NUMBER, given - above);
            }
            check(value >= above && value <= Long.MAX_VALUE / unit / 8, "duration", value);
            above = value;
            events[i] = value * unit;
        }
        return DurationSummary.ofEvents(events);
    }

    private DurationSummary steps(EntropyCoder coder, int count, DurationSummary d, int old) {
        spend(count);
        int[] bins = new int[count];
        boolean moved = had(old, Form.STEPS) && before.count(old) == count;
        int[] oldBins = moved ? before.bins(old) : bins;
        for (int i = 0; i < count; i++) {
            int given = i < d.bins().length ? d.bins()[i] : 0;
            if (moved) {
                bins[i] = oldBin(coder, 4, given, oldBins[i]);
            } else {
                bins[i] = i == 0 ? firstBin(coder, given) : step(coder, 0, given, bins[i - 1]);
            }
        }
        int bound = bound(coder, d.boundUnits());
        double factor = moved ? factor(old) : 1;
        plain = 0;
        for (int bin : bins) {
            plain += LogBins.middle(bin, BITS);
        }
        return DurationSummary.ofSteps(sum(coder, moved ? 2 : 3, plain * factor, d.sumNanos()), bins, bound);
    }

    private static int bound(EntropyCoder coder, int units) {
        int few = coder.tree(BOUND, 6, Math.min(units, 63));
        return few < 63 ? few : (int) Math.min(MOST_BOUND, coder.number(BOUND + 64, units));
    }

    private static int firstBin(EntropyCoder coder, int bin) {
        int octave = coder.tree(OCTAVE, 6, bin >>> BITS);
        int result = octave << BITS | coder.even(bin & 127, 128);
        check(result <= LogBins.lastBin(BITS), "bin", result);
        return result;
    }

    private static int step(EntropyCoder coder, int context, int bin, int from) {
        long result = from + coder.number(STEP + context * EntropyCoder.NUMBER, (long) bin - from);
        check(result <= LogBins.lastBin(BITS), "bin", result);
        return (int) result;
    }

    private static int oldBin(EntropyCoder coder, int context, int bin, int from) {
        long result = from + coder.signed(OLD_BIN + context * EntropyCoder.SIGNED, (long) bin - from);
        check(result >= 0 && result <= LogBins.lastBin(BITS), "bin", result);
        return (int) result;
    }

    private DurationSummary knots(EntropyCoder coder, long count, DurationSummary d, int old) {
        int[] places = null;
        boolean moved = had(old, Form.KNOTS);
        if (moved) {
            int oldBits = before.positionBits(old);
            int[] carried = count == before.count(old)
                    ? before.places(old)
                    : new PositionGrid(count, oldBits)
                            .carry(new PositionGrid(before.count(old), oldBits), before.places(old));
            boolean same = d.positionBits() == oldBits
                    && Arrays.equals(d.places(), carried)
                    && Arrays.equals(d.modeFirst(), before.modeFirst(old));
            places = coder.flag(FLAGS + 5, same) ? carried : null;
        }
        int bits;
        int[] bins;
        int[] modeFirst;
        if (places != null) {
            spend(2);
            bits = before.positionBits(old);
            modeFirst = before.modeFirst(old);
            bins = carriedBins(coder, d, before.bins(old));
        } else {
            bits = 1 + coder.tree(POSITION_BITS, 4, d.positionBits() - 1);
            check(bits <= PositionGrid.MOST_BITS, "position bits", bits);
            modeFirst = modes(coder, d);
            int n = modeFirst[modeFirst.length - 1];
            modeFirst = Arrays.copyOf(modeFirst, modeFirst.length - 1);
            spend(n);
            places = new int[n];
            bins = new int[n];
            freshKnots(coder, new PositionGrid(count, bits), d, modeFirst, places, bins);
        }
        int bound = bound(coder, d.boundUnits());
        double factor = moved ? factor(old) : 1;
        plain = Knots.plainMean(count, bits, places, bins) * count;
        long sum = sum(coder, moved ? 0 : 1, plain * factor, d.sumNanos());
        return DurationSummary.ofSharedKnots(count, sum, bits, places, bins, modeFirst, bound);
    }

    /** First knot of each mode, then the number of all knots. */
    private static int[] modes(EntropyCoder coder, DurationSummary d) {
        long modes = 1 + coder.number(MODES, Math.max(1, d.modeFirst().length) - 1L);
        check(modes <= MOST_MODES, "more modes than " + MOST_MODES + ":", modes);
        int[] first = new int[(int) modes + 1];
        for (int m = 0; m < modes; m++) {
            int given = 0;
            if (m < d.modeFirst().length) {
                given = (m + 1 < d.modeFirst().length ? d.modeFirst()[m + 1] : d.places().length)
                        - d.modeFirst()[m]
                        - 2;
            }
            long knots = 2 + coder.number(KNOTS + (modes > 1 ? EntropyCoder.NUMBER : 0), given);
            check(knots <= MOST_KNOTS - first[m], "knots of one mode more than are left of " + MOST_KNOTS + ":", knots);
            first[m + 1] = first[m] + (int) knots;
        }
        return first;
    }

    private static void freshKnots(
            EntropyCoder coder, PositionGrid grid, DurationSummary d, int[] modeFirst, int[] places, int[] bins) {
        boolean real = d.places().length == places.length;
        int last = grid.last();
        int mode = 0;
        int turns = 0; // what the two steps before were: at one place, at one value
        for (int i = 0; i < places.length; i++) {
            boolean starts = mode < modeFirst.length && modeFirst[mode] == i;
            int bin = real ? d.bins()[i] : 0;
            int place = real ? d.places()[i] : 0;
            if (starts) {
                mode++;
                places[i] = i == 0 ? 0 : places[i - 1];
                bins[i] = i == 0 ? firstBin(coder, bin) : step(coder, 1, bin, bins[i - 1]);
                check(place == places[i] || !real, "a mode that does not begin where the one before ends");
                turns = 0;
                continue;
            }
            int from = places[i - 1];
            if (i == places.length - 1) {
                places[i] = last;
                check(!real || place == last, "last knot at place", place);
            } else if (coder.flag(SAME_PLACE + turns, place == from)) {
                places[i] = from;
            } else {
                check(from < last, "a knot behind the last place");
                places[i] = from + 1 + coder.below(place - from - 1, last - from);
                check(places[i] <= last, "place", places[i]);
            }
            boolean jump = places[i] == from;
            int end = i == places.length - 1 || (mode < modeFirst.length && modeFirst[mode] == i + 1) ? 1 : 0;
            boolean flat = !jump && coder.flag(SAME_BIN + turns + 4 * end, bin == bins[i - 1]);
            bins[i] = flat ? bins[i - 1] : step(coder, 2 + (jump ? 1 : 0) + 2 * end, bin, bins[i - 1]);
            turns = (jump ? 1 : 0) + (flat ? 2 : 0);
        }
    }

    private static int[] carriedBins(EntropyCoder coder, DurationSummary d, int[] old) {
        int n = old.length;
        boolean real = d.bins().length == n;
        int first = oldBin(coder, 0, real ? d.bins()[0] : 0, old[0]);
        int last = oldBin(coder, 1, real ? d.bins()[n - 1] : 0, old[n - 1]);
        check(first <= last, "minimum above maximum");
        boolean sameEnds = first == old[0] && last == old[n - 1];
        int[] same = sameEnds ? old : Knots.within(old, first, last);
        if (coder.flag(FLAGS + 6, Arrays.equals(same, d.bins()))) {
            return same;
        }
        same = sameEnds ? same.clone() : same; // else it is fresh already
        for (int i = 1; i < n - 1; i++) {
            int moved = same[i - 1] - old[i - 1]; // neighbours move together
            int context = moved < 0 ? 2 : moved > 0 ? 3 : 5;
            same[i] = oldBin(coder, context, real ? d.bins()[i] : 0, old[i]);
            check(same[i] >= same[i - 1] && same[i] <= last, "bins do not ascend");
        }
        return same;
    }

    /** What the sum said about the bins in the window before. */
    private double factor(int old) {
        return plain > 0 ? before.sumNanos(old) / plain : 1;
    }

    private long sum(EntropyCoder coder, int kind, double predicted, long given) {
        long guess = Math.round(Math.min(predicted, 0x1p62) / unit);
        long residual = given / unit - guess;
        int context = SUM + kind * 132;
        if (coder.flag(context, residual != 0)) {
            boolean negative = coder.flag(context + 1, residual < 0);
            long size = negative ? -residual : residual;
            int whole = 64 - Long.numberOfLeadingZeros(guess);
            int shorter = coder.tree(context + 2, 7, whole - (64 - Long.numberOfLeadingZeros(size)) + 64 & 127) - 64;
            int length = whole - shorter;
            check(length >= 1 && length <= 63, "bits by which a sum is off", length);
            long read = coder.bits(1, length - 1, size);
            residual = negative ? -read : read;
        } else {
            residual = 0;
        }
        long sum = guess + residual;
        check(sum >= 0 && sum <= Long.MAX_VALUE / unit, "sum", sum);
        return sum * unit;
    }

    private List<ExtremeEvent> extremes(EntropyCoder coder, List<ExtremeEvent> given) {
        long n = coder.number(EXTREMES, given.size());
        check(n <= KernelWindow.MOST_EXTREMES && (n == 0 || !keys.isEmpty()), n + " extremes");
        List<ExtremeEvent> result = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            ExtremeEvent e = i < given.size() ? given.get(i) : new ExtremeEvent(0, 0, 0, 0);
            Integer at = numbers.get(new Key(e.name(), e.stream()));
            Key key = keys.get(coder.below(at == null ? 0 : at, keys.size()));
            long start = lastStart + zigzag(coder, EXTREMES + EntropyCoder.NUMBER, e.startNanos() - lastStart);
            long nanos = coder.number(EXTREMES + 2 * EntropyCoder.NUMBER, e.durationNanos());
            check(nanos >= 0, "duration", nanos);
            lastStart = start;
            result.add(new ExtremeEvent(key.name(), key.stream(), start, nanos));
        }
        return result;
    }

    private static long zigzag(EntropyCoder coder, int context, long value) {
        long folded = value << 1 ^ value >> 63;
        boolean wide = coder.flag(FLAGS + 7, folded < 0);
        long read = wide ? coder.word(folded) : coder.number(context, folded);
        return read >>> 1 ^ -(read & 1);
    }
}
