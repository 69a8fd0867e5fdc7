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
    // Texts of args, index into texts after FIRST_TEXT.
    private static final int FIRST_TEXT = 20;
    static final int COLLECTIVE = 20;
    static final int GROUP_NAME = 21;
    static final int GROUP_RANKS = 22;
    static final int DTYPE = 23;
    static final int IN_SPLIT = 24;
    static final int OUT_SPLIT = 25;
    static final int COPY_KIND = 26;
    static final int LABEL = 27;
    private static final int TEXTS = 8;

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

    private int ph;
    int category;
    long ts;
    long dur;
    long pid;
    long tid;
    boolean sameCategoryAsName;
    boolean nameCut;
    private int nameFrom;
    private int nameTo;
    private boolean nameEscaped;
    private int catFrom;
    private int catTo;
    private boolean hasArgs;
    private long grid;
    private long block;
    private final long[] numbers = new long[NUMBERS];
    private final int[] textFrom = new int[TEXTS];
    private final int[] textTo = new int[TEXTS];
    private final boolean[] textEscaped = new boolean[TEXTS];

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

    /** Reads one event, whose opening brace is next; false if it was dropped as uninteresting. */
    boolean read(JsonScanner in) {
        in.mark();
        in.take();
        ph = 0;
        category = Category.ABSENT;
        ts = Decimals.MISSING;
        dur = Decimals.MISSING;
        pid = -1;
        tid = -1;
        nameFrom = -1;
        catFrom = -1;
        hasArgs = false;
        for (int key = in.nextKey(KEYS); key >= 0; key = in.nextKey(KEYS)) {
            switch (key) {
                case PH -> readPhase(in);
                case CAT -> readCategory(in);
                case NAME -> readName(in);
                case PID -> pid = id(in);
                case TID -> tid = id(in);
                case TS -> ts = in.nanos();
                case DUR -> dur = in.nanos();
                case ARGS -> readArgs(in);
                default -> in.skipValue();
            }
            if (key <= DUR && key != PID && key != TID && key != TS && dropped(in)) {
                in.skipRest();
                return false;
            }
        }
        sameCategoryAsName = catFrom >= 0
                && nameFrom >= 0
                && Arrays.equals(
                        in.bytes(),
                        in.base() + catFrom,
                        in.base() + catTo,
                        in.bytes(),
                        in.base() + nameFrom,
                        in.base() + nameTo);
        return ph != 0;
    }

    private boolean dropped(JsonScanner in) {
        if (ph != 0 && ph != 'X') {
            return !(metadata && ph == 'M');
        }
        if (everyCategory) {
            return false;
        }
        return switch (category) {
            case Category.OTHER -> true;
            case Category.PYTHON -> dur != Decimals.MISSING && dur < MIN_HOST_NANOS && dur >= 0;
            case Category.CPU_OP ->
                dur != Decimals.MISSING
                        && dur < MIN_HOST_NANOS
                        && dur >= 0
                        && nameFrom >= 0
                        && !CollectiveNames.mayMatter(in.bytes(), in.base() + nameFrom, in.base() + nameTo);
            default -> false;
        };
    }

    private void readPhase(JsonScanner in) {
        in.rawText();
        ph = in.textTo() - in.textFrom() == 1 ? in.bytes()[in.base() + in.textFrom()] & 0xFF : '?';
    }

    private void readCategory(JsonScanner in) {
        in.rawText();
        catFrom = in.textFrom();
        catTo = in.textTo();
        category = Category.of(in.bytes(), in.base() + catFrom, in.base() + catTo);
    }

    private void readName(JsonScanner in) {
        nameFrom = -1;
        int c = in.peek();
        if (c == '{' || c == '[') {
            in.skipValue();
            return;
        }
        in.rawText();
        nameFrom = in.textFrom();
        nameTo = in.textTo();
        nameEscaped = in.textEscaped();
        nameCut = in.textCut();
    }

    /** A process or thread: a number, the number at the end of a text such as "stream 7", or -1. */
    private static long id(JsonScanner in) {
        if (in.peek() != '"') {
            long id = in.integer();
            return id == Decimals.MISSING ? -1 : id;
        }
        in.text();
        byte[] b = in.bytes();
        int to = in.base() + in.textTo();
        int from = to;
        while (from > in.base() + in.textFrom() && b[from - 1] >= '0' && b[from - 1] <= '9') {
            from--;
        }
        return from == to ? -1 : Decimals.integer(b, from, to);
    }

    private void readArgs(JsonScanner in) {
        if (!hasArgs) {
            hasArgs = true;
            grid = 0;
            block = 0;
            Arrays.fill(numbers, Decimals.MISSING);
            Arrays.fill(textFrom, -1);
        }
        if (in.peek() != '{') {
            in.skipValue();
            return;
        }
        in.take();
        for (int key = in.nextKey(ARG_KEYS); key >= 0; key = in.nextKey(ARG_KEYS)) {
            if (key == KeyTable.UNKNOWN) {
                in.skipValue();
            } else if (key < NUMBERS) {
                numbers[key] = key == STREAM || key == DEVICE ? id(in) : in.integer();
            } else if (key == GRID) {
                grid = in.product();
            } else if (key == BLOCK) {
                block = in.product();
            } else {
                in.rawText();
                textFrom[key - FIRST_TEXT] = in.textFrom();
                textTo[key - FIRST_TEXT] = in.textTo();
                textEscaped[key - FIRST_TEXT] = in.textEscaped();
            }
        }
    }

    /** True for a metadata event. */
    boolean isMetadata() {
        return ph == 'M';
    }

    /** A number of the arguments, or {@link Decimals#MISSING}. */
    long number(int field) {
        return hasArgs ? numbers[field] : Decimals.MISSING;
    }

    /** A number of the arguments, or what stands for its absence. */
    long number(int field, long absent) {
        long value = number(field);
        return value == Decimals.MISSING ? absent : value;
    }

    /** Threads launched: product of grid and block, or 0. */
    long workItems() {
        return hasArgs ? Math.max(0, grid * block) : 0;
    }

    boolean hasName() {
        return nameFrom >= 0;
    }

    /** The name; it must be there. */
    NameInfo name(JsonScanner in, NameCache names) {
        return names.get(in.bytes(), in.base() + nameFrom, in.base() + nameTo, nameEscaped);
    }

    boolean hasText(int field) {
        return hasArgs && textFrom[field - FIRST_TEXT] >= 0;
    }

    /** A text of the arguments; it must be there. */
    NameInfo text(int field, JsonScanner in, NameCache names) {
        int i = field - FIRST_TEXT;
        return names.get(in.bytes(), in.base() + textFrom[i], in.base() + textTo[i], textEscaped[i]);
    }

    /** A text of the arguments, or the empty text. */
    String text(int field, JsonScanner in) {
        int i = field - FIRST_TEXT;
        return hasText(field)
                ? JsonText.decode(in.bytes(), in.base() + textFrom[i], in.base() + textTo[i], textEscaped[i])
                : "";
    }

    /** The name, or the empty text. */
    String nameText(JsonScanner in) {
        return hasName() ? JsonText.decode(in.bytes(), in.base() + nameFrom, in.base() + nameTo, nameEscaped) : "";
    }
}
