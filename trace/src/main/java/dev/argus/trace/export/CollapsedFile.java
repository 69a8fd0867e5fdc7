package dev.argus.trace.export;

import dev.argus.model.SafeText;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/**
 * Writes collapsed stacks, as flame graph tools read them: {@code rank;thread;outer;inner 12} on a line. Names are escaped, cut, and their
 * semicolons become commas, for the format has no escape.
 */
public final class CollapsedFile implements StackExport.Sink {
    private static final int FRAME_LIMIT = 400;

    private final Writer text;

    /** Begins a file; the writer is never closed. */
    public CollapsedFile(Writer text) {
        this.text = text;
    }

    @Override
    public void profile(String process, String thread, boolean nanos, List<StackExport.Weighted> stacks)
            throws IOException {
        String root = shown(process) + ';' + (thread.isEmpty() ? "" : shown(thread) + ';');
        for (StackExport.Weighted stack : stacks) {
            StringBuilder line = new StringBuilder(root);
            for (String frame : stack.frames()) {
                line.append(shown(frame)).append(';');
            }
            line.setLength(line.length() - 1);
            text.append(line).append(' ').append(Long.toString(stack.weight())).append('\n');
        }
    }

    private static String shown(String name) {
        return name.isEmpty() ? "?" : SafeText.of(name, FRAME_LIMIT).replace(';', ',');
    }
}
