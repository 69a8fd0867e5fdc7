package dev.argus.trace;

import dev.argus.model.FlightRecord.Group;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The groups of one dump: what {@code pg_config} declares, and those only entries name. */
final class FlightGroups {
    private static final int MAX_GROUPS = 4096;
    static final int MAX_MEMBERS = 1 << 20;
    private static final int MAX_NAME = 200;

    private final NameTable names;
    private final List<ProcessGroup> groups = new ArrayList<>();

    /** Global ranks in the order of the group's own numbers. */
    private final List<int[]> orders = new ArrayList<>();

    private final Map<List<String>, Integer> places = new HashMap<>();
    private int listed;
    private long dropped;

    FlightGroups(@Nullable Object config, NameTable names) {
        this.names = names;
        if (config instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (value instanceof Map<?, ?> group) {
                    String name = text(group.get("name"));
                    declare(name.isEmpty() ? text(key) : name, text(group.get("desc")), group.get("ranks"));
                }
            });
        }
    }

    private int declare(String name, String description, @Nullable Object ranks) {
        List<String> id = List.of(name, description);
        Integer known = places.get(id);
        if (known != null || groups.size() >= MAX_GROUPS) {
            return known == null ? -1 : known;
        }
        long before = dropped;
        int[] order = order(ranks);
        listed += order.length;
        RankSet members = RankSet.of(order);
        boolean cut = order.length == 0 || dropped > before || text(ranks).contains("...");
        groups.add(new ProcessGroup(name, description, cut ? -1 : members.size(), members, !cut));
        orders.add(order);
        places.put(id, groups.size() - 1);
        return groups.size() - 1;
    }

    /** Ranks as a list or as its text, in their order; without those there is no room for. */
    private int[] order(@Nullable Object ranks) {
        int room = MAX_MEMBERS - listed;
        if (ranks instanceof List<?> list) {
            int[] order = list.stream()
                    .mapToLong(r -> whole(r, -1))
                    .filter(r -> r >= 0 && r < MAX_MEMBERS)
                    .limit(room)
                    .mapToInt(r -> Ids.of(r, -1))
                    .toArray();
            dropped += list.size() - order.length;
            return order;
        }
        List<Integer> found = new ArrayList<>();
        String printed = ranks instanceof String text ? text : "";
        int number = -1;
        for (int i = 0; i <= printed.length() && found.size() < room; i++) {
            char c = i < printed.length() ? printed.charAt(i) : ' ';
            if (c >= '0' && c <= '9') {
                number = number >= MAX_MEMBERS ? number : Math.max(number, 0) * 10 + (c - '0');
            } else {
                if (number >= 0 && number < MAX_MEMBERS) {
                    found.add(number);
                } else if (number >= 0) {
                    dropped++;
                }
                number = -1;
            }
        }
        dropped += found.size() >= room && !printed.isEmpty() ? 1 : 0;
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Position of the group an entry names: {@code [name, description]}, or a name alone; -1 if it names none. */
    int of(@Nullable Object processGroup) {
        if (processGroup instanceof List<?> pair && !pair.isEmpty()) {
            return declare(text(pair.getFirst()), pair.size() > 1 ? text(pair.get(1)) : "", null);
        }
        String name = text(processGroup);
        return name.isEmpty() ? -1 : declare(name, "", null);
    }

    /** Global rank of the member with this number within the group; the number itself where members are unknown. */
    int global(int group, int number) {
        int[] order = orders.get(group);
        return order.length == 0 ? -1 : number < order.length ? order[number] : -1;
    }

    int commonRank() {
        RankSet common = RankSet.EMPTY;
        boolean any = false;
        for (ProcessGroup g : groups) {
            if (g.complete()) {
                common = any ? common.intersect(g.ranks()) : g.ranks();
                any = true;
            }
        }
        return common.size() == 1 ? common.get(0) : -1;
    }

    int worldSize() {
        int world = -1;
        for (ProcessGroup g : groups) {
            if (g.complete()) {
                world = Math.max(world, g.ranks().get(g.ranks().size() - 1) + 1);
            }
        }
        return world;
    }

    /** Members that are no ranks of any job, or beyond those there is room for. */
    long dropped() {
        return dropped;
    }

    List<ProcessGroup> declared() {
        return List.copyOf(groups);
    }

    List<Group> groups() {
        List<Group> list = new ArrayList<>();
        for (ProcessGroup g : groups) {
            boolean described = !g.description().isEmpty() && !g.description().equals("undefined");
            int label = names.id(described ? g.description() : "group " + g.name());
            list.add(new Group(names.id(g.name()), label, g.ranks(), g.complete()));
        }
        return list;
    }

    static String text(@Nullable Object value) {
        String text = value instanceof String || value instanceof Long ? value.toString() : "";
        return text.length() > MAX_NAME && !text.startsWith("[") ? text.substring(0, MAX_NAME) : text;
    }

    static long whole(@Nullable Object value, long absent) {
        if (value instanceof Long number) {
            return number;
        }
        return value instanceof String text && text.matches("\\d{1,18}") ? Long.parseLong(text) : absent;
    }
}
