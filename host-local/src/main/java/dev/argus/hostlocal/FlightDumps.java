package dev.argus.hostlocal;

import dev.argus.hostlocal.TraceLoader.LoadedFile;
import dev.argus.model.DataProblem;
import dev.argus.model.FlightRecord;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Which flight recorder dumps of a folder are those of its job. What tells jobs apart: {@link FlightJobs}; of dumps of times far apart the newest are used. Of several dumps of a rank that say different things the newest is used if it began when the others had
 * ended, else none: they may be of two jobs of one size. Dumps of a world that the traces beside them do not have are not used.
 *
 * @param unused files whose records are not judged
 * @param problems why
 * @param twoJobs why these are dumps of more than one job, empty when they are not
 */
record FlightDumps(Set<LoadedFile> unused, List<DataProblem> problems, String twoJobs) {
    /** A file with a dump in it. */
    record Dump(LoadedFile file, FlightRecord record) {
        String label() {
            return file.file().label();
        }
    }

    /**
     * Looks at all dumps.
     *
     * @param traces the traces of the newest attempt; empty for none
     */
    static FlightDumps of(List<LoadedFile> files, Map<Integer, LoadedPart> traces, NameTable names) {
        List<Dump> dumps = new ArrayList<>();
        for (LoadedFile file : files) {
            file.outcome().records().stream()
                    .filter(FlightRecord.class::isInstance)
                    .forEach(r -> dumps.add(new Dump(file, (FlightRecord) r)));
        }
        FlightDumps found = new FlightDumps(new HashSet<>(), new ArrayList<>(), "");
        FlightJobs jobs = FlightJobs.of(dumps, names);
        if (!jobs.different().isEmpty()) {
            return new FlightDumps(found.unused, found.problems, jobs.different());
        }
        List<Dump> newest = found.newest(dumps);
        if (!found.foreign(newest, jobs.world(), traces)) {
            found.doubles(newest);
        }
        return found;
    }

    /** Without dumps of another time: the ranks of a job that stops do so together. */
    private List<Dump> newest(List<Dump> dumps) {
        List<List<Dump>> times = FlightJobs.times(dumps);
        if (times.size() < 2) {
            return dumps;
        }
        List<Dump> older = times.subList(0, times.size() - 1).stream()
                .flatMap(List::stream)
                .toList();
        long away = times.getLast().stream()
                        .filter(d -> d.record().firstNanos() > 0)
                        .mapToLong(d -> d.record().firstNanos())
                        .min()
                        .orElse(0)
                - older.stream().mapToLong(d -> d.record().lastNanos()).max().orElse(0);
        older.forEach(d -> unused.add(d.file()));
        problems.add(new DataProblem(
                "older-dumps",
                RankSet.of(older.stream()
                        .map(d -> d.record().rank())
                        .filter(r -> r >= 0)
                        .toList()),
                "the flight recorder dumps "
                        + Labels.some(older.stream().map(Dump::label).toList()) + " end " + time(away)
                        + " before the others ("
                        + Labels.some(times.getLast().stream().map(Dump::label).toList())
                        + ") begin: they are of another job or an earlier attempt, and are not used"));
        return times.getLast();
    }

    private static String time(long nanos) {
        long minutes = TimeUnit.NANOSECONDS.toMinutes(nanos);
        return minutes < 120
                ? minutes + " minutes"
                : minutes < 48 * 60 ? minutes / 60 + " hours" : minutes / (24 * 60) + " days";
    }

    private boolean foreign(List<Dump> dumps, int dumped, Map<Integer, LoadedPart> traces) {
        int stated = traces.values().stream()
                .mapToInt(p -> p.header().worldSize())
                .max()
                .orElse(-1);
        if (stated <= 0 || dumps.isEmpty()) {
            return false;
        }
        int highest = dumps.stream().mapToInt(d -> d.record.rank()).max().orElse(-1);
        if (dumped == stated || (dumped < 0 && highest < stated)) {
            return false;
        }
        dumps.forEach(d -> unused.add(d.file));
        problems.add(new DataProblem(
                "foreign-dumps",
                RankSet.EMPTY,
                "the flight recorder dumps "
                        + Labels.some(dumps.stream().map(Dump::label).toList()) + " are of a job of "
                        + (dumped > 0 ? dumped + " ranks" : "more than " + highest + " ranks")
                        + ", the traces "
                        + Labels.some(
                                traces.values().stream().map(LoadedPart::label).toList())
                        + " of one of " + stated + ": the dumps are not used; give what belongs to one job"));
        return true;
    }

    private void doubles(List<Dump> dumps) {
        Map<Integer, List<Dump>> byRank = new TreeMap<>();
        for (Dump dump : dumps) {
            List<Dump> same = byRank.computeIfAbsent(dump.record.rank(), r -> new ArrayList<>());
            if (same.stream().anyMatch(d -> d.record.equals(dump.record))) {
                unused.add(dump.file); // the same dump in another form, or copied
            } else {
                same.add(dump);
            }
        }
        List<Integer> conflicts = new ArrayList<>();
        List<Integer> older = new ArrayList<>();
        List<String> conflictFiles = new ArrayList<>();
        List<String> olderFiles = new ArrayList<>();
        byRank.forEach((rank, same) -> {
            if (rank < 0 || same.size() < 2) {
                return;
            }
            Dump newest = same.getFirst();
            for (Dump dump : same) {
                newest = dump.record.lastNanos() > newest.record.lastNanos() ? dump : newest;
            }
            boolean ordered = true;
            for (Dump dump : same) {
                ordered &= dump.equals(newest)
                        || (dump.record.lastNanos() > 0 && dump.record.lastNanos() < newest.record.firstNanos());
            }
            (ordered ? older : conflicts).add(rank);
            for (Dump dump : same) {
                if (!ordered || !dump.equals(newest)) {
                    unused.add(dump.file);
                    (ordered ? olderFiles : conflictFiles).add(dump.label());
                }
            }
        });
        if (!conflicts.isEmpty()) {
            say(
                    "duplicate-rank",
                    conflicts,
                    " claimed by several flight recorder dumps of one time, ",
                    conflictFiles,
                    "; none of them is used: give the dumps of one job, one a rank");
        }
        if (!older.isEmpty()) {
            say(
                    "older-dumps",
                    older,
                    " told by several flight recorder dumps; the newest is used, not ",
                    olderFiles,
                    "");
        }
    }

    private void say(String kind, List<Integer> of, String how, List<String> labels, String what) {
        RankSet ranks = RankSet.of(of);
        problems.add(new DataProblem(
                kind,
                ranks,
                (ranks.size() == 1 ? "rank " + ranks + " is" : "ranks " + ranks + " are")
                        + how
                        + Labels.some(labels)
                        + what));
    }
}
