package dev.argus.trace;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.NameTable;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the text of a name alone tells, worked out once a name and file. */
final class NameInfo {
    private static final String STEP_MARK = "ProfilerStep#";
    private static final int MAX_STEP_DIGITS = 18;
    private static final int MAX_DTYPE = 32;

    final String text;
    /** The number behind {@code ProfilerStep#}, exactly so spelled; else -1. */
    final long step;
    /** True for a collective call or its record, among operators and annotations. */
    final boolean call;
    /** True for a kernel that communicates. */
    final boolean communicates;
    /** Operation told; null for what is no transfer. */
    final @Nullable CollectiveOp op;
    /** True for a runtime call that waits by its nature. */
    final boolean blocking;
    /** Direction of a copy of this name. */
    final CopyDirection direction;
    /** Bytes of an element of the type of this name, or -1. */
    final int elementBytes;

    private final NameTable names;
    private int id = -1;

    NameInfo(String text, NameTable names) {
        this.text = text;
        this.names = names;
        step = step(text);
        call = CollectiveNames.isCall(text);
        communicates = CollectiveNames.isKernel(text);
        op = CollectiveNames.op(text);
        blocking = text.contains("Synchronize");
        direction = direction(text);
        elementBytes = text.length() <= MAX_DTYPE ? CollectiveNames.elementBytes(text) : -1;
    }

    /** Id in the job's table; the name enters it only when somebody asks. */
    int id() {
        if (id < 0) {
            id = names.id(text);
        }
        return id;
    }

    /** True for what the framework or the user named, where the schema does not tell it by category. */
    boolean isAnnotation() {
        return text.indexOf('#') >= 0;
    }

    /** True for an operator, where the schema tells operators and annotations apart by nothing but their names. */
    boolean isOperator() {
        return text.contains("::") || text.matches("\\w+Backward\\d*");
    }

    private static long step(String name) {
        int from = STEP_MARK.length();
        int length = name.length();
        if (!name.startsWith(STEP_MARK) || length == from || length > from + MAX_STEP_DIGITS) {
            return -1;
        }
        long step = 0;
        for (int i = from; i < length; i++) {
            char c = name.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            step = step * 10 + (c - '0');
        }
        return step;
    }

    private static CopyDirection direction(String name) {
        String head = name.substring(0, Math.min(name.length(), 48)).toLowerCase(Locale.ROOT);
        if (head.contains("htod") || head.contains("hosttodevice")) {
            return CopyDirection.HOST_TO_DEVICE;
        }
        if (head.contains("dtoh") || head.contains("devicetohost")) {
            return CopyDirection.DEVICE_TO_HOST;
        }
        if (head.contains("ptop") || head.contains("peer")) {
            return CopyDirection.PEER_TO_PEER;
        }
        return head.contains("dtod") || head.contains("devicetodevice")
                ? CopyDirection.DEVICE_TO_DEVICE
                : CopyDirection.OTHER;
    }
}
