package dev.argus.trace.export;

import dev.argus.model.CollectiveCall;
import dev.argus.model.NameTable;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Ids of collectives that every member finds by itself: a hash of attempt, the group's name and members, and the number of the call.
 * A name alone does not do, for the same name is another group on another rank; nor does a call without number, nor one between two
 * ranks, whose numbers each side counts for itself. Two instances have one id with a chance of 2^-64 a pair.
 */
final class CallFlows {
    private static final int MAX_GROUPS = 1 << 16;

    private final NameTable names;
    private final int attempt;
    private final List<ProcessGroup> declared;
    private final Map<Long, Long> groups = new HashMap<>();

    CallFlows(NameTable names, int attempt, List<ProcessGroup> declared) {
        this.names = names;
        this.attempt = attempt;
        this.declared = declared;
    }

    SliceDetail detail(CollectiveCall call) {
        String group = call.group() < 0 ? "" : names.name(call.group());
        return new SliceDetail(flow(call, group), call.op().name(), group, call.sequence(), call.bytes());
    }

    private long flow(CollectiveCall call, String group) {
        if (group.isEmpty() || call.sequence() < 0 || call.op().isPointToPoint()) {
            return 0;
        }
        long key = ((long) call.group() << 32) | (call.members() & 0xFFFFFFFFL);
        Long known = groups.get(key);
        if (known == null) {
            known = identity(call, group);
            if (groups.size() < MAX_GROUPS) {
                groups.put(key, known);
            }
        }
        return known == 0 ? 0 : nonZero(mix(known + call.sequence() * 0x9E3779B97F4A7C15L));
    }

    private long identity(CollectiveCall call, String group) {
        String members = call.members() < 0 ? members(group) : printed(names.name(call.members()));
        return members.isEmpty() ? 0 : nonZero(hash(hash(mix(attempt + 1L), group), members));
    }

    private String members(String group) {
        for (ProcessGroup g : declared) {
            if (g.name().equals(group) && g.complete()) {
                return text(g.ranks());
            }
        }
        return "";
    }

    private static String text(RankSet ranks) {
        return ranks.stream().mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    /** As printed, without brackets and spaces. */
    private static String printed(String list) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            if (c == ',' || c == '.' || (c >= '0' && c <= '9')) {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static long hash(long seed, String text) {
        long h = seed;
        for (int i = 0; i < text.length(); i++) {
            h = mix(h + text.charAt(i) + 0x9E3779B97F4A7C15L);
        }
        return mix(h + text.length());
    }

    private static long nonZero(long id) {
        return id == 0 ? 1 : id;
    }

    /** The finaliser of SplitMix64. */
    private static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
