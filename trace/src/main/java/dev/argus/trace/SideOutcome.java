package dev.argus.trace;

import dev.argus.model.DataProblem;
import dev.argus.model.RankSet;
import dev.argus.model.SideRecord;
import dev.argus.model.TraceHeader;
import java.util.ArrayList;
import java.util.List;

/** Puts together what became of a file that is no trace of events; used once. */
final class SideOutcome {
    private final TraceFile file;
    private final String format;
    private final List<DataProblem> problems = new ArrayList<>();

    SideOutcome(TraceFile file, String format) {
        this.file = file;
        this.format = format;
    }

    /** Something is wrong with the data of a rank, or of nobody in particular if the rank is -1. */
    void problem(String kind, int rank, String detail) {
        problems.add(new DataProblem(kind, rank < 0 ? RankSet.EMPTY : RankSet.of(rank), file.label() + ": " + detail));
    }

    ReadOutcome failed(String why) {
        problem("unreadable-file", -1, why);
        return new ReadOutcome(Status.FAILED, format, List.of(), problems, 0);
    }

    ReadOutcome ignored(String why) {
        problem("ignored-file", -1, why);
        return new ReadOutcome(Status.IGNORED, "none", List.of(), problems, 0);
    }

    /** Parts that were filled from events. */
    ReadOutcome parts(Status status, List<Part> parts, long bytes) {
        return new ReadOutcome(status, format, parts, problems, bytes);
    }

    /** One part, with what the file says beside events. */
    ReadOutcome read(Status status, TraceHeader header, List<? extends SideRecord> records, long bytes) {
        Part part = new Part(0, header, file.label());
        return new ReadOutcome(status, format, List.of(part), problems, bytes, List.copyOf(records));
    }
}
