package dev.argus.stacks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stack of one thread while it runs, and takes it only if it fits together.
 *
 * <pre>
 *  one system call copies, in this order:
 *   frames' memory (1) | who holds the GIL | thread state | its current frame | frames' memory (2) | heads of the code objects, unless all were compared a moment ago
 *
 *  walk in (2) from the current frame to the outermost; every caller must be the same in (1)
 *  or else in (1), where every caller must be the same in (2)        neither: again, at most four times, then dropped and counted
 * </pre>
 *
 * <p>The innermost frame need not be the same in both: it may have been entered between them, and then its caller has called it. Without this
 * freedom short functions would be seen less often than they run. What the call did not bring, because it is needed for the first time, is read
 * right after it; a code object read so must be known and unchanged, or new.
 *
 * <p>Bounds: {@value #MAX_DEPTH} frames, {@value #MAX_HOPS} steps, {@value #MAX_LATE} places read later. Cost: one system call where the thread does
 * what it did before.
 */
final class StackReader {
    /** Frames of a stack; of a deeper one the innermost. */
    static final int MAX_DEPTH = 256;

    private static final int MAX_HOPS = 600;
    private static final int MAX_LATE = 64;
    private static final int MANY_LATE = 2;
    private static final int TRIES = 4;
    private static final int WORD = 8;

    /** What became of a stack. */
    enum Outcome {
        TAKEN,
        EMPTY,
        LOST,
        THREAD_GONE,
        PROCESS_GONE,
        DENIED
    }

    private final ForeignMemory memory;
    private final PythonProcess python;
    private final PythonLayout layout;
    private final CodeCache cache;
    private final StackCodes codes;
    private final StackLosses losses;

    private final int[] hopAt = new int[MAX_HOPS];
    private final long[] code = new long[MAX_DEPTH];
    private final long[] instruction = new long[MAX_DEPTH];
    private final long[] lateAddress = new long[MAX_LATE];
    private final int[] lateLength = new int[MAX_LATE];
    private final int[] lateAt = new int[MAX_LATE];
    private int late;
    private int depth;
    private boolean cut;
    private boolean holdsGil;
    private long gilHolder;
    private int gilAt;
    private int stateAt;
    private int secondAfterFirst;
    private int batchTotal;
    private long nearBlock;
    private long nearEnd;
    private int nearPlace;
    private long tries;

    StackReader(ForeignMemory memory, PythonProcess python, CodeCache cache, StackLosses losses) {
        this.memory = memory;
        this.python = python;
        this.layout = python.layout();
        this.cache = cache;
        this.codes = new StackCodes(memory, cache);
        this.losses = losses;
    }

    /** The frames of the stack that was taken, innermost first. */
    List<String> frames() {
        return codes.names();
    }

    boolean cut() {
        return cut;
    }

    /** True if the thread held the GIL. */
    boolean holdsGil() {
        return holdsGil;
    }

    /** The thread state that held the GIL, in the last sample of any thread; 0 for nobody. */
    long gilHolder() {
        return gilHolder;
    }

    /** Asks anew who holds the GIL, where no stack is to be read; false if that cannot be read. */
    boolean readHolder() {
        memory.begin();
        gilAt = memory.add(python.gilHolder(), gilLockedAt() + WORD);
        boolean read = memory.read() == ForeignMemory.COMPLETE;
        gilHolder = read ? holder() : 0;
        return read;
    }

    /** Batches begun. */
    long tries() {
        return tries;
    }

    /** Reads the stack of a thread; losses are counted. */
    Outcome read(ThreadPlan plan, long nowNanos) {
        plan.begin();
        StackLoss why = StackLoss.CHANGING;
        for (int i = 0; i < TRIES; i++) {
            tries++;
            batch(plan, nowNanos);
            int status = memory.read();
            if (status < 0) {
                return failed(status);
            }
            if (status != ForeignMemory.COMPLETE) {
                if (plan.blocks.size() + plan.cframes.size() + plan.codes.size() == 0) {
                    losses.add(StackLoss.THREAD_GONE); // its own record is not mapped
                    return Outcome.THREAD_GONE;
                }
                plan.forget();
                why = StackLoss.UNMAPPED;
                continue;
            }
            gilHolder = holder();
            holdsGil = gilHolder == plan.state;
            if (memory.getLong(stateAt + layout.threadInterp()) != python.interpreter()
                    || (int) memory.getLong(stateAt + layout.threadNativeId()) != plan.innerThread) {
                losses.add(StackLoss.THREAD_GONE);
                return Outcome.THREAD_GONE;
            }
            long frame = currentFrame(plan);
            if (frame == 0) {
                depth = 0;
                return Outcome.EMPTY;
            }
            if (frame == -1) {
                continue; // now its place is read along
            }
            late = 0;
            StackLoss second = walk(plan, frame, secondAfterFirst);
            if (second != null) {
                StackLoss first = walk(plan, frame, 0);
                if (first != null) {
                    why = second;
                    continue;
                }
            }
            if (late > MANY_LATE && i == 0) {
                continue; // the first time; now all of it is read at once
            }
            StackLoss broken = codes.resolve(plan, code, instruction, depth, nowNanos);
            if (broken != null) {
                why = broken;
                continue;
            }
            return depth == 0 ? Outcome.EMPTY : Outcome.TAKEN;
        }
        losses.add(why);
        return Outcome.LOST;
    }

    private Outcome failed(int status) {
        if (status == ForeignMemory.ESRCH) {
            return Outcome.PROCESS_GONE;
        }
        losses.add(StackLoss.DENIED);
        return Outcome.DENIED;
    }

    // ---------------------------------------------------------------- the batch

    private void batch(ThreadPlan plan, long nowNanos) {
        memory.begin();
        int first = blocks(plan, true);
        gilAt = memory.add(python.gilHolder(), gilLockedAt() + WORD);
        stateAt = memory.add(plan.state, layout.threadSpan());
        for (int i = 0; i < plan.cframes.size(); i++) {
            plan.cframes.place(i, memory.add(plan.cframes.address(i) + layout.currentFrame(), WORD));
        }
        secondAfterFirst = blocks(plan, false) - first;
        boolean trusted = plan.known.trusted(nowNanos);
        for (int i = 0; i < plan.codes.size(); i++) {
            plan.codes.place(i, trusted ? -1 : cache.addHead(plan.codes.address(i)));
        }
        batchTotal = memory.total();
    }

    /** The word of the lock behind that of its holder, or that itself. */
    private int gilLockedAt() {
        return python.gilLocked() == 0 ? 0 : (int) (python.gilLocked() - python.gilHolder()) & -WORD;
    }

    /** Neighbouring blocks are one piece. Returns where the first is. */
    private int blocks(ThreadPlan plan, boolean first) {
        AddressSet blocks = plan.blocks;
        int begin = memory.total();
        int at = begin;
        for (int i = 0; i < blocks.size(); ) {
            int end = i + 1;
            while (end < blocks.size() && blocks.address(end) == blocks.address(end - 1) + ThreadPlan.BLOCK) {
                end++;
            }
            memory.add(blocks.address(i), (end - i) * ThreadPlan.BLOCK);
            for (; i < end; i++, at += ThreadPlan.BLOCK) {
                if (first) {
                    blocks.place(i, at);
                }
            }
        }
        return begin;
    }

    private long holder() {
        if (gilAt < 0) {
            return 0;
        }
        boolean locked =
                python.gilLocked() == 0 || memory.getInt(gilAt + (int) (python.gilLocked() - python.gilHolder())) != 0;
        return locked ? memory.getLong(gilAt) : 0;
    }

    /** The innermost frame; 0 for none, -1 if it must be looked for again. */
    private long currentFrame(ThreadPlan plan) {
        if (layout.threadCframe() < 0) {
            return memory.getLong(stateAt + layout.currentFrame());
        }
        long cframe = memory.getLong(stateAt + layout.threadCframe());
        int index = plan.cframes.find(cframe);
        int at = index < 0 ? -1 : plan.cframes.place(index);
        if (!plan.cframes.use(cframe, plan.tick)) {
            plan.cframes.clear();
            plan.cframes.use(cframe, plan.tick);
        }
        return at < 0 ? -1 : memory.getLong(at);
    }

    // ---------------------------------------------------------------- the walk

    /** Follows the callers in one of the copies; null if they fit together. */
    private @Nullable StackLoss walk(ThreadPlan plan, long innermost, int copy) {
        int hops = 0;
        depth = 0;
        cut = false;
        int owner = -1;
        long mark = 0;
        int untilMark = 1;
        nearBlock = 0;
        for (long frame = innermost; frame != 0; hops++) {
            if (depth == MAX_DEPTH || hops == MAX_HOPS) {
                cut = true;
                break;
            }
            if (frame == mark) {
                return StackLoss.LOOP;
            }
            if (hops == untilMark) { // Brent's way to find a loop: a mark at every power of two
                mark = frame;
                untilMark *= 2;
            }
            if ((frame & 7) != 0 || !ForeignMemory.possible(frame)) {
                return StackLoss.BROKEN_FRAME;
            }
            int at = place(plan, frame, copy);
            if (at < 0) {
                return at == -1 ? StackLoss.UNMAPPED : StackLoss.TOO_SCATTERED;
            }
            hopAt[hops] = at;
            owner = memory.getByte(at + layout.frameOwner());
            if (owner < layout.ownersBeyond()) {
                long address = memory.getLong(at + layout.frameCode()) & ~PythonLayout.TAG_BITS;
                if (!ForeignMemory.possible(address) || (address & 7) != 0) {
                    return StackLoss.BROKEN_FRAME;
                }
                code[depth] = address;
                instruction[depth++] = memory.getLong(at + layout.frameInstruction());
            } else if (owner > 4 || layout.minor() == 11) {
                return StackLoss.BROKEN_FRAME;
            }
            frame = memory.getLong(at + layout.framePrevious());
        }
        if (!cut && owner == PythonLayout.OWNED_BY_GENERATOR) {
            return StackLoss.CHANGING; // a generator is never outermost: it was just left
        }
        return sameCallers(hops, copy);
    }

    /** Compares everything but the innermost frame with the other copy. */
    private @Nullable StackLoss sameCallers(int hops, int copy) {
        int toOther = copy == 0 ? secondAfterFirst : -secondAfterFirst;
        for (int i = 1; i < hops; i++) {
            int at = hopAt[i];
            if (at >= batchTotal) {
                continue; // read later, once
            }
            int other = at + toOther;
            if (memory.getLong(at + layout.framePrevious()) != memory.getLong(other + layout.framePrevious())
                    || memory.getLong(at + layout.frameCode()) != memory.getLong(other + layout.frameCode())) {
                return StackLoss.CHANGING;
            }
        }
        return null;
    }

    /** Where the batch has a frame; read now if it has not. -1: not mapped, -2: too many such. */
    private int place(ThreadPlan plan, long frame, int copy) {
        long last = frame + layout.frameSpan() - 1;
        long block = frame & -ThreadPlan.BLOCK;
        if (block == nearBlock && last < nearEnd) {
            return nearPlace + (int) (frame - block) + copy;
        }
        long lastBlock = last & -ThreadPlan.BLOCK;
        int index = plan.blocks.find(block);
        int place = index < 0 ? -1 : plan.blocks.place(index);
        boolean more = index >= 0
                && index + 1 < plan.blocks.size()
                && plan.blocks.address(index + 1) == block + ThreadPlan.BLOCK
                && plan.blocks.place(index + 1) == place + ThreadPlan.BLOCK;
        if (place >= 0 && (lastBlock == block || more)) {
            use(plan, block, lastBlock);
            nearBlock = block;
            nearEnd = block + ThreadPlan.BLOCK; // a frame that goes beyond is looked up, and its next block used
            nearPlace = place;
            return place + (int) (frame - block) + copy;
        }
        for (int i = late - 1; i >= 0; i--) {
            if (frame >= lateAddress[i] && last < lateAddress[i] + lateLength[i]) {
                return lateAt[i] + (int) (frame - lateAddress[i]);
            }
        }
        int at = readLate(frame, layout.frameSpan());
        if (at >= 0) {
            use(plan, block, lastBlock);
        }
        return at;
    }

    private static void use(ThreadPlan plan, long block, long lastBlock) {
        plan.blocks.use(block, plan.tick);
        if (lastBlock != block) {
            plan.blocks.use(lastBlock, plan.tick);
        }
    }

    private int readLate(long frame, int span) {
        if (late == MAX_LATE) {
            return -2;
        }
        long from = Math.max(frame & -4096, (frame & -ThreadPlan.BLOCK) - 3 * ThreadPlan.BLOCK); // callers lie below
        int length = (int) (frame + span - from);
        int at = memory.add(from, length);
        if (at < 0 || memory.read() != ForeignMemory.COMPLETE) {
            return -1;
        }
        lateAddress[late] = from;
        lateLength[late] = length;
        lateAt[late++] = at;
        return at + (int) (frame - from);
    }
}
