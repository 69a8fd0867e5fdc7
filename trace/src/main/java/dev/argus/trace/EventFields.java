package dev.argus.trace;

import java.util.Arrays;

/**
 * The fields of one event, read in whatever order they come, and dropped as soon as they tell that nobody wants it.
 *
 * <p>Texts are ranges relative to the scanner's mark, which stands at the event's opening brace. Reused from event to
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

    // Numbers of args, index into numbers.
    static final int DEVICE = 1;
    static final int STREAM = 2;
    static final int CORRELATION = 3;
    static final int EXTERNAL_ID = 4;
    static final int BYTES = 5;
    static final int SEQUENCE = 6;
    static final int GROUP_SIZE = 7;
    static final int IN_ELEMENTS = 8;
    static final int OUT_ELEMENTS = 9;
    static final int SOURCE_RANK = 10;
    static final int TARGET_RANK = 11;
    static final int ROOT_RANK = 12;
    static final int STEP = 13;
    static final int MICROBATCH = 14;
    static final int CHUNK = 15;
    static final int STEP_SEQUENCE = 16;
    private static final int NUMBERS = 17;
    // Products.
    private static final int GRID = 17;
    private static final int BLOCK = 18;
    // Texts of args.
    static final int COLLECTIVE = 20;
    static final int GROUP_NAME = 21;
    static final int GROUP_RANKS = 22;
    static final int DTYPE = 23;
    static final int IN_SPLIT = 24;
    static final int OUT_SPLIT = 25;
    static final int COPY_KIND = 26;
    static final int LABEL = 27;
    private static final int ALL_ARGS = 28;

    private static final KeyTable ARG_KEYS = KeyTable.of(
            "device", DEVICE,
            "stream", STREAM,
            "correlation", CORRELATION,
            "External id", EXTERNAL_ID,
            "external id", EXTERNAL_ID,
            "bytes", BYTES,
            "Seq", SEQUENCE,
            "seq", SEQUENCE,
            "Seq Num", SEQUENCE,
            "seq_num", SEQUENCE,
            "Group size", GROUP_SIZE,
            "group_size", GROUP_SIZE,
            "In msg nelems", IN_ELEMENTS,
            "in_msg_nelems", IN_ELEMENTS,
            "Out msg nelems", OUT_ELEMENTS,
            "out_msg_nelems", OUT_ELEMENTS,
            "Src Rank", SOURCE_RANK,
            "Dst Rank", TARGET_RANK,
            "Root Rank", ROOT_RANK,
            "Root rank", ROOT_RANK,
            "step", STEP,
            "mb_id", MICROBATCH,
            "model_chunk", CHUNK,
            "seq_id", STEP_SEQUENCE,
            "grid", GRID,
            "block", BLOCK,
            "Collective name", COLLECTIVE,
            "collective_name", COLLECTIVE,
            "Process Group Name", GROUP_NAME,
            "pg_name", GROUP_NAME,
            "Process Group Ranks", GROUP_RANKS,
            "dtype", DTYPE,
            "In split size", IN_SPLIT,
            "Out split size", OUT_SPLIT,
            "kind", COPY_KIND,
            "name", LABEL);

    private final boolean metadata;
    private final boolean everyCategory;

    private final KeyTrail trail = new KeyTrail(KEYS, CAT);
    private final long[] spans = new long[FIELDS];
    private final long[] args = new long[ALL_ARGS];
    private boolean hasArgs;
    /** Bit by argument, and bit 0 for the name: its text has escapes. */
    private int escaped;

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
    boolean read(JsonScanner in) {
        in.mark();
        in.take();
        trail.begin();
        Arrays.fill(spans, Spans.NONE);
        hasArgs = false;
        escaped = 0;
        nameCut = false;
        long judged = 0;
        for (int key = next(in); key >= 0; key = next(in)) {
            if (key == ARGS) {
                if (isDropped(in)) {
                    in.skipAlong(trail, true, KEYS, ARG_KEYS, args);
                    return false;
                }
                judged = evidence();
                readArgs(in);
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
    private int next(JsonScanner in) {
        int key = in.walk(trail, KEYS, spans);
        return key == JsonScanner.NO_WAY ? in.strayKey(trail, KEYS) : key;
    }

    private void readField(JsonScanner in, int key) {
        int c = in.peek();
        boolean container = c == '{' || c == '[';
        spans[key] = Spans.NONE;
        if (key == KeyTable.UNKNOWN || (container && key != PH && key != CAT)) {
            in.skipValue();
            return;
        }
        in.rawText();
        spans[key] = Spans.of(in.textFrom(), in.textTo());
        if (key == CAT && c == '"') {
            trail.turn(Swar.word(in.bytes(), in.base() + in.textFrom()));
        } else if (key == NAME) {
            escaped = escaped & ~1 | (in.textEscaped() ? 1 : 0);
            nameCut = in.textCut();
        }
    }

    /** Where the fields stand by which an event is dropped; changes when one of them comes, or comes again. */
    private long evidence() {
        return 1 + spans[PH] + spans[CAT] + spans[NAME] + spans[DUR];
    }

    private boolean isDropped(JsonScanner in) {
        byte[] b = in.bytes();
        int mark = in.base();
        long phase = spans[PH];
        long cat = spans[CAT];
        ph = !Spans.isAny(phase) ? 0 : Spans.length(phase) == 1 ? b[mark + Spans.from(phase)] & 0xFF : '?';
        if (ph != 0 && ph != 'X') {
            return !(metadata && ph == 'M');
        }
        category = Spans.isAny(cat) ? Category.of(b, mark + Spans.from(cat), mark + Spans.to(cat)) : Category.ABSENT;
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
        long name = spans[NAME];
        return !hasName(b, mark) || CollectiveNames.mayMatter(b, mark + Spans.from(name), mark + Spans.to(name));
    }

    private boolean hasName(byte[] b, int mark) {
        long name = spans[NAME];
        if (!Spans.isAny(name)) {
            return false;
        }
        int first = mark + Spans.from(name);
        return b[first] != '[' || b[first - 1] == '"'; // a list is no name
    }

    /** Turns texts into values, once the event is known to be wanted. */
    private void finish(JsonScanner in) {
        bytes = in.bytes();
        base = in.base();
        ts = nanos(bytes, base, TS);
        dur = nanos(bytes, base, DUR);
        pid = Spans.isAny(spans[PID]) ? id(spans[PID]) : -1;
        tid = Spans.isAny(spans[TID]) ? id(spans[TID]) : -1;
        if (!hasName(bytes, base)) {
            spans[NAME] = Spans.NONE;
        }
        sameCategoryAsName = everyCategory && sameText(spans[CAT], spans[NAME]);
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
        return Spans.isAny(span)
                ? Decimals.nanos(b, mark + Spans.from(span), mark + Spans.to(span))
                : Decimals.MISSING;
    }

    /** A process, thread, device or stream: a number, the number at the end of a text such as "stream 7", or -1. */
    private long id(long span) {
        int from = base + Spans.from(span);
        int to = base + Spans.to(span);
        int digits = from;
        if (bytes[from - 1] == '"') {
            digits = to;
            while (digits > from && bytes[digits - 1] >= '0' && bytes[digits - 1] <= '9') {
                digits--;
            }
        }
        long id = Decimals.integer(bytes, digits, to);
        return id == Decimals.MISSING ? -1 : id;
    }

    private void readArgs(JsonScanner in) {
        if (!hasArgs) {
            hasArgs = true;
            Arrays.fill(args, Spans.NONE);
        }
        if (in.peek() != '{') {
            in.skipValue();
            return;
        }
        in.take();
        for (; ; ) {
            int key = in.walk(trail, ARG_KEYS, args);
            if (key == JsonScanner.NO_WAY) {
                key = in.strayKey(trail, ARG_KEYS);
            }
            if (key < 0) {
                return;
            }
            readArg(in, key);
        }
    }

    private void readArg(JsonScanner in, int key) {
        int c = in.peek();
        args[key] = Spans.NONE;
        if (key == KeyTable.UNKNOWN || (key < NUMBERS && (c == '{' || c == '['))) {
            in.skipValue();
            return;
        }
        if (key == GRID || key == BLOCK) {
            in.rawList();
        } else {
            in.rawText();
        }
        args[key] = Spans.of(in.textFrom(), in.textTo());
        escaped = escaped & ~(1 << key) | (in.textEscaped() ? 1 << key : 0);
    }

    /** True for a metadata event. */
    boolean isMetadata() {
        return ph == 'M';
    }

    /** A number of the arguments, or {@link Decimals#MISSING}. */
    long number(int field) {
        if (!hasArgs || !Spans.isAny(args[field])) {
            return Decimals.MISSING;
        }
        long span = args[field];
        return field == STREAM || field == DEVICE
                ? id(span)
                : Decimals.integer(bytes, base + Spans.from(span), base + Spans.to(span));
    }

    /** A number of the arguments, or what stands for its absence. */
    long number(int field, long absent) {
        long value = number(field);
        return value == Decimals.MISSING ? absent : value;
    }

    /** Threads launched: product of grid and block, or 0. */
    long workItems() {
        return hasArgs ? Math.max(0, product(args[GRID]) * product(args[BLOCK])) : 0;
    }

    private long product(long span) {
        boolean list = Spans.isAny(span) && bytes[base + Spans.from(span) - 1] != '"';
        return list ? Decimals.product(bytes, base + Spans.from(span), base + Spans.to(span)) : 0;
    }

    boolean hasName() {
        return Spans.isAny(spans[NAME]);
    }

    /** The name; it must be there. */
    NameInfo name(NameCache names) {
        return name(spans[NAME], 0, names);
    }

    boolean hasText(int field) {
        return hasArgs && Spans.isAny(args[field]);
    }

    /** A text of the arguments; it must be there. */
    NameInfo text(int field, NameCache names) {
        return name(args[field], field, names);
    }

    /** A text of the arguments, or the empty text. */
    String text(int field) {
        return hasText(field) ? decoded(args[field], field) : "";
    }

    /** The name, or the empty text. */
    String nameText() {
        return hasName() ? decoded(spans[NAME], 0) : "";
    }

    private NameInfo name(long span, int text, NameCache names) {
        return names.get(bytes, base + Spans.from(span), base + Spans.to(span), isEscaped(text));
    }

    private String decoded(long span, int text) {
        return JsonText.decode(bytes, base + Spans.from(span), base + Spans.to(span), isEscaped(text));
    }

    private boolean isEscaped(int text) {
        return (escaped >> text & 1) != 0;
    }

    /** Steps of the trail so far. */
    int steps() {
        return trail.steps();
    }
}
