package dev.argus.server.ingest;

import dev.argus.model.NameTable;
import dev.argus.model.StackRecord;
import dev.argus.trace.export.CollapsedFile;
import dev.argus.trace.export.StackExport.Weighted;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The newest stacks of ranks as collapsed stacks, rank by rank. */
final class StackText {
    private StackText() {}

    static String of(NameTable names, Collection<StackRecord> records) {
        StringWriter text = new StringWriter();
        CollapsedFile file = new CollapsedFile(text);
        try {
            for (StackRecord record : records) {
                Map<String, List<Weighted>> threads = new TreeMap<>();
                for (StackRecord.Stack stack : record.stacks()) {
                    List<String> frames = new ArrayList<>();
                    for (int i = stack.frames().length - 1; i >= 0; i--) {
                        frames.add(names.name(stack.frames()[i]));
                    }
                    if (!frames.isEmpty() && stack.weight() > 0) {
                        threads.computeIfAbsent(names.name(stack.thread()), t -> new ArrayList<>())
                                .add(new Weighted(frames, stack.weight()));
                    }
                }
                String rank = String.format(Locale.ROOT, "rank %04d", record.rank());
                for (Map.Entry<String, List<Weighted>> thread : threads.entrySet()) {
                    file.profile(rank, thread.getKey(), false, thread.getValue());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter does not throw
        }
        return text.toString();
    }
}
