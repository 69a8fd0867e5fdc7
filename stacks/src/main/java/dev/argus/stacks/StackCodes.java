package dev.argus.stacks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the code addresses of a walked stack into names, and makes sure that each is still the code object it is taken for. */
final class StackCodes {
    private static final int MAX_CHECKS = 64; // entries compared whole in one sample

    /** In place of a head: it was compared a moment ago and is not read. */
    private static final int TRUSTED = Integer.MIN_VALUE;

    private final ForeignMemory memory;
    private final CodeCache cache;
    private final @Nullable CodeEntry[] entries = new CodeEntry[StackReader.MAX_DEPTH];
    private final int[] headAt = new int[StackReader.MAX_DEPTH];
    private final String[] names = new String[StackReader.MAX_DEPTH];
    private final CodeEntry[] checked = new CodeEntry[MAX_CHECKS];
    private boolean missing;
    private List<String> resolved = List.of();
    private final int[] checkPlaces = new int[MAX_CHECKS * CodeCache.CHECK_PIECES];

    StackCodes(ForeignMemory memory, CodeCache cache) {
        this.memory = memory;
        this.cache = cache;
    }

    /** The names of the stack that was resolved, innermost first; the same list as of the stack before where that is the same. */
    List<String> names() {
        return resolved;
    }

    /** Names every frame; null if all went well. The codes of the stack are read along with the next one. */
    @Nullable
    StackLoss resolve(ThreadPlan plan, long[] code, long[] instruction, int depth, long nowNanos) {
        List<String> known = plan.known.name(code, instruction, depth, nowNanos);
        if (known != null) {
            plan.codes.useAll(plan.tick);
            resolved = known;
            return null;
        }
        StackLoss broken = heads(plan, code, depth, nowNanos);
        for (int i = 0; i < depth && broken == null; i++) {
            broken = entry(i, code, nowNanos);
        }
        if (broken == null) {
            broken = check(code, depth, nowNanos);
        }
        for (int i = 0; i < depth && broken == null; i++) {
            CodeEntry entry = entries[i];
            String name = entry == null ? null : entry.frame(instruction[i]);
            if (name == null) {
                broken = StackLoss.BROKEN_FRAME;
                if (entry != null && headAt[i] == TRUSTED) {
                    cache.forget(entry); // the next try looks again
                }
            } else {
                names[i] = name;
            }
        }
        if (broken == null) {
            resolved = plan.known.listOf(names, depth);
        }
        if (broken == null && !missing) {
            plan.known.keep(code, instruction, entries, depth, resolved);
        } else {
            plan.known.forget();
        }
        return broken;
    }

    /** Finds the head of each code object in the batch, and reads those that are missing now. */
    private @Nullable StackLoss heads(ThreadPlan plan, long[] code, int depth, long nowNanos) {
        missing = false;
        for (int i = 0; i < depth; i++) {
            int same = i > 0 && code[i] == code[i - 1] ? i - 1 : -1; // recursion
            if (same >= 0) {
                headAt[i] = headAt[same];
                continue;
            }
            int index = plan.codes.find(code[i]);
            int at = index < 0 ? -1 : plan.codes.place(index);
            CodeEntry known = at < 0 ? cache.get(code[i]) : null;
            if (known != null && !known.due(nowNanos)) {
                headAt[i] = TRUSTED;
                entries[i] = known;
            } else if (at < 0) {
                at = cache.addHead(code[i]);
                if (at < 0) {
                    return StackLoss.TOO_SCATTERED;
                }
                missing = true;
                headAt[i] = -at - 1; // read later than the frames
            } else {
                headAt[i] = at;
            }
        }
        if (missing && memory.read() != ForeignMemory.COMPLETE) {
            return StackLoss.CODE_CHANGED;
        }
        for (int i = 0; i < depth; i++) {
            plan.codes.use(code[i], plan.tick);
        }
        return null;
    }

    private @Nullable StackLoss entry(int i, long[] code, long nowNanos) {
        if (i > 0 && code[i] == code[i - 1]) {
            entries[i] = entries[i - 1];
            return null;
        }
        if (headAt[i] == TRUSTED) {
            return null;
        }
        boolean later = headAt[i] < 0;
        int at = later ? -headAt[i] - 1 : headAt[i];
        CodeEntry known = cache.get(code[i]);
        if (known != null && known.matches(memory, at)) {
            entries[i] = known;
            return null;
        }
        if (known != null) {
            cache.forget(known);
            if (later) {
                return StackLoss.CODE_CHANGED; // the frame may have been of the one before
            }
        }
        if (!cache.isCode(at)) {
            return later ? StackLoss.CODE_CHANGED : StackLoss.BROKEN_FRAME;
        }
        CodeEntry loaded = cache.load(code[i], at, nowNanos);
        entries[i] = loaded;
        return loaded == null ? StackLoss.BROKEN_CODE : null;
    }

    /** Compares name, file and lines of those that are due, and of those that soon will be, so that those of one stack come to be due together. */
    private @Nullable StackLoss check(long[] code, int depth, long nowNanos) {
        int due = 0;
        boolean any = false;
        for (int i = 0; i < depth && !any; i++) {
            CodeEntry entry = entries[i];
            any = entry != null && entry.due(nowNanos);
        }
        for (int i = 0; i < depth && any && due < MAX_CHECKS; i++) {
            CodeEntry entry = entries[i];
            if (entry != null && (i == 0 || code[i] != code[i - 1]) && entry.due(nowNanos + entry.interval() / 2)) {
                if (!cache.addCheck(entry, checkPlaces, due * CodeCache.CHECK_PIECES)) {
                    break; // no room: it stays due
                }
                checked[due++] = entry;
            }
        }
        if (due == 0) {
            return null;
        }
        boolean read = memory.read() == ForeignMemory.COMPLETE;
        for (int i = 0; i < due; i++) {
            if (read && cache.unchanged(checked[i], checkPlaces, i * CodeCache.CHECK_PIECES)) {
                checked[i].checked(nowNanos);
            } else {
                cache.forget(checked[i]);
                read = false;
            }
        }
        return read ? null : StackLoss.CODE_CHANGED;
    }
}
