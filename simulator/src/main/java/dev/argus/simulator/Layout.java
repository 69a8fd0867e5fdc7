package dev.argus.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Who runs where and who belongs to which group.
 *
 * <p>Rank = sum over the dimensions of coordinate x stride, in the given order, the first running fastest. Experts and the
 * shards of HSDP lie inside the data dimension: neighbours along it.
 */
public final class Layout {
    /** A dimension of the layout. */
    public enum Dimension {
        TP,
        CP,
        DP,
        PP
    }

    private final List<Dimension> order;
    private final int[] sizes;
    private final int expert;
    private final int shard;
    private final int gpusPerHost;
    private final int world;
    private final int[] slots;
    private final List<String> hostNames;
    private final int[][] ranksOn;
    private final List<List<Group>> groups = new ArrayList<>();
    private final List<int[]> groupOf = new ArrayList<>();

    private Layout(Builder builder) {
        this.order = List.copyOf(builder.order);
        this.sizes = builder.sizes.clone();
        this.expert = builder.expert;
        this.shard = builder.shard == 0 ? size(Dimension.DP) : builder.shard;
        this.gpusPerHost = builder.gpusPerHost;
        this.world = IntStream.of(sizes).reduce(1, (a, b) -> a * b);
        requireDivisor("expert", expert, size(Dimension.DP) * size(Dimension.CP));
        requireDivisor("shard", shard, size(Dimension.DP));
        int hosts = (world + gpusPerHost - 1) / gpusPerHost;
        this.slots = builder.scattered
                ? IntStream.range(0, world)
                        .map(r -> (r % hosts) * gpusPerHost + r / hosts)
                        .toArray()
                : IntStream.range(0, world).toArray();
        this.hostNames = names(builder.hostStyle, hosts, builder.nameSeed);
        this.ranksOn = byHost();
        buildGroups();
    }

    /** The same job on the same hosts after a restart: its ranks moved on by one host. */
    private Layout(Layout before) {
        this.order = before.order;
        this.sizes = before.sizes;
        this.expert = before.expert;
        this.shard = before.shard;
        this.gpusPerHost = before.gpusPerHost;
        this.world = before.world;
        this.hostNames = before.hostNames;
        int all = hostNames.size() * gpusPerHost;
        this.slots = IntStream.of(before.slots)
                .map(slot -> hostNames.size() > 1 ? (slot + gpusPerHost) % all : (slot + 1) % all)
                .toArray();
        this.ranksOn = byHost();
        buildGroups();
    }

    /** The layout after a restart: the same GPUs have other ranks. */
    Layout restarted() {
        return new Layout(this);
    }

    /** The rank that runs where another one runs in another layout of the same hosts; -1 when none does. */
    int rankWhere(Layout other, int rank) {
        return IntStream.range(0, world)
                .filter(r -> slots[r] == other.slots[rank])
                .findFirst()
                .orElse(-1);
    }

    private static void requireDivisor(String what, int part, int whole) {
        if (whole % part != 0) {
            throw new IllegalArgumentException(what + " is " + part + ", must divide " + whole);
        }
    }

    /** Starts a layout in Megatron's default order: TP fastest, then CP, DP, PP. */
    public static Builder builder() {
        return new Builder();
    }

    private static List<String> names(int style, int hosts, long seed) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < hosts * 2 + 30; i++) {
            numbers.add(i);
        }
        Collections.shuffle(numbers, new Random(seed));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            int n = numbers.get(i);
            names.add(
                    switch (style & 3) {
                        case 0 -> "host" + i;
                        case 1 -> String.format(Locale.ROOT, "node-%04d", n);
                        case 2 -> "10.14." + n / 200 + "." + (20 + n % 200);
                        default -> "gpu-r" + n / 16 + "-h" + n % 16;
                    });
        }
        return names;
    }

    private int[][] byHost() {
        int[] counts = new int[hostNames.size()];
        for (int rank = 0; rank < world; rank++) {
            counts[hostOf(rank)]++;
        }
        int[][] ranks = new int[counts.length][];
        Arrays.setAll(ranks, host -> new int[counts[host]]);
        for (int rank = world - 1; rank >= 0; rank--) {
            int host = hostOf(rank);
            ranks[host][--counts[host]] = rank;
        }
        return ranks;
    }

    private void buildGroups() {
        List<Map<Long, List<Integer>>> byKey = new ArrayList<>();
        for (int i = 0; i < GroupKind.values().length; i++) {
            byKey.add(new TreeMap<>());
        }
        for (int rank = 0; rank < world; rank++) {
            long tp = coordinate(rank, Dimension.TP);
            long cp = coordinate(rank, Dimension.CP);
            long data = coordinate(rank, Dimension.DP);
            long pp = coordinate(rank, Dimension.PP);
            long flat = cp + size(Dimension.CP) * data;
            long rest = tp + size(Dimension.TP) * pp;
            put(byKey, GroupKind.WORLD, 0, rank);
            put(byKey, GroupKind.TENSOR, key(flat, pp, 0), rank);
            put(byKey, GroupKind.CONTEXT, key(rest, data, 0), rank);
            put(byKey, GroupKind.DATA, rest, rank);
            put(byKey, GroupKind.SHARD, key(rest, data / shard, cp), rank);
            put(byKey, GroupKind.REPLICATE, key(rest, data % shard, cp), rank);
            put(byKey, GroupKind.EXPERT, key(rest, flat / expert, 0), rank);
            put(byKey, GroupKind.EXPERT_DATA, key(rest, flat % expert, 0), rank);
            put(byKey, GroupKind.PIPELINE, key(tp, flat, 0), rank);
        }
        int id = 0;
        for (GroupKind kind : GroupKind.values()) {
            int[] own = new int[world];
            List<Group> list = new ArrayList<>();
            for (List<Integer> members : byKey.get(kind.ordinal()).values()) {
                Group group = new Group(
                        id++,
                        list.size(),
                        kind,
                        members.stream().mapToInt(i -> i).toArray(),
                        this);
                for (int member : members) {
                    own[member] = list.size();
                }
                list.add(group);
            }
            groups.add(list);
            groupOf.add(own);
        }
    }

    private static long key(long a, long b, long c) {
        return (a << 42) | (b << 21) | c;
    }

    private static void put(List<Map<Long, List<Integer>>> map, GroupKind kind, long key, int rank) {
        map.get(kind.ordinal()).computeIfAbsent(key, k -> new ArrayList<>()).add(rank);
    }

    /** Number of ranks. */
    public int world() {
        return world;
    }

    /** Size of a dimension. */
    public int size(Dimension dimension) {
        return sizes[dimension.ordinal()];
    }

    /** Ranks that share their experts' tokens. */
    public int expert() {
        return expert;
    }

    /** Ranks of the data dimension that shard the weights among them. */
    public int shard() {
        return shard;
    }

    /** GPUs on a host. */
    public int gpusPerHost() {
        return gpusPerHost;
    }

    /** Dimensions, fastest first. */
    public List<Dimension> order() {
        return order;
    }

    /** Coordinate of a rank. */
    public int coordinate(int rank, Dimension dimension) {
        int stride = 1;
        for (Dimension d : order) {
            if (d == dimension) {
                return rank / stride % size(d);
            }
            stride *= size(d);
        }
        throw new IllegalArgumentException("no dimension " + dimension);
    }

    /** The rank that differs from a given one in its pipeline stage only. */
    int atStage(int rank, int stage) {
        int stride = 1;
        for (Dimension d : order) {
            if (d == Dimension.PP) {
                break;
            }
            stride *= size(d);
        }
        return rank + (stage - coordinate(rank, Dimension.PP)) * stride;
    }

    /** Number of hosts. */
    public int hosts() {
        return hostNames.size();
    }

    /** Position of the rank's host. */
    public int hostOf(int rank) {
        return slots[rank] / gpusPerHost;
    }

    /** GPU index of the rank on its host. */
    public int gpuOf(int rank) {
        return slots[rank] % gpusPerHost;
    }

    /** Name of a host. */
    public String hostName(int host) {
        return hostNames.get(host);
    }

    /** Ranks on a host, ascending. */
    public int[] ranksOn(int host) {
        return ranksOn[host].clone();
    }

    /** All groups of a kind. */
    public List<Group> groups(GroupKind kind) {
        return groups.get(kind.ordinal());
    }

    /** The group of a kind that a rank belongs to. */
    public Group group(int rank, GroupKind kind) {
        return groups.get(kind.ordinal()).get(groupOf.get(kind.ordinal())[rank]);
    }

    /** Ranks that do the same work as the given one: its pipeline stage. */
    public int[] stagePeers(int rank) {
        int stage = coordinate(rank, Dimension.PP);
        return IntStream.range(0, world)
                .filter(r -> coordinate(r, Dimension.PP) == stage)
                .toArray();
    }

    /** For people: {@code 32 ranks, tp2 dp4 pp4}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(world).append(" ranks,");
        for (Dimension d : order) {
            if (size(d) > 1) {
                text.append(' ').append(d.name().toLowerCase(Locale.ROOT)).append(size(d));
            }
        }
        return expert > 1 ? text.append(" ep").append(expert).toString() : text.toString();
    }

    /** Collects the sizes; everything not given is 1, hosts have 8 GPUs. */
    public static final class Builder {
        private List<Dimension> order = List.of(Dimension.TP, Dimension.CP, Dimension.DP, Dimension.PP);
        private final int[] sizes = new int[Dimension.values().length];
        private int expert = 1;
        private int shard;
        private int gpusPerHost = 8;
        private boolean scattered;
        private int hostStyle;
        private long nameSeed;

        private Builder() {
            Arrays.fill(sizes, 1);
        }

        /** Size of a dimension. */
        public Builder size(Dimension dimension, int size) {
            sizes[dimension.ordinal()] = size;
            return this;
        }

        /** Order of the dimensions, fastest first; all four. */
        public Builder order(List<Dimension> fastestFirst) {
            if (fastestFirst.stream().distinct().count() != Dimension.values().length) {
                throw new IllegalArgumentException("order is " + fastestFirst + ", must name TP, CP, DP, PP once each");
            }
            this.order = fastestFirst;
            return this;
        }

        /** Ranks that share experts. */
        public Builder expert(int ranks) {
            this.expert = ranks;
            return this;
        }

        /** Ranks that share the shards of the weights (HSDP). */
        public Builder shard(int ranks) {
            this.shard = ranks;
            return this;
        }

        /** GPUs on a host. */
        public Builder gpusPerHost(int gpus) {
            this.gpusPerHost = gpus;
            return this;
        }

        /** Neighbouring ranks on different hosts, as some launchers place them; needs full hosts. */
        public Builder scattered(boolean on) {
            this.scattered = on;
            return this;
        }

        /** How hosts are called. */
        public Builder hostNames(int style, long seed) {
            this.hostStyle = style;
            this.nameSeed = seed;
            return this;
        }

        /** The layout. */
        public Layout build() {
            return new Layout(this);
        }
    }
}
