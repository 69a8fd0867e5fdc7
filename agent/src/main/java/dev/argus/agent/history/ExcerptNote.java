package dev.argus.agent.history;

import dev.argus.model.OpaqueRecord;
import dev.argus.model.RankSet;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;

/**
 * The answer to a command for an excerpt, as a record of a frame: what lies on the host, or why nothing does. Excerpts themselves do not go through frames
 * (docs/design/0010-frames.md); a server fetches the file by what this says.
 *
 * <pre>
 * command  attempt(s)  from(s)  until(s)  slices  bytes  file:text  problem:text  ranks, ranks x difference to the one before
 * </pre>
 *
 * @param command id of the command
 * @param attempt attempt asked for, -1 for all
 * @param fromNanos begin, nanoseconds since the Unix epoch by the clock of the host
 * @param untilNanos end
 * @param slices intervals in it
 * @param bytes length of the file
 * @param file where it lies on the host; hostile text to a server
 * @param problem why there is none, in a sentence; empty when there is one
 * @param ranks ranks in it
 */
public record ExcerptNote(
        long command,
        int attempt,
        long fromNanos,
        long untilNanos,
        long slices,
        long bytes,
        String file,
        String problem,
        RankSet ranks) {
    /** The kind of {@link OpaqueRecord} that holds one; 1 are waits matched inside a host. */
    public static final int KIND = 2;

    private static final int LONGEST_TEXT = 4096;

    /** The record. */
    public OpaqueRecord record() {
        WireWriter out = new WireWriter();
        out.writeVarint(command)
                .writeSigned(attempt)
                .writeSigned(fromNanos)
                .writeSigned(untilNanos)
                .writeVarint(slices)
                .writeVarint(bytes)
                .writeText(cut(file))
                .writeText(cut(problem))
                .writeVarint(ranks.size());
        int before = 0;
        for (int i = 0; i < ranks.size(); i++) {
            out.writeVarint(ranks.get(i) - before);
            before = ranks.get(i);
        }
        return new OpaqueRecord(KIND, out.toByteArray());
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    }

    /**
     * Reads one; the bytes are taken as hostile.
     *
     * @throws WireException if they are none
     */
    public static ExcerptNote of(OpaqueRecord record) {
        if (record.kind() != KIND) {
            throw new WireException("a record of kind " + record.kind() + ", expected " + KIND);
        }
        WireReader in = new WireReader(record.bytes());
        long command = in.readVarint();
        int attempt = in.readSignedInt();
        long from = in.readSigned();
        long until = in.readSigned();
        long slices = in.readVarint();
        long bytes = in.readVarint();
        String file = in.readText();
        String problem = in.readText();
        int[] ranks = new int[in.readCount(1)];
        long before = 0;
        for (int i = 0; i < ranks.length; i++) {
            before += in.readInt();
            if (before > Integer.MAX_VALUE) {
                throw new WireException("rank " + before);
            }
            ranks[i] = (int) before;
        }
        in.expectEnd();
        return new ExcerptNote(command, attempt, from, until, slices, bytes, file, problem, RankSet.of(ranks));
    }
}
