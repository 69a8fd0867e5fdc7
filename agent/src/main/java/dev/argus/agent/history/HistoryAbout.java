package dev.argus.agent.history;

import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.TraceHeader;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Whose events a file of the history holds: its first block, and again when groups became known.
 *
 * <pre>
 * type:byte=1  job:text  attempt  rank  host:text  groups, groups x { name:text  description:text  size(s)  complete:byte  members:delta list }
 * </pre>
 *
 * @param job job
 * @param attempt attempt
 * @param rank global rank
 * @param host host
 * @param groups process groups that the rank declares
 */
record HistoryAbout(String job, int attempt, int rank, String host, List<ProcessGroup> groups) {
    static final int TYPE = 1;
    private static final int MOST_GROUPS = 1024;
    private static final int MOST_MEMBERS = 1 << 16;

    HistoryAbout {
        groups = List.copyOf(groups);
    }

    static HistoryAbout of(String job, int attempt, int rank, TraceHeader header) {
        List<ProcessGroup> groups = new ArrayList<>();
        int members = 0;
        for (ProcessGroup g : header.groups()) {
            members += g.ranks().size();
            if (groups.size() < MOST_GROUPS && members <= MOST_MEMBERS) {
                groups.add(g);
            }
        }
        return new HistoryAbout(job, attempt, rank, header.host(), groups);
    }

    /** As a trace of this rank would say it. */
    TraceHeader header() {
        return new TraceHeader(rank, -1, host, "", groups, "", -1, job);
    }

    byte[] encode() {
        WireWriter out = new WireWriter();
        out.writeByte(TYPE)
                .writeText(job)
                .writeVarint(attempt)
                .writeVarint(rank)
                .writeText(host)
                .writeVarint(groups.size());
        for (ProcessGroup g : groups) {
            out.writeText(g.name())
                    .writeText(g.description())
                    .writeSigned(g.size())
                    .writeByte(g.complete() ? 1 : 0)
                    .writeVarint(g.ranks().size());
            int before = 0;
            for (int i = 0; i < g.ranks().size(); i++) {
                out.writeVarint(g.ranks().get(i) - before);
                before = g.ranks().get(i);
            }
        }
        return out.toByteArray();
    }

    /** @param in behind the byte of the type */
    static HistoryAbout decode(WireReader in) {
        String job = in.readText();
        int attempt = in.readInt();
        int rank = in.readInt();
        String host = in.readText();
        List<ProcessGroup> groups = new ArrayList<>();
        for (int n = in.readCount(5); n > 0; n--) {
            String name = in.readText();
            String description = in.readText();
            int size = in.readSignedInt();
            boolean complete = in.readByte() != 0;
            int[] members = new int[in.readCount(1)];
            long before = 0;
            for (int i = 0; i < members.length; i++) {
                before += in.readInt();
                if (before > Integer.MAX_VALUE) {
                    throw new WireException("member " + before);
                }
                members[i] = (int) before;
            }
            groups.add(new ProcessGroup(name, description, size, RankSet.of(members), complete));
        }
        in.expectEnd();
        return new HistoryAbout(job, attempt, rank, host, groups);
    }
}
