package dev.argus.hostlocal;

import dev.argus.hostlocal.TraceLoader.LoadedFile;
import dev.argus.model.FlightRecord;
import dev.argus.model.GpuReading;
import dev.argus.model.SideRecord;
import dev.argus.model.StackRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the files of a job say beside events. It joins the last attempt: such files are made when a job stops, or while somebody looks.
 *
 * @param records all records, in the order of the files
 * @param byRank one part of each rank that has any
 */
record SideEvidence(List<SideRecord> records, Map<Integer, LoadedPart> byRank) {
    static final SideEvidence NONE = new SideEvidence(List.of(), Map.of());

    /** @param unused files that are of no use, although they could be read */
    static SideEvidence of(List<LoadedFile> files, Set<LoadedFile> unused) {
        List<SideRecord> records = new ArrayList<>();
        Map<Integer, LoadedPart> byRank = new TreeMap<>();
        for (LoadedFile file : files) {
            if (unused.contains(file)) {
                continue;
            }
            records.addAll(file.outcome().records());
            for (LoadedPart part : file.parts()) {
                if (part.side() && part.header().rank() >= 0) {
                    byRank.putIfAbsent(part.header().rank(), part);
                }
            }
        }
        return new SideEvidence(List.copyOf(records), byRank);
    }

    List<GpuReading> readings() {
        return records.stream()
                .filter(GpuReading.class::isInstance)
                .map(GpuReading.class::cast)
                .toList();
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    /** Hands the records to the detectors that take them. */
    void play(GraphRunner runner, int attempt) {
        for (SideRecord record : records) {
            switch (record) {
                case FlightRecord flight -> runner.take(flight.of(attempt));
                case StackRecord stacks -> runner.take(stacks.of(attempt));
                case GpuReading reading -> {
                    // joined with what all detectors found, when they have
                }
            }
        }
    }
}
