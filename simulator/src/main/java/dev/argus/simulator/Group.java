package dev.argus.simulator;

import dev.argus.model.RankSet;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** One process group: its members and which hosts they sit on. */
public final class Group {
    private static final int PRINTED = 30;

    private final int id;
    private final int position;
    private final GroupKind kind;
    private final int[] ranks;
    private final int[] hosts;
    private final int ranksPerHost;
    private final RankSet members;
    private final String printed;

    Group(int id, int position, GroupKind kind, int[] ranks, Layout layout) {
        this.id = id;
        this.position = position;
        this.kind = kind;
        this.ranks = ranks;
        Map<Integer, Integer> byHost = new LinkedHashMap<>();
        for (int rank : ranks) {
            byHost.merge(layout.hostOf(rank), 1, Integer::sum);
        }
        this.hosts = byHost.keySet().stream().mapToInt(h -> h).toArray();
        this.ranksPerHost = byHost.values().stream().mapToInt(n -> n).min().orElse(0);
        this.members = RankSet.of(ranks);
        this.printed = Arrays.stream(ranks)
                .limit(PRINTED)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", ", "[", ranks.length > PRINTED ? ", ...]" : "]"));
    }

    /** Number of the group in the job, which is its process-group name. */
    public int id() {
        return id;
    }

    /** Position among the groups of its kind. */
    int position() {
        return position;
    }

    /** Kind. */
    public GroupKind kind() {
        return kind;
    }

    /** Number of members. */
    public int size() {
        return ranks.length;
    }

    /** Member at a position. */
    public int rank(int at) {
        return ranks[at];
    }

    /** Members, a copy. */
    public int[] ranks() {
        return ranks.clone();
    }

    /** Members as a set: one for all who ask, for each rank of a large job knows it. */
    RankSet members() {
        return members;
    }

    /** Members as a trace prints them, cut after thirty. */
    String printed() {
        return printed;
    }

    /** Position of a member, or a negative number. */
    int indexOf(int rank) {
        return Arrays.binarySearch(ranks, rank);
    }

    /** Hosts in the order of the ring, each once. */
    int[] hosts() {
        return hosts;
    }

    /** Fewest members on one of its hosts: as many NICs carry its ring. */
    int ranksPerHost() {
        return ranksPerHost;
    }

    /** True when its ring leaves a host. */
    public boolean crossesHosts() {
        return hosts.length > 1;
    }

    /** True when a host is on the ring. */
    public boolean touches(int host) {
        for (int h : hosts) {
            if (h == host) {
                return true;
            }
        }
        return false;
    }

    /** True when two hosts are neighbours on the ring. */
    public boolean joins(int hostA, int hostB) {
        for (int i = 0; hosts.length > 1 && i < hosts.length; i++) {
            int next = hosts[(i + 1) % hosts.length];
            if ((hosts[i] == hostA && next == hostB) || (hosts[i] == hostB && next == hostA)) {
                return true;
            }
        }
        return false;
    }
}
