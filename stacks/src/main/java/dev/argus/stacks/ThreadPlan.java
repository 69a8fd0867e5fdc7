package dev.argus.stacks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a thread, and which addresses its next sample asks for at once: those that its last samples needed.
 *
 * <p>That more is asked for than the very last sample needed keeps the samples fair: if only the last stack's places were read along, a stack like
 * the last would be taken at the first try and another only at a later one, when it may be gone.
 */
final class ThreadPlan {
    /** Memory is read in blocks of so many bytes; neighbours are one piece. */
    static final int BLOCK = 1024;

    private static final int MAX_BLOCKS = 256;
    private static final int MAX_CFRAMES = 16;
    private static final int MAX_CODES = 320;
    private static final int KEEP_PLACES = 64; // samples
    private static final int KEEP_CODES = 1;

    final long state;
    final int innerThread;

    /** As this host sees it; 0 until known. */
    int hostThread;

    final AddressSet blocks = new AddressSet(MAX_BLOCKS);
    final AddressSet cframes = new AddressSet(MAX_CFRAMES);
    final AddressSet codes = new AddressSet(MAX_CODES);
    final KnownStack known = new KnownStack();

    @Nullable
    TaskFile task;

    /** Its last stack, and for how long it had run before that was read, -1 when unknown. */
    @Nullable
    SampledStack last;

    long ranBefore = -1;

    /** The frames with which its state was asked last, and samples since with the very same. */
    private @Nullable List<String> askedWith;

    private int askedBefore;

    /** Samples since it was last found not to have run. */
    int moved;

    long tick;
    long dueNanos;

    ThreadPlan(long state, int innerThread) {
        this.state = state;
        this.innerThread = innerThread;
    }

    /** A sample begins: what was not needed for long is not asked for. */
    void begin() {
        tick++;
        blocks.expire(tick - KEEP_PLACES);
        cframes.expire(tick - KEEP_PLACES);
        codes.expire(tick - KEEP_CODES);
    }

    /**
     * True if its state was asked with the very same frames less than so many samples ago; else it is to be asked now.
     *
     * @param frames of the stack just read, the same list for the same stack
     */
    @SuppressWarnings("ReferenceEquality") // another list is another stack, or is asked once too often
    boolean stateIsKnown(List<String> frames, int samples) {
        if (frames == askedWith && ++askedBefore < samples) {
            return true;
        }
        askedWith = frames;
        askedBefore = 0;
        return false;
    }

    /** Nothing is believed to be where it was. */
    void forget() {
        blocks.clear();
        cframes.clear();
        codes.clear();
        known.forget();
        last = null;
    }

    void close() {
        if (task != null) {
            task.close();
            task = null;
        }
    }
}
