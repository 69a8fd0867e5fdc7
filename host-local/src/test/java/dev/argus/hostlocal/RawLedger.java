package dev.argus.hostlocal;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.StepMark;
import dev.argus.trace.ReadOutcome;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceInputs;
import dev.argus.trace.TraceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Who waited for whom, from raw GPU events and the definitions alone: shares no code with digests and detectors. */
final class RawLedger {
    /** Below this difference of durations nobody was late. */
    private static final long SAME_ARRIVAL_NANOS = 20_000;

    private final Map<Integer, Rank> ranks = new TreeMap<>();
    private long instances;

    private RawLedger() {}

    /** One rank's account, all steps together. Whether somebody was late can hang on a rounding: then both answers are right. */
    static final class Rank {
        private long instances;
        private long suffered;
        private long causedLeast;
        private long causedMost;
        private long waiters;

        long instances() {
            return instances;
        }

        long suffered() {
            return suffered;
        }

        long causedLeast() {
            return causedLeast;
        }

        long causedMost() {
            return causedMost;
        }

        /** What the waits that a rank caused may be off by, when each may be by a unit. */
        long causedError(long unit) {
            return unit * waiters;
        }
    }

    private record Member(int rank, long nanos, long exposed, long bytes) {}

    static RawLedger of(Path traces, NameTable names) {
        Map<String, List<Member>> meetings = new HashMap<>();
        Map<String, Integer> expected = new HashMap<>();
        for (TraceFile file : TraceInputs.find(List.of(traces)).files()) {
            List<Events> parts = new ArrayList<>();
            ReadOutcome outcome = TraceReader.read(
                    file,
                    names,
                    part -> {
                        parts.add(new Events());
                        return parts.getLast();
                    },
                    n -> {});
            parts.getFirst().addTo(outcome.parts().getFirst().header().rank(), names, meetings, expected);
        }
        RawLedger ledger = new RawLedger();
        meetings.forEach((key, members) -> {
            if (members.size() > 1 && members.size() == expected.getOrDefault(key, 0)) {
                ledger.account(members);
            }
        });
        return ledger;
    }

    long instances() {
        return instances;
    }

    Rank rank(int rank) {
        return ranks.computeIfAbsent(rank, r -> new Rank());
    }

    private void account(List<Member> members) {
        if (members.stream().anyMatch(m -> m.bytes != members.getFirst().bytes)) {
            return;
        }
        instances++;
        List<Member> sorted = new ArrayList<>(members);
        sorted.sort(Comparator.comparingLong(Member::nanos));
        Member last = sorted.getFirst();
        long apart = sorted.get(1).nanos - last.nanos;
        long waited = 0;
        for (Member m : members) {
            long wait = Math.min(m.nanos - last.nanos, m.exposed);
            rank(m.rank).suffered += wait;
            rank(m.rank).instances++;
            waited += wait;
        }
        Rank late = rank(last.rank);
        late.waiters += members.size();
        late.causedMost += apart > SAME_ARRIVAL_NANOS - 1_000 ? waited : 0;
        late.causedLeast += apart > SAME_ARRIVAL_NANOS + 1_000 ? waited : 0;
    }

    /** The kernels of one rank. */
    private static final class Events implements TraceEventSink {
        private final List<GpuEvent> kernels = new ArrayList<>();

        void addTo(int rank, NameTable names, Map<String, List<Member>> meetings, Map<String, Integer> expected) {
            List<long[]> compute = new ArrayList<>();
            for (GpuEvent e : kernels) {
                if (!names.name(e.name()).toLowerCase(Locale.ROOT).contains("nccl")) {
                    compute.add(new long[] {e.startNanos(), e.endNanos()});
                }
            }
            compute.sort(Comparator.comparingLong(c -> c[0]));
            for (GpuEvent e : kernels) {
                CollectiveCall call = e.collective();
                if (call != null && call.op().isBarrier() && call.group() >= 0) {
                    String members = call.members() < 0 ? "" : names.name(call.members());
                    String key = names.name(call.group()) + "/" + members + "/" + call.op() + "/" + call.sequence();
                    long exposed = e.durationNanos() - covered(compute, e.startNanos(), e.endNanos());
                    meetings.computeIfAbsent(key, k -> new ArrayList<>())
                            .add(new Member(rank, e.durationNanos(), exposed, call.bytes()));
                    expected.put(key, call.groupSize());
                }
            }
        }

        private static long covered(List<long[]> compute, long from, long to) {
            long sum = 0;
            long at = from;
            for (long[] c : compute) {
                long start = Math.max(at, c[0]);
                long end = Math.min(to, c[1]);
                if (end > start) {
                    sum += end - start;
                    at = end;
                }
            }
            return sum;
        }

        @Override
        public void gpu(GpuEvent event) {
            if (event.activity() == GpuActivity.KERNEL) {
                kernels.add(event);
            }
        }

        @Override
        public void launch(LaunchEvent event) {}

        @Override
        public void span(CpuSpan span) {}

        @Override
        public void step(StepMark mark) {}

        @Override
        public void quarantine(String reason) {}
    }
}
