package dev.argus.engine;

import dev.argus.model.Cost;
import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.model.StackRecord;
import dev.argus.model.StackRecord.Stack;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Puts processes together that do the same: whose main thread, or heaviest stack, has the same frames. The largest group is the usual one; a
 * group of at most a quarter of the processes beside a usual one of two thirds is odd.
 *
 * <p>Stacks show one moment, or a while, and nobody's progress: an odd group alone is an observation. If the usual group waits in a
 * collective and the odd one does not, the odd one is who they wait for, and what it does names the kind ({@link StackWords}).
 */
final class StackGroups {
    private static final double MOST_ODD = 0.25;
    private static final double LEAST_USUAL = 2.0 / 3;
    private static final int MIN_PROCESSES = 4;
    private static final int SAID = 8;
    private static final int FRAMES_SAID = 3;

    /** An odd one out of one moment. */
    private static final double CONFIDENCE = 0.6;

    /** Processes that do the same. */
    private record Same(List<StackRecord> records, Stack stack) {}

    private final JobShape shape;
    private final NameTable names;
    private final List<StackRecord> records;
    private final List<Same> groups;

    StackGroups(Collection<StackRecord> all, JobShape shape, NameTable names) {
        this.shape = shape;
        this.names = names;
        this.records = all.stream()
                .filter(r -> !r.stacks().isEmpty())
                .sorted(Comparator.comparingInt(StackRecord::rank).thenComparing(r -> names.name(r.process())))
                .toList();
        Map<List<Integer>, Same> same = new LinkedHashMap<>();
        for (StackRecord r : records) {
            Stack stack = r.stacks().getFirst();
            List<Integer> key = new ArrayList<>();
            for (int frame : stack.frames()) {
                key.add(frame);
            }
            same.computeIfAbsent(key, k -> new Same(new ArrayList<>(), stack))
                    .records
                    .add(r);
        }
        groups = new ArrayList<>(same.values());
        groups.sort(Comparator.comparingInt((Same g) -> -g.records.size())
                .thenComparingInt(g -> g.records.getFirst().rank())
                .thenComparing(g -> names.name(g.records.getFirst().process())));
    }

    /** What stacks say where nothing else does. */
    Concluded alone() {
        int attempt = records.isEmpty() ? 0 : records.getFirst().attempt();
        return Concluded.beside(attempt, List.of(), odd(), notes());
    }

    /** Adds what the accused were doing to what flight records say. */
    Concluded beside(Concluded said) {
        if (records.isEmpty()) {
            return said;
        }
        List<String> more = new ArrayList<>(said.notes());
        more.addAll(notes());
        List<Incident> incidents =
                said.incidents().stream().map(this::explained).toList();
        List<Incident> observations = incidents.isEmpty() ? odd() : said.observations();
        return Concluded.beside(said.attempt(), incidents, observations, more);
    }

    private Incident explained(Incident i) {
        List<Evidence> rows = new ArrayList<>(i.evidence());
        for (Same g : groups) {
            RankSet ranks = ranks(g).intersect(i.ranks());
            if (!ranks.isEmpty()) {
                rows.add(new Evidence(
                        "stack of " + (ranks.size() == 1 ? "rank " : "ranks ") + ranks + ": " + words(g.stack),
                        g.records.size(),
                        "1",
                        "processes with the same stack, of " + records.size(),
                        Double.NaN));
            }
        }
        if (rows.size() == i.evidence().size()) {
            return i;
        }
        Set<Level> levels = EnumSet.copyOf(i.levels());
        levels.add(Level.L5);
        return new Incident(
                i.id(),
                i.kind(),
                i.scope(),
                i.severity(),
                i.confidence(),
                levels,
                i.state(),
                i.sinceEpochNanos(),
                i.untilEpochNanos(),
                i.attempt(),
                i.ranks(),
                i.gpus(),
                i.hosts(),
                i.groups(),
                i.firstStep(),
                i.lastStep(),
                i.kernels(),
                i.direction(),
                i.summary(),
                i.explanation(),
                i.advice(),
                rows,
                i.cost());
    }

    // ---------------------------------------------------------------- groups in words

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (records.isEmpty()) {
            return notes;
        }
        notes.add("stacks: " + records.size() + (records.size() == 1 ? " process" : " processes") + " in "
                + groups.size() + (groups.size() == 1 ? " group" : " groups") + " of equal stacks");
        for (Same g : groups.subList(0, Math.min(SAID, groups.size()))) {
            notes.add("stacks: " + g.records.size() + " of " + records.size() + ", " + who(g) + ": " + words(g.stack)
                    + (g.records.getFirst().sampled() ? share(g) : ""));
        }
        if (groups.size() > SAID) {
            notes.add("stacks: " + (groups.size() - SAID) + " more groups");
        }
        return notes;
    }

    private static String share(Same g) {
        StackRecord r = g.records.getFirst();
        return ", " + Say.percent(g.stack.weight() / (double) Math.max(1, r.samples())) + " of its samples";
    }

    private String who(Same g) {
        RankSet ranks = ranks(g);
        if (ranks.size() == g.records.size()) {
            return (ranks.size() == 1 ? "rank " : "ranks ") + ranks;
        }
        String first = names.name(g.records.getFirst().process());
        return g.records.size() == 1 ? first : first + " and " + (g.records.size() - 1) + " more";
    }

    private static RankSet ranks(Same g) {
        return RankSet.of(g.records.stream()
                .mapToInt(StackRecord::rank)
                .filter(r -> r >= 0)
                .toArray());
    }

    /** The innermost frames. */
    private String words(Stack stack) {
        int[] frames = stack.frames();
        if (frames.length == 0) {
            return "no frames";
        }
        StringBuilder text = new StringBuilder(names.name(frames[0]));
        for (int i = 1; i < Math.min(FRAMES_SAID, frames.length); i++) {
            text.append(" < ").append(names.name(frames[i]));
        }
        return text.append(frames.length > FRAMES_SAID ? " < ..." : "").toString();
    }

    // ---------------------------------------------------------------- the odd one out

    private List<Incident> odd() {
        Map<String, Incident> found = new TreeMap<>();
        if (records.size() < MIN_PROCESSES || groups.getFirst().records.size() < LEAST_USUAL * records.size()) {
            return List.of();
        }
        Same usual = groups.getFirst();
        if (!StackWords.waits(names, usual.stack)) {
            return List.of();
        }
        for (Same g : groups.subList(1, groups.size())) {
            RankSet ranks = ranks(g);
            boolean few = g.records.size() <= Math.max(1, MOST_ODD * records.size());
            if (few && ranks.size() == g.records.size() && !StackWords.waits(names, g.stack)) {
                Incident i = odd(g, usual, ranks);
                found.put(i.id(), i);
            }
        }
        return List.copyOf(found.values());
    }

    private Incident odd(Same g, Same usual, RankSet ranks) {
        IncidentKind kind = StackWords.kind(names, g.stack);
        int attempt = g.records.getFirst().attempt();
        List<GpuRef> gpus = new ArrayList<>();
        for (int rank : ranks.toArray()) {
            String host = shape.hostOf(rank);
            gpus.add(new GpuRef(
                    rank, host.isEmpty() ? null : host, shape.gpuIndex().getOrDefault(rank, -1), null));
        }
        String subject = (ranks.size() == 1 ? "rank " : "ranks ") + ranks + (ranks.size() == 1 ? " is" : " are");
        return new Incident(
                IncidentIds.of(attempt, kind, Scope.RANK, ranks, shape.worldSize()),
                kind,
                Scope.RANK,
                Severity.INFO,
                CONFIDENCE,
                Set.of(Level.L5),
                IncidentState.ONGOING,
                0,
                null,
                attempt,
                ranks,
                gpus,
                ranks.stream()
                        .mapToObj(shape::hostOf)
                        .filter(h -> !h.isEmpty())
                        .distinct()
                        .sorted()
                        .toList(),
                List.of(),
                -1,
                -1,
                List.of(),
                null,
                subject + " in " + names.name(g.stack.frames()[0]) + ", while " + usual.records.size() + " of "
                        + records.size() + " processes wait in a collective",
                "Whoever waits in a collective waits for those who are not in it yet. Stacks show one moment: this may pass.",
                "Take the stacks again: if these ranks stand where they stood, look at what they wait for.",
                List.of(
                        new Evidence(
                                "their stack: " + words(g.stack),
                                g.records.size(),
                                "1",
                                "of " + records.size(),
                                Double.NaN),
                        new Evidence(
                                "the usual stack: " + words(usual.stack),
                                usual.records.size(),
                                "1",
                                "of " + records.size(),
                                Double.NaN)),
                Cost.NONE);
    }
}
