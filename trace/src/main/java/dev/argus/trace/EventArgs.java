package dev.argus.trace;

import java.util.Arrays;

/**
 * The arguments of one event, ranges of bytes until somebody asks for one; those of no interest are skipped.
 *
 * <p>Reused from event to event; one thread.
 */
final class EventArgs {
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

    private final KeyTrail trail;
    private final long[] spans = new long[ALL_ARGS];
    private boolean any;
    /** Bit by argument: its text has escapes. */
    private int escaped;

    private byte[] bytes = new byte[0];
    private int base;

    /** Arguments of events that are read along a trail. */
    EventArgs(KeyTrail trail) {
        this.trail = trail;
    }

    /** The next event has none so far. */
    void begin() {
        any = false;
        escaped = 0;
    }

    /** Takes the arguments, an object that is the next value; they may come in several parts. */
    void read(TrailScanner in) {
        if (!any) {
            any = true;
            Arrays.fill(spans, Spans.NONE);
        }
        in.take();
        for (; ; ) {
            int key = in.walk(trail, ARG_KEYS, spans);
            if (key == TrailScanner.NO_WAY) {
                key = in.strayKey(trail, ARG_KEYS);
            }
            if (key < 0) {
                return;
            }
            readOne(in, key);
        }
    }

    private void readOne(TrailScanner in, int key) {
        int c = in.peek();
        spans[key] = Spans.NONE;
        if (key == KeyTable.UNKNOWN || (key < NUMBERS && (c == '{' || c == '['))) {
            in.skipValue();
            return;
        }
        if (key == GRID || key == BLOCK) {
            in.rawList();
        } else {
            in.rawText();
        }
        if (key < NUMBERS && in.textEscaped()) {
            in.unescapeText();
        }
        spans[key] = Spans.of(in.textFrom(), in.textTo());
        escaped = (escaped & ~(1 << key)) | (in.textEscaped() ? 1 << key : 0);
    }

    /** Skips the arguments, which are the next value, and the rest of the event, whose keys are given. */
    void skipFrom(TrailScanner in, KeyTable fields) {
        in.skipAlong(trail, true, fields, ARG_KEYS, spans);
    }

    /** The event has been read: from now on its arguments can be asked for, until the scanner is used again. */
    void end(TrailScanner in) {
        bytes = in.bytes();
        base = in.base();
    }

    /** A number, or {@link Decimals#MISSING}. */
    long number(int argument) {
        if (!isThere(argument)) {
            return Decimals.MISSING;
        }
        int from = base + Spans.from(spans[argument]);
        int to = base + Spans.to(spans[argument]);
        return (argument == STREAM || argument == DEVICE) && bytes[from - 1] == '"'
                ? Decimals.id(bytes, from, to)
                : Decimals.integer(bytes, from, to);
    }

    /** Threads launched: product of grid and block, or 0. */
    long workItems() {
        return Math.max(0, product(GRID) * product(BLOCK));
    }

    private long product(int argument) {
        if (!isThere(argument)) {
            return 0;
        }
        int from = base + Spans.from(spans[argument]);
        boolean quoted = bytes[from - 1] == '"';
        return quoted ? 0 : Decimals.product(bytes, from, base + Spans.to(spans[argument]));
    }

    private boolean isThere(int argument) {
        return any && Spans.isAny(spans[argument]);
    }

    /** True if the argument is there and not {@code null}. */
    boolean hasText(int argument) {
        if (!isThere(argument)) {
            return false;
        }
        int from = base + Spans.from(spans[argument]);
        return bytes[from] != 'n' || bytes[from - 1] == '"';
    }

    /** A text; it must be there. */
    NameInfo text(int argument, NameCache names) {
        long span = spans[argument];
        return names.get(bytes, base + Spans.from(span), base + Spans.to(span), isEscaped(argument));
    }

    /** A text, or the empty text. */
    String text(int argument) {
        long span = spans[argument];
        return hasText(argument)
                ? JsonText.decode(bytes, base + Spans.from(span), base + Spans.to(span), isEscaped(argument))
                : "";
    }

    private boolean isEscaped(int argument) {
        return ((escaped >> argument) & 1) != 0;
    }
}
