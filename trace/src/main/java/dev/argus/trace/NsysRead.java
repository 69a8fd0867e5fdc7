package dev.argus.trace;

import dev.argus.model.DataProblem;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.TraceHeader;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * SQLite exports of Nsight Systems ({@code nsys export --type sqlite}), of any version: of its tables only the kernels and the strings
 * must be there, and columns that a version lacks are unknown.
 *
 * <p>Every process with a GPU it ran kernels on is a part. A file of one part is the rank its name tells; the parts of a file of several
 * are numbered from 0 by GPU. NVTX ranges become annotations, and steps where they are called so ({@link NsysSteps}).
 */
final class NsysRead {
    private static final String FORMAT = "nsys-sqlite";

    private final TraceFile file;
    private final NameTable names;
    private final NsysParts parts;
    private final LongConsumer bytesRead;
    private final List<DataProblem> problems = new ArrayList<>();

    NsysRead(TraceFile file, NameTable names, SinkFactory sinks, LongConsumer bytesRead) {
        this.file = file;
        this.names = names;
        this.parts = new NsysParts(sinks);
        this.bytesRead = bytesRead;
    }

    ReadOutcome run() {
        try (SqliteFile sqlite = SqliteFile.open(file.path(), bytesRead)) {
            if (!sqlite.tables().contains("StringIds") || !sqlite.tables().contains(NsysEvents.KERNELS)) {
                return other(sqlite);
            }
            try (NsysRows rows = new NsysRows(sqlite)) {
                return read(rows);
            }
        } catch (SQLException broken) {
            return broken(broken);
        } catch (IOException | LinkageError broken) {
            return failed("an SQLite file that cannot be opened: " + FileRead.reason(broken));
        }
    }

    private ReadOutcome other(SqliteFile sqlite) {
        boolean export = sqlite.tables().contains("StringIds")
                || sqlite.tables().stream().anyMatch(t -> t.startsWith("CUPTI_ACTIVITY_KIND_"));
        if (export) {
            return failed(
                    "an export of Nsight Systems without a table of kernels and one of strings; record with --trace=cuda");
        }
        problem("ignored-file", "an SQLite file, but no export of Nsight Systems: no table of kernels");
        return new ReadOutcome(Status.IGNORED, "none", List.of(), problems, 0);
    }

    private ReadOutcome read(NsysRows rows) throws SQLException {
        if (!NsysEvents.declare(rows, parts)) {
            return failed("kernels of more than " + NsysParts.MAX_PARTS + " processes and GPUs");
        }
        if (parts.ranks().isEmpty()) {
            return failed(
                    "an export of Nsight Systems without any kernel; record while the GPU works, with --trace=cuda");
        }
        NsysClock clock = NsysClock.of(rows);
        NsysHost host = NsysHost.of(rows);
        NsysEvents events = new NsysEvents(rows, parts, clock, names);
        Status status = Status.COMPLETE;
        try {
            events.all();
        } catch (SQLException cut) {
            problem(
                    "broken-file",
                    "readable in part only: " + reason(cut) + "; totals of its ranks are not comparable");
            status = Status.PARTIAL;
        }
        remarks(events, clock);
        List<Part> out = new ArrayList<>();
        for (NsysParts.Rank rank : parts.ranks()) {
            rank.sink.openIfNot();
            out.add(new Part(rank.sink.part(), header(rank, host), label(rank)));
        }
        return new ReadOutcome(status, FORMAT, out, problems, file.bytes());
    }

    private TraceHeader header(NsysParts.Rank rank, NsysHost host) {
        int number = parts.ranks().size() > 1 ? rank.number : FileNames.rank(file.label());
        return new TraceHeader(number, -1, host.name(), "", List.of(), host.gpuModel(rank.device), -1, "");
    }

    private String label(NsysParts.Rank rank) {
        if (parts.ranks().size() == 1) {
            return file.label();
        }
        long same = parts.ranks().stream().filter(r -> r.device == rank.device).count();
        return file.label() + "#gpu" + rank.device + (same > 1 ? "-process" + (rank.process >>> 24 & 0xFFFFFF) : "");
    }

    private void remarks(NsysEvents events, NsysClock clock) {
        if (!clock.known()) {
            problem("relative-time", "times count from an unknown moment; steps are compared, not moments");
        }
        if (events.nameless() > 0) {
            problem("nameless-kernels", events.nameless() + " kernels have no name in the table of strings");
        }
        if (events.elsewhere() > 0) {
            problem(
                    "unplaced-events",
                    events.elsewhere() + " copies, sets and calls of processes or GPUs without kernels were left out");
        }
    }

    private ReadOutcome broken(SQLException broken) {
        return failed("a corrupt or cut SQLite file: " + reason(broken) + "; export or copy it again");
    }

    private static String reason(SQLException broken) {
        String text = FileRead.reason(broken);
        int line = text.indexOf('\n');
        return line < 0 ? text : text.substring(0, line);
    }

    private ReadOutcome failed(String why) {
        problem("unreadable-file", why);
        return new ReadOutcome(Status.FAILED, FORMAT, List.of(), problems, 0);
    }

    private void problem(String kind, String detail) {
        problems.add(new DataProblem(kind, RankSet.EMPTY, file.label() + ": " + detail));
    }
}
