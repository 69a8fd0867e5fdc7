package dev.argus.trace;

import java.util.Arrays;

/**
 * The fields of one event, read in whatever order they come; dropped before its arguments, or at its end, if they tell that
 * nobody wants it. Of fields that come twice the last counts, unless the first got the event dropped before its arguments.
 *
 * <p>Values are ranges relative to the scanner's mark, which stands at the event's opening brace. Reused from event to
 * event; one thread.
 */
final class EventFields {
    /** Operators and Python frames shorter than this are no evidence of anything, and are nearly all of a trace. */
    static final long MIN_HOST_NANOS = 1_000_000;

    private static final int PH = 1;
    private static final int CAT = 2;
    private static final int NAME = 3;
    private static final int PID = 4;
    private static final int TID = 5;
    private static final int TS = 6;
    private static final int DUR = 7;
    private static final int ARGS = 8;
    private static final int FIELDS = 9;
    private static final KeyTable KEYS =
            KeyTable.of("ph", PH, "cat", CAT, "name", NAME, "pid", PID, "tid", TID, "ts", TS, "dur", DUR, "args", ARGS);

    private final boolean metadata;
    private final boolean everyCategory;

    private final KeyTrail trail = new KeyTrail(KEYS, CAT);
    private final long[] spans = new long[FIELDS];
    private final EventArgs args = new EventArgs(trail);

    private byte[] bytes = new byte[0];
    private int base;
    private int ph;
    int category;
    long ts;
    long dur;
    long pid;
    long tid;
    boolean sameCategoryAsName;
    boolean nameCut;
    private boolean nameEscaped;

    /**
     * Fields for one way of reading.
     *
     * @param metadata whether metadata events ({@code ph} M) are wanted
     * @param everyCategory whether complete events of any category and length are wanted
     */
    EventFields(boolean metadata, boolean everyCategory) {
        this.metadata = metadata;
        this.everyCategory = everyCategory;
    }

    /**
     * Reads one event, whose opening brace is next; false if it was dropped as uninteresting. Its values can be asked for
     * until the scanner is used again.
     */
    boolean read(TrailScanner in) {
        in.mark();
        in.take();
        trail.begin();
        Arrays.fill(spans, Spans.NONE);
        args.begin();
        nameCut = false;
        nameEscaped = false;
        long judged = 0;
        for (int key = next(in); key >= 0; key = next(in)) {
            if (key == ARGS && in.peek() == '{') {
                if (isDropped(in)) {
                    args.skipFrom(in, KEYS);
                    return false;
                }
                judged = evidence();
                args.read(in);
            } else {
                readField(in, key);
            }
        }
        if (judged != evidence() && isDropped(in)) {
            return false;
        }
        finish(in);
        return ph != 0;
    }

    /** The next key whose value is not a plain one, for those are taken on the way; negative at the end. */
    private int next(TrailScanner in) {
        int key = in.walk(trail, KEYS, spans);
        return key == TrailScanner.NO_WAY ? in.strayKey(trail, KEYS) : key;
    }

    private void readField(TrailScanner in, int key) {
        int c = in.peek();
        boolean container = c == '{' || c == '[';
        spans[key] = Spans.NONE;
        if (key == KeyTable.UNKNOWN || (container && key != PH && key != CAT)) {
            in.skipValue();
            return;
        }
        in.rawText();
        if (key != NAME && in.textEscaped()) {
            in.unescapeText();
        }
        spans[key] = Spans.of(in.textFrom(), in.textTo());
        if (key == CAT && c == '"') {
            trail.turn(Swar.word(in.bytes(), in.base() + in.textFrom()));
        } else if (key == NAME) {
            nameEscaped = in.textEscaped();
            nameCut = in.textCut();
        }
    }

    /** Where the fields stand by which an event is dropped; changes when one of them comes, or comes again. */
    private long evidence() {
        return 1 + spans[PH] + spans[CAT] + spans[NAME] + spans[DUR];
    }

    private boolean isDropped(TrailScanner in) {
        byte[] b = in.bytes();
        int mark = in.base();
        long phase = spans[PH];
        long cat = spans[CAT];
        category = Category.ABSENT;
        ph = !Spans.isAny(phase) ? 0 : Spans.length(phase) == 1 ? b[mark + Spans.from(phase)] & 0xFF : '?';
        if (ph != 0 && ph != 'X') {
            return !(metadata && ph == 'M');
        }
        if (Spans.isAny(cat)) {
            category = Category.of(b, mark + Spans.from(cat), mark + Spans.to(cat));
        }
        if (everyCategory) {
            return false;
        }
        return switch (category) {
            case Category.OTHER -> true;
            case Category.PYTHON -> isShort(b, mark);
            case Category.CPU_OP -> isShort(b, mark) && !mayMatter(b, mark);
            default -> false;
        };
    }

    private boolean isShort(byte[] b, int mark) {
        long nanos = nanos(b, mark, DUR);
        return nanos >= 0 && nanos < MIN_HOST_NANOS;
    }

    private boolean mayMatter(byte[] b, int mark) {
        if (!hasName(b, mark)) {
            return true;
        }
        int from = mark + Spans.from(spans[NAME]);
        int to = mark + Spans.to(spans[NAME]);
        if (!nameEscaped) {
            return CollectiveNames.mayMatter(b, from, to);
        }
        byte[] plain = JsonText.unescape(b, from, to);
        return CollectiveNames.mayMatter(Arrays.copyOf(plain, plain.length + 8), 0, plain.length);
    }

    private boolean hasName(byte[] b, int mark) {
        long name = spans[NAME];
        if (!Spans.isAny(name)) {
            return false;
        }
        int first = mark + Spans.from(name);
        return b[first - 1] == '"' || (b[first] != '[' && b[first] != 'n'); // neither a list nor null is a name
    }

    /** Turns texts into values, once the event is known to be wanted. */
    private void finish(TrailScanner in) {
        bytes = in.bytes();
        base = in.base();
        args.end(in);
        ts = nanos(bytes, base, TS);
        dur = nanos(bytes, base, DUR);
        pid = Spans.isAny(spans[PID])
                ? Decimals.id(bytes, base + Spans.from(spans[PID]), base + Spans.to(spans[PID]))
                : -1;
        tid = Spans.isAny(spans[TID])
                ? Decimals.id(bytes, base + Spans.from(spans[TID]), base + Spans.to(spans[TID]))
                : -1;
        if (!hasName(bytes, base)) {
            spans[NAME] = Spans.NONE;
        }
        sameCategoryAsName = everyCategory && (nameEscaped ? sameDecoded() : sameText(spans[CAT], spans[NAME]));
    }

    private boolean sameDecoded() {
        long cat = spans[CAT];
        return Spans.isAny(cat)
                && hasName()
                && nameText().equals(JsonText.decode(bytes, base + Spans.from(cat), base + Spans.to(cat), false));
    }

    private boolean sameText(long one, long other) {
        return Spans.isAny(one)
                && Spans.isAny(other)
                && Arrays.equals(
                        bytes,
                        base + Spans.from(one),
                        base + Spans.to(one),
                        bytes,
                        base + Spans.from(other),
                        base + Spans.to(other));
    }

    private long nanos(byte[] b, int mark, int field) {
        long span = spans[field];
        return Spans.isAny(span) ? Decimals.nanos(b, mark + Spans.from(span), mark + Spans.to(span)) : Decimals.MISSING;
    }

    /** True for a metadata event. */
    boolean isMetadata() {
        return ph == 'M';
    }

    /** A number of the arguments, or {@link Decimals#MISSING}. */
    long number(int argument) {
        return args.number(argument);
    }

    /** A number of the arguments, or what stands for its absence. */
    long number(int argument, long absent) {
        long value = args.number(argument);
        return value == Decimals.MISSING ? absent : value;
    }

    /** Threads launched: product of grid and block, or 0. */
    long workItems() {
        return args.workItems();
    }

    boolean hasName() {
        return Spans.isAny(spans[NAME]);
    }

    /** The name; it must be there. */
    NameInfo name(NameCache names) {
        long name = spans[NAME];
        return names.get(bytes, base + Spans.from(name), base + Spans.to(name), nameEscaped);
    }

    boolean hasText(int argument) {
        return args.hasText(argument);
    }

    /** A text of the arguments; it must be there. */
    NameInfo text(int argument, NameCache names) {
        return args.text(argument, names);
    }

    /** A text of the arguments, or the empty text. */
    String text(int argument) {
        return args.text(argument);
    }

    /** The name, or the empty text. */
    String nameText() {
        long name = spans[NAME];
        return hasName() ? JsonText.decode(bytes, base + Spans.from(name), base + Spans.to(name), nameEscaped) : "";
    }

    /** Steps of the trail so far. */
    int steps() {
        return trail.steps();
    }
}
