package dev.argus.trace;

import dev.argus.model.FlightRecord;
import dev.argus.model.NameTable;
import dev.argus.model.TraceHeader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One dump of PyTorch's flight recorder of collectives, as pickle or as JSON.
 *
 * <p>The rank is the one rank that all groups of {@code pg_config} have in common, for a rank lists its own groups only; else the file
 * name tells it ({@code nccl_trace_rank_3}, {@code _dump_3}). A dump that is cut is not used at all: the last numbers, which decide who
 * is missing, stand at its end, and a rank must not be late because its file is.
 */
final class FlightRecorderRead {
    private static final String FORMAT = "flight-recorder";

    private final TraceFile file;
    private final NameTable names;
    private final SideOutcome out;

    FlightRecorderRead(TraceFile file, NameTable names) {
        this.file = file;
        this.names = names;
        this.out = new SideOutcome(file, FORMAT);
    }

    ReadOutcome pickle() {
        try (InputStream in = new BufferedInputStream(ByteSource.open(file.path(), n -> {}))) {
            return dump(Pickle.read(in), file.bytes());
        } catch (PickleError refused) {
            return out.failed("a pickle that is not read, at byte " + refused.offset() + ": " + refused.text());
        } catch (IOException broken) {
            return out.failed("a pickle, unreadable: " + FileRead.reason(broken));
        }
    }

    ReadOutcome json() {
        try {
            byte[] bytes = SideBytes.of(file);
            return dump(JsonTree.parse(bytes, 0, bytes.length), bytes.length);
        } catch (JsonError broken) {
            return out.failed("a flight recorder's dump that is cut or broken at byte " + broken.offset() + ": "
                    + broken.text() + "; its last entries are missing, so it is not used: copy it again");
        } catch (IOException broken) {
            return out.failed("a flight recorder's dump, unreadable: " + FileRead.reason(broken));
        }
    }

    private ReadOutcome dump(@Nullable Object value, long bytes) {
        if (!(value instanceof Map<?, ?> map) || !isDump(map)) {
            return out.ignored(
                    "plain data, but no dump of a flight recorder: no calls of collectives and no status of groups");
        }
        FlightEntries entries = new FlightEntries(map, names);
        int rank = rank(entries.statedRank());
        if (rank < 0) {
            return out.failed(
                    "the rank of this dump is unknown: neither its groups nor its name tell it; rename it to rankN");
        }
        FlightRecord record = entries.record(rank);
        if (record.entries() == 0) {
            out.problem(
                    "empty-dump",
                    rank,
                    "rank " + rank + " has no entries in its ring: "
                            + (record.statuses().isEmpty()
                                    ? "nothing tells how far it came"
                                    : "the status of its groups tells how far it came"));
        }
        if (entries.droppedMembers() > 0) {
            out.problem(
                    "members-beyond",
                    rank,
                    entries.droppedMembers() + " members listed in groups are no ranks of 0 to "
                            + (FlightGroups.MAX_MEMBERS - 1)
                            + ", or beyond that many in all; their groups count as incomplete");
        }
        if (entries.unusable() > 0) {
            out.problem(
                    "unusable-entries", rank, entries.unusable() + " entries without group or number were left out");
        }
        if (entries.beyond() > 0) {
            out.problem(
                    "entries-beyond",
                    rank,
                    entries.beyond() + " open calls beyond the oldest " + FlightEntries.MAX_CALLS
                            + " of each group were counted, not kept");
        }
        TraceHeader header = new TraceHeader(
                rank, entries.worldSize(), FileNames.host(file.label()), "nccl", entries.declared(), "", -1, "");
        return out.read(Status.COMPLETE, header, List.of(record), bytes);
    }

    private static boolean isDump(Map<?, ?> map) {
        if (map.get("pg_status") instanceof Map<?, ?> || map.get("pg_config") instanceof Map<?, ?>) {
            return true;
        }
        return map.get("entries") instanceof List<?> list
                && !list.isEmpty()
                && list.getFirst() instanceof Map<?, ?> first
                && first.containsKey("profiling_name");
    }

    private int rank(int stated) {
        int named = FileNames.rank(file.label());
        int told = named >= 0 ? named : FileNames.lastDigits(file.label());
        if (stated >= 0 && told >= 0 && stated != told) {
            out.problem(
                    "rank-mismatch",
                    stated,
                    "the name says rank " + told + ", its groups say rank " + stated + "; the groups are believed");
        }
        return stated >= 0 ? stated : told;
    }
}
