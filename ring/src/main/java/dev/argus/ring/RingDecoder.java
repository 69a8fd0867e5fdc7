package dev.argus.ring;

/**
 * Records to calls. Works on a private copy of the records, so that nothing changes between a check and its use; knows no file.
 *
 * <p>Whatever the words are, nothing is thrown and memory stays within the bounds of {@link RingNames}: what cannot be read is skipped and
 * counted. Allocates nothing but for new names. Belongs to one thread.
 */
final class RingDecoder {
    /** Later times cannot be; 146 years. */
    static final long LATEST = 1L << 62;

    /** More threads are damage, and would overflow sums. */
    private static final float MOST_WORK = 0x1p48f;

    private static final long U32 = 0xffff_ffffL;

    private final RingNames names;
    private final byte[] text = new byte[RingLayout.TEXT_RECORDS * RingLayout.TEXT_PART];
    private long records;
    private long unknownTypes;
    private long impossible;
    private long torn;

    RingDecoder(RingNames names) {
        this.names = names;
    }

    /**
     * Decodes records.
     *
     * @param words four a record
     * @param count records
     * @param complete true if nothing more is published: a part that misses its rest is torn then, and skipped
     * @return records consumed; fewer than {@code count} only if the last unit is not complete
     */
    int decode(long[] words, int count, boolean complete, RingConsumer to) {
        int i = 0;
        while (i < count) {
            int at = i * RingLayout.RECORD_WORDS;
            if (RingRecords.type(words[at]) == RingRecords.KERNEL) {
                kernel(words, at, to);
                i++;
                continue;
            }
            int used = other(words, at, count - i, complete, to);
            if (used == 0) {
                break;
            }
            i += used;
        }
        records += i;
        return i;
    }

    private void kernel(long[] w, int at, RingConsumer to) {
        long head = w[at];
        long start = w[at + 1];
        if (Long.compareUnsigned(start, LATEST) > 0) {
            impossible++;
            return;
        }
        float work = Float.intBitsToFloat(RingRecords.high(w[at + 3]));
        to.kernel(
                RingRecords.one(head),
                names.of(RingRecords.high(head)),
                start,
                RingRecords.duration(w[at + 2]),
                RingRecords.thread(w[at + 2]),
                w[at + 3] & U32,
                work > 0 ? (long) Math.min(work, MOST_WORK) : 0,
                RingRecords.flags(head));
    }

    /** Everything but kernels; returns the records used, 0 when the rest of a unit is not here yet. */
    private int other(long[] w, int at, int left, boolean complete, RingConsumer to) {
        long head = w[at];
        int type = RingRecords.type(head);
        switch (type) {
            case RingRecords.STRING -> {
                return string(w, at, left, complete);
            }
            case RingRecords.COLLECTIVE -> {
                return collective(w, at, left, complete, to);
            }
            case RingRecords.GROUP ->
                to.group(
                        RingRecords.one(head),
                        RingRecords.high(head),
                        names.orNone(RingRecords.low(w[at + 1])),
                        names.orNone(RingRecords.high(w[at + 1])),
                        names.orNone(RingRecords.low(w[at + 2])),
                        RingRecords.high(w[at + 2]));
            case RingRecords.IDENTITY ->
                to.identity(RingRecords.one(head), names.orNone(RingRecords.high(head)), w[at + 1]);
            case RingRecords.CLOCK -> to.clock(w[at + 1], w[at + 2], w[at + 3]);
            case RingRecords.LOSS -> loss(w, at, to);
            case RingRecords.REPORTED -> reported(w[at + 1], to);
            case RingRecords.STRING_MORE, RingRecords.COLLECTIVE_MORE -> torn++;
            case RingRecords.COPY, RingRecords.SET, RingRecords.LAUNCH, RingRecords.STEP, RingRecords.SPAN ->
                timed(type, w, at, to);
            default -> unknownTypes++;
        }
        return 1;
    }

    private void timed(int type, long[] w, int at, RingConsumer to) {
        long head = w[at];
        long start = w[at + 1];
        long duration = RingRecords.duration(w[at + 2]);
        int thread = RingRecords.thread(w[at + 2]);
        long last = w[at + 3];
        if (Long.compareUnsigned(start, LATEST) > 0) {
            impossible++;
            return;
        }
        long bytes = (RingRecords.high(head) & U32) | ((last >>> 32) << 32);
        switch (type) {
            case RingRecords.COPY, RingRecords.SET -> {
                if (bytes < 0) {
                    impossible++;
                } else if (type == RingRecords.COPY) {
                    to.copy(
                            RingRecords.one(head),
                            RingRecords.two(head),
                            bytes,
                            start,
                            duration,
                            thread,
                            last & U32,
                            RingRecords.three(head));
                } else {
                    to.set(RingRecords.one(head), bytes, start, duration, thread, last & U32, RingRecords.three(head));
                }
            }
            case RingRecords.LAUNCH ->
                to.launch(
                        names.of(RingRecords.high(head)),
                        start,
                        duration,
                        thread,
                        last & U32,
                        last >>> 32,
                        RingRecords.flags(head));
            case RingRecords.STEP -> to.step(RingRecords.one(head), start, duration, thread, last);
            default ->
                to.span(
                        RingRecords.one(head),
                        RingRecords.two(head),
                        RingRecords.three(head),
                        names.of(RingRecords.high(head)),
                        start,
                        duration,
                        thread,
                        names.orNone(RingRecords.low(last)),
                        last >>> 32);
        }
    }

    private void reported(long until, RingConsumer to) {
        if (Long.compareUnsigned(until, LATEST) > 0) {
            impossible++;
        } else {
            to.reported(until);
        }
    }

    private void loss(long[] w, int at, RingConsumer to) {
        LossReason reason = LossReason.of(RingRecords.one(w[at]));
        if (reason == null || w[at + 3] < 0) {
            impossible++;
        } else {
            to.loss(reason, w[at + 1], w[at + 2], w[at + 3]);
        }
    }

    private int collective(long[] w, int at, int left, boolean complete, RingConsumer to) {
        if (left < 2) {
            torn += complete ? 1 : 0;
            return complete ? 1 : 0;
        }
        int more = at + RingLayout.RECORD_WORDS;
        if (RingRecords.type(w[more]) != RingRecords.COLLECTIVE_MORE) {
            torn++;
            return 1;
        }
        long head = w[at];
        long start = w[at + 1];
        if (Long.compareUnsigned(start, LATEST) > 0) {
            impossible++;
            return 2;
        }
        to.collective(
                RingRecords.one(head),
                RingRecords.flags(head),
                RingRecords.high(head),
                start,
                RingRecords.duration(w[at + 2]),
                RingRecords.thread(w[at + 2]),
                w[at + 3] & U32,
                Math.max(-1, RingRecords.high(w[at + 3])),
                RingRecords.high(w[more]),
                Math.max(-1, w[more + 1]),
                Math.max(-1, w[more + 2]),
                Math.max(-1, RingRecords.low(w[more + 3])),
                names.orNone(RingRecords.high(w[more + 3])));
        return 2;
    }

    private int string(long[] w, int at, int left, boolean complete) {
        int length = RingRecords.flags(w[at]);
        int id = RingRecords.high(w[at]);
        int parts = RingText.records(length);
        if (length > RingLayout.TEXT_BYTES) {
            torn++;
            return 1;
        }
        if (parts > left) {
            torn += complete ? 1 : 0;
            return complete ? 1 : 0;
        }
        for (int part = 0; part < parts; part++) {
            int from = at + part * RingLayout.RECORD_WORDS;
            boolean fits = part == 0
                    || (RingRecords.type(w[from]) == RingRecords.STRING_MORE
                            && RingRecords.flags(w[from]) == part
                            && RingRecords.high(w[from]) == id);
            if (!fits) {
                torn++;
                return part;
            }
            for (int word = 0; word < 3; word++) {
                RingLayout.BYTES.set(text, part * RingLayout.TEXT_PART + 8 * word, w[from + 1 + word]);
            }
        }
        names.define(id, text, length);
        return parts;
    }

    long records() {
        return records;
    }

    long unknownTypes() {
        return unknownTypes;
    }

    long impossible() {
        return impossible;
    }

    long torn() {
        return torn;
    }
}
