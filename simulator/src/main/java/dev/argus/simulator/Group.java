package dev.argus.simulator;

import java.util.Arrays;
import java.util.stream.IntStream;

/** One process group: its members and which hosts they sit on. */
public final class Group {
    private final int id;
    private final int position;
    private final GroupKind kind;
    private final int[] ranks;
    private final int[] hosts;
    private final int ranksPerHost;

    Group(int id, int position, GroupKind kind, int[] ranks, Layout layout) {
        this.id = id;
        this.position = position;
        this.kind = kind;
        this.ranks = ranks;
        this.hosts = IntStream.of(ranks).map(layout::hostOf).distinct().toArray();
        int least = ranks.length;
        for (int host : hosts) {
            least = Math.min(least, (int)
                    IntStream.of(ranks).filter(r -> layout.hostOf(r) == host).count());
        }
        this.ranksPerHost = least;
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
