package dev.argus.ring;

import dev.argus.model.DataProblem;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import java.util.ArrayList;
import java.util.List;

/**
 * What a reader has read of one ring, and what it could not.
 *
 * @param records records consumed, all kinds
 * @param unknownTypes records of types that this version does not know
 * @param impossible records with values that cannot be
 * @param torn parts of texts and collectives whose rest is missing
 * @param undefinedNames uses of a name whose definition was not seen; such records are kept under the unknown name
 * @param refusedNames definitions beyond the bounds of the reader
 * @param malformedNames texts that were not UTF-8
 * @param jumps times that the positions were impossible; what lay between is lost
 */
public record RingCounts(
        long records,
        long unknownTypes,
        long impossible,
        long torn,
        long undefinedNames,
        long refusedNames,
        long malformedNames,
        long jumps) {
    /** One sentence for each kind of trouble; empty when there is none. */
    public List<DataProblem> problems(String file, RankSet ranks) {
        List<DataProblem> list = new ArrayList<>();
        add(
                list,
                ranks,
                file,
                unknownTypes,
                "ring-unknown-records",
                "records of unknown types were skipped: the producer is newer than the agent; update the agent");
        add(
                list,
                ranks,
                file,
                impossible,
                "ring-impossible-records",
                "records had impossible times, sizes or reasons and were skipped: the producer is broken or somebody else writes the file");
        add(
                list,
                ranks,
                file,
                torn,
                "ring-torn-records",
                "parts of texts or collectives missed their rest and were skipped: the producer is broken or somebody else writes the file");
        add(
                list,
                ranks,
                file,
                undefinedNames,
                "ring-undefined-names",
                "records used a name before its definition and are kept without it: usual for records written before the agent was restarted");
        add(
                list,
                ranks,
                file,
                refusedNames,
                "ring-too-many-names",
                "names were refused, because the ring defines more than the agent keeps: their records have no name");
        add(
                list,
                ranks,
                file,
                malformedNames,
                "ring-malformed-names",
                "names were not UTF-8; wrong bytes were replaced");
        add(
                list,
                ranks,
                file,
                jumps,
                "ring-positions",
                "times the positions of the ring were impossible, and what it held then is lost: the producer is broken or somebody else writes the file");
        return list;
    }

    private static void add(
            List<DataProblem> list, RankSet ranks, String file, long count, String kind, String sentence) {
        if (count > 0) {
            list.add(new DataProblem(kind, ranks, SafeText.of(file) + ": " + count + " " + sentence));
        }
    }
}
