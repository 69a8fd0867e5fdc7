package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.argus.digest.TraceEventSink;
import dev.argus.engine.replay.Schedule;
import dev.argus.engine.replay.ScheduleBuilder;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.StepMark;
import dev.argus.stats.Robust;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The replay against a published what-if analysis of a real job: by how much less its steps would have been slowed, had the
 * worst workers (Mw), or the last stage (Ms), taken the typical time for everything.
 */
@Requires(Need.SHARED)
class WhatIfTest {
    private static final int WORKERS = 8;
    private static final int WORST = 7;
    private static final double BAR = 0.05;

    private final NameTable names = new NameTable();

    @Test
    void agreesWithThePublishedAnalysis() throws Exception {
        JsonTree truth = JsonTree.of(Shared.path("data/straggler_analysis/truth_ST.json"))
                .at("authors_result");
        List<Schedule> steps = steps();
        assertThat(steps).hasSize(32);
        Map<Integer, Double> ideal = ideal(steps);
        double recorded = mean(steps, i -> false, ideal);
        double even = mean(steps, i -> true, ideal);
        assertThat(recorded / even)
                .as("slowdown of the job")
                .isCloseTo(truth.at("blocking_slowdown").number(), within(BAR));
        double lastStage = mean(steps, rank -> rank >= 6, ideal);
        assertThat((recorded - lastStage) / (recorded - even))
                .as("Ms")
                .isCloseTo(truth.at("Ms").number(), within(BAR));
        double worst = mean(steps, rank -> rank == WORST, ideal);
        assertThat((recorded - worst) / (recorded - even))
                .as("Mw")
                .isCloseTo(truth.at("Mw").number(), within(BAR));
    }

    /** Mean of a step with the typical time for everything that some ranks do. */
    private static double mean(List<Schedule> steps, IntPredicate replaced, Map<Integer, Double> ideal) {
        return steps.stream()
                .mapToDouble(s -> s.replay(
                        i -> replaced.test(s.rank(i)) ? ideal.getOrDefault(s.kind(i), Double.NaN) : s.nanos(i)))
                .average()
                .orElseThrow();
    }

    /** As the authors do: of work the mean over all ranks and steps, of communication the median. */
    private Map<Integer, Double> ideal(List<Schedule> steps) {
        Map<Integer, List<Double>> all = new TreeMap<>();
        for (Schedule s : steps) {
            for (int i = 0; i < s.size(); i++) {
                all.computeIfAbsent(s.kind(i), k -> new ArrayList<>()).add((double) s.nanos(i));
            }
        }
        Map<Integer, Double> ideal = new HashMap<>();
        all.forEach((kind, list) -> {
            double[] nanos = list.stream().mapToDouble(v -> v).toArray();
            String name = names.name(kind);
            boolean work = name.endsWith("-compute") || name.equals("optimizer") || name.equals("gc");
            ideal.put(kind, work ? Arrays.stream(nanos).average().orElseThrow() : Robust.median(nanos));
        });
        return ideal;
    }

    private List<Schedule> steps() {
        TraceFile file =
                new TraceFile(Shared.path("data/straggler_analysis/ST/timeline-ST.json.gz"), "timeline-ST.json.gz", 1);
        List<Operations> ranks = new ArrayList<>();
        TraceReader.read(
                file,
                names,
                part -> {
                    while (ranks.size() <= part) {
                        ranks.add(new Operations());
                    }
                    return ranks.get(part);
                },
                n -> {});
        assertThat(ranks).hasSize(WORKERS);
        List<Schedule> steps = new ArrayList<>();
        for (StepMark mark : ranks.getFirst().marks) {
            ScheduleBuilder builder = new ScheduleBuilder(1000);
            for (int rank = 0; rank < ranks.size(); rank++) {
                ranks.get(rank).addTo(builder, rank, mark.step());
            }
            steps.add(builder.build().orElseThrow());
        }
        return steps;
    }

    /** The operations of one worker. Sends and receives of one thread run beside each other: a lane for each direction. */
    private static final class Operations implements TraceEventSink {
        final List<CpuSpan> spans = new ArrayList<>();
        final List<StepMark> marks = new ArrayList<>();

        void addTo(ScheduleBuilder builder, int rank, long step) {
            StepMark mark =
                    marks.stream().filter(m -> m.step() == step).findFirst().orElseThrow();
            for (CpuSpan s : spans) {
                if (s.startNanos() >= mark.startNanos() && s.endNanos() <= mark.startNanos() + mark.durationNanos()) {
                    CollectiveCall call = s.collective();
                    boolean pair = call != null && call.op().isPointToPoint();
                    int lane = (int) s.thread() * 1000 + (pair ? 1 + s.name() : 0);
                    builder.add(rank, lane, s.name(), s.startNanos(), s.durationNanos(), meeting(rank, call));
                }
            }
        }

        private static String meeting(int rank, @Nullable CollectiveCall call) {
            if (call == null) {
                return "";
            }
            if (!call.op().isPointToPoint()) {
                return call.group() + "/" + call.sequence();
            }
            boolean sends = call.op() == CollectiveOp.SEND;
            return (sends ? rank : call.peer()) + ">" + (sends ? call.peer() : rank) + "/" + call.sequence();
        }

        @Override
        public void span(CpuSpan span) {
            spans.add(span);
        }

        @Override
        public void step(StepMark mark) {
            marks.add(mark);
        }

        @Override
        public void gpu(GpuEvent event) {}

        @Override
        public void launch(LaunchEvent event) {}

        @Override
        public void quarantine(String reason) {}
    }
}
