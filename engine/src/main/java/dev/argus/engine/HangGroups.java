package dev.argus.engine;

import dev.argus.engine.HangGroup.Progress;
import dev.argus.model.FlightRecord;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.FlightRecord.Group;
import dev.argus.model.FlightRecord.Status;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts flight records of many ranks together by group: a group is its label and its set of members.
 *
 * <p>A status whose group the rank's own ring does not tell (an empty ring, or none of its calls open) is placed by order: local ids are
 * given in the order in which a rank makes its groups, and so are the names that count up over the job. This is used only where a rank
 * has as many statuses as groups and all names are numbers, and only if it agrees with every pair of id and group that any ring of the
 * job tells, and with one at least.
 */
final class HangGroups {
    private static final Pattern MESH = Pattern.compile("(?i)mesh_\\w{1,7}");

    private final Map<Integer, FlightRecord> records;
    private final NameTable names;
    private final Map<List<Object>, HangGroup> groups = new LinkedHashMap<>();
    private final boolean ordered;
    private final boolean watched;
    private final TreeSet<Integer> behindOwnWork = new TreeSet<>();

    /** @param watched true for records of ranks that are being watched, which say more than dumps: {@link #known}, which calls have begun, and numbers of sends and receives */
    HangGroups(Map<Integer, FlightRecord> records, NameTable names, boolean watched) {
        this.watched = watched;
        this.records = records;
        this.names = names;
        this.ordered = ordersAgree();
        records.values().forEach(this::add);
    }

    /** All groups of two members or more. */
    List<HangGroup> list() {
        return groups.values().stream().filter(g -> g.members.size() > 1).toList();
    }

    /** True if nothing tells how far a rank came. */
    boolean unknown(int rank) {
        FlightRecord record = records.get(rank);
        return record == null
                || groups.values().stream().noneMatch(g -> {
                    Progress p = g.progress.get(rank);
                    return p != null && p.told();
                });
    }

    /** True if the ends of all calls on record are known: none is open only because nobody has said yet that it ended. */
    boolean known(int rank) {
        FlightRecord record = records.get(rank);
        return watched
                && record != null
                && record.calls().stream().allMatch(c -> c.createdNanos() <= record.lastNanos());
    }

    /** True if what ranks say is of one moment, and numbers of sends and receives count alike on both sides. */
    boolean watched() {
        return watched;
    }

    /** Ranks whose GPU has begun none of the calls it has been given: work of its own before them does not end. */
    RankSet behindOwnWork() {
        return RankSet.of(behindOwnWork.stream().mapToInt(r -> r).toArray());
    }

    private void add(FlightRecord record) {
        boolean known = known(record.rank());
        boolean behind =
                known && !record.calls().isEmpty() && record.calls().stream().noneMatch(Call::started);
        if (behind) {
            behindOwnWork.add(record.rank());
        }
        Map<Integer, Integer> order = ordered ? byOrder(record) : Map.of();
        for (int g = 0; g < record.groups().size(); g++) {
            Group declared = record.groups().get(g);
            HangGroup group = group(declared, record.rank());
            long enqueued = Progress.UNKNOWN;
            long completed = -1;
            long first = -1;
            for (Status s : record.statuses()) {
                if (groupOf(s, order) == g) {
                    enqueued = s.enqueued() < 0 ? Progress.UNKNOWN : s.enqueued();
                    completed = s.completed();
                    first = s.first();
                    group.pointToPoint |= s.pointToPoint();
                }
            }
            List<Call> collectives = new ArrayList<>();
            List<Call> pairs = new ArrayList<>();
            for (Call call : record.calls()) {
                if (call.group() == g) {
                    (call.pointToPoint() ? pairs : collectives).add(call);
                }
            }
            if (enqueued != Progress.UNKNOWN || !pairs.isEmpty() || !collectives.isEmpty()) {
                boolean notBegun = behind
                        && !collectives.isEmpty()
                        && collectives.getFirst().sequence() >= 0;
                long reached =
                        notBegun ? Math.min(enqueued, collectives.getFirst().sequence() - 1) : enqueued;
                group.progress.put(
                        record.rank(),
                        new Progress(
                                reached,
                                known ? waitsIn(collectives) : collectives.isEmpty() ? -1 : enqueued,
                                completed,
                                first,
                                collectives,
                                pairs));
            }
        }
    }

    /** A GPU that is given many calls waits in the one it has begun, not in the last. Who does not tell which has begun waits in the last. */
    private static long waitsIn(List<Call> open) {
        long last = -1;
        for (Call call : open) {
            last = call.started() ? Math.max(last, call.sequence()) : last;
        }
        return last;
    }

    /** The job's group that a rank declares; a cut list of members is completed by those who declare the same. */
    private HangGroup group(Group declared, int rank) {
        String label = names.name(declared.label());
        List<Object> key =
                List.of(label, declared.complete() ? declared.members() : names.name(declared.name()) + "#cut");
        HangGroup group = groups.computeIfAbsent(key, k -> new HangGroup(shown(label), declared.members()));
        if (!group.members.contains(rank)) {
            group.members = group.members.union(declared.members()).union(RankSet.of(rank));
        }
        return group;
    }

    /** A device mesh calls the group of its dimension {@code mesh_dp}: people call it dp. */
    private static String shown(String label) {
        return MESH.matcher(label).matches() ? label.substring("mesh_".length()).toLowerCase(Locale.ROOT) : label;
    }

    // ---------------------------------------------------------------- local ids

    private static int groupOf(Status status, Map<Integer, Integer> order) {
        return status.group() >= 0 ? status.group() : order.getOrDefault(status.localId(), status.group());
    }

    /** True if placing ids by order contradicts no ring and is confirmed by one. */
    private boolean ordersAgree() {
        boolean confirmed = false;
        for (FlightRecord record : records.values()) {
            Map<Integer, Integer> order = byOrder(record);
            for (Status s : record.statuses()) {
                Integer placed = order.get(s.localId());
                if (placed != null && s.group() >= 0) {
                    if (placed != s.group()) {
                        return false;
                    }
                    confirmed = true;
                }
            }
        }
        return confirmed;
    }

    /** Local id to position of the group, empty where order tells nothing. */
    private Map<Integer, Integer> byOrder(FlightRecord record) {
        Map<Integer, Integer> map = new HashMap<>();
        int n = record.groups().size();
        if (n == 0 || record.statuses().size() != n) {
            return map;
        }
        List<long[]> places = new ArrayList<>();
        for (int g = 0; g < n; g++) {
            Long number = number(names.name(record.groups().get(g).name()));
            if (number == null) {
                return map;
            }
            places.add(new long[] {number, g});
        }
        places.sort(Comparator.comparingLong(p -> p[0]));
        List<Status> statuses = new ArrayList<>(record.statuses());
        statuses.sort(Comparator.comparingInt(Status::localId));
        for (int i = 0; i < n; i++) {
            map.put(statuses.get(i).localId(), (int) places.get(i)[1]);
        }
        return map;
    }

    private static @Nullable Long number(String name) {
        return name.matches("\\d{1,9}") ? Long.valueOf(name) : null;
    }
}
