package dev.argus.simulator;

import dev.argus.model.CollectiveOp;
import dev.argus.simulator.Layout.Dimension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Writes what PyTorch's flight recorder of collectives leaves of a job that stands still: a dump a rank, as JSON, with the fields of version 2.
 *
 * <p>The ring holds the newest {@value #RING} calls. A call is {@code scheduled} when the CPU has made it, {@code started} when the GPU has come to it, {@code completed} when it has ended.
 * Collectives of a group are counted from 1, as if the job had begun at step 0; messages between stages are counted apart.
 */
final class FlightOutput {
    private static final int RING = 512;

    private FlightOutput() {}

    /** One file a rank into a folder, which is created; ranks whose records are missing leave none. */
    static void write(StoppedJob job, Path folder) throws IOException {
        Files.createDirectories(folder);
        Scenario scenario = job.before().scenario();
        Set<Integer> missing = scenario.damage().missingRanks(scenario);
        for (int rank = 0; rank < scenario.layout().world(); rank++) {
            if (!missing.contains(rank)) {
                Path file = folder.resolve(String.format(Locale.ROOT, "nccl_trace_rank_%d.json", rank));
                Files.writeString(file, new Dump(job, rank).text());
            }
        }
    }

    /** How far a rank came in a group. */
    private static final class Count {
        long enqueued = -1;
        long started = -1;
        long completed = -1;
    }

    private static final class Dump {
        private final StoppedJob job;
        private final Scenario scenario;
        private final int rank;
        private final List<Group> groups;
        private final Map<GroupKind, Count> counts = new EnumMap<>(GroupKind.class);
        private final List<Object> entries = new ArrayList<>();
        private long messages;

        Dump(StoppedJob job, int rank) {
            this.job = job;
            this.scenario = job.before().scenario();
            this.rank = rank;
            this.groups = KinetoRecorder.declared(scenario, rank);
        }

        String text() {
            for (RankStep step : job.last(rank)) {
                calls(step);
            }
            Map<String, Object> config = new LinkedHashMap<>();
            Map<String, Object> status = new LinkedHashMap<>();
            for (int id = 0; id < groups.size(); id++) {
                Group group = groups.get(id);
                Map<String, Object> declared = new LinkedHashMap<>();
                declared.put("name", String.valueOf(group.id()));
                declared.put("desc", group.kind().description());
                declared.put("ranks", members(group).toString());
                config.put(String.valueOf(group.id()), declared);
                Count count = counts.getOrDefault(group.kind(), new Count());
                Map<String, Object> come = new LinkedHashMap<>();
                come.put("last_enqueued_collective", count.enqueued);
                come.put("last_started_collective", count.started);
                come.put("last_completed_collective", count.completed);
                status.put(String.valueOf(id), come);
            }
            Map<String, Object> dump = new LinkedHashMap<>();
            dump.put("version", "2.10");
            dump.put("pg_config", config);
            dump.put("pg_status", status);
            dump.put("entries", entries.subList(Math.max(0, entries.size() - RING), entries.size()));
            return JsonText.of(dump) + "\n";
        }

        private static List<Integer> members(Group group) {
            return IntStream.range(0, group.size()).map(group::rank).boxed().toList();
        }

        /** The calls of a step in the order in which the CPU made them. */
        private void calls(RankStep step) {
            Op[] ops = step.program().ops;
            IntStream.range(0, ops.length)
                    .filter(i -> ops[i].type().communicates() && step.launch()[i] != RankStep.NEVER)
                    .boxed()
                    .sorted(Comparator.comparingLong(i -> step.launch()[i]))
                    .forEach(i -> call(step, i, ops[i]));
        }

        private void call(RankStep step, int at, Op op) {
            boolean message = op.type() != Op.Type.COLLECTIVE;
            GroupKind kind = message ? GroupKind.PIPELINE : op.group();
            if (kind == null) {
                return;
            }
            Group group = scenario.layout().group(rank, kind);
            int id = groups.indexOf(group);
            if (id < 0) {
                return;
            }
            boolean started = step.start()[at] != RankStep.NEVER;
            boolean done = step.end()[at] != RankStep.NEVER;
            long sequence = message
                    ? 0
                    : 1L + op.ordinal() + (long) step.step() * step.program().collectiveCount(kind);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("pg_id", id);
            entry.put(
                    "process_group",
                    List.of(String.valueOf(group.id()), group.kind().description()));
            entry.put("collective_seq_id", sequence);
            entry.put("p2p_seq_id", message ? ++messages : 0);
            entry.put("profiling_name", "nccl:" + (message ? message(op, group) : word(op.collective())));
            entry.put("time_created_ns", shown(step.launch()[at]));
            entry.put("input_sizes", List.of(List.of(Math.max(1, op.bytes() / 2))));
            entry.put("input_dtypes", List.of("BFloat16"));
            entry.put("state", done ? "completed" : started ? "started" : "scheduled");
            entry.put("time_discovered_started_ns", started ? (Object) shown(step.start()[at]) : JsonText.NULL);
            entry.put("time_discovered_completed_ns", done ? (Object) shown(step.end()[at]) : JsonText.NULL);
            entry.put("is_p2p", message);
            entries.add(entry);
            if (!message) {
                Count count = counts.computeIfAbsent(kind, k -> new Count());
                count.enqueued = Math.max(count.enqueued, sequence);
                count.started = started ? Math.max(count.started, sequence) : count.started;
                count.completed = done ? Math.max(count.completed, sequence) : count.completed;
            }
        }

        private long shown(long nanos) {
            return job.before().clocks().shown(scenario.layout().hostOf(rank), nanos);
        }

        /** Ranks of a message are positions in the pipeline's group. */
        private String message(Op op, Group group) {
            Layout layout = scenario.layout();
            int stages = layout.size(Dimension.PP);
            int stage = layout.coordinate(rank, Dimension.PP);
            boolean next = op.lane() == Lane.SEND_NEXT || op.lane() == Lane.RECV_NEXT;
            int other = members(group).indexOf(layout.atStage(rank, (stage + (next ? 1 : stages - 1)) % stages));
            int own = members(group).indexOf(rank);
            return op.type() == Op.Type.SEND ? "send " + own + "->" + other : "recv " + own + "<-" + other;
        }

        private static String word(CollectiveOp op) {
            return switch (op) {
                case ALL_GATHER -> "_all_gather_base";
                case REDUCE_SCATTER -> "_reduce_scatter_base";
                case ALL_TO_ALL, ALL_TO_ALL_V -> "all_to_all";
                default -> op.name().toLowerCase(Locale.ROOT);
            };
        }
    }
}
