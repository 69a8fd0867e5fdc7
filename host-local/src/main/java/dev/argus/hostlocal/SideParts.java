package dev.argus.hostlocal;

import dev.argus.digest.AssembledTrace;
import dev.argus.digest.AssembledTrace.StepSource;
import dev.argus.model.FlightRecord;
import dev.argus.model.GroupUse;
import dev.argus.model.SideRecord;
import java.util.ArrayList;
import java.util.List;

/** What a file without events tells of its rank, in the form of a trace: its times, and the groups it used. */
final class SideParts {
    private SideParts() {}

    static AssembledTrace of(List<SideRecord> records, AssembledTrace empty) {
        List<GroupUse> uses = new ArrayList<>();
        long first = 0;
        long last = 0;
        for (SideRecord record : records) {
            if (record.firstNanos() > 0 && (first == 0 || record.firstNanos() < first)) {
                first = record.firstNanos();
            }
            last = Math.max(last, record.lastNanos());
            if (record instanceof FlightRecord flight) {
                uses(flight, uses);
            }
        }
        return new AssembledTrace(
                empty.devices(),
                empty.steps(),
                StepSource.NONE,
                false,
                List.copyOf(uses),
                List.of(),
                0,
                0,
                first,
                last,
                empty.quarantined());
    }

    private static void uses(FlightRecord flight, List<GroupUse> to) {
        for (int g = 0; g < flight.groups().size(); g++) {
            FlightRecord.Group group = flight.groups().get(g);
            long calls = 1;
            boolean pairs = false;
            for (FlightRecord.Status status : flight.statuses()) {
                if (status.group() == g) {
                    calls = Math.max(calls, status.enqueued());
                    pairs |= status.pointToPoint();
                }
            }
            int size = group.complete() ? group.members().size() : -1;
            to.add(new GroupUse(group.name(), -1, size, calls, pairs));
        }
    }
}
