package dev.argus.wire;

import dev.argus.model.JobShape;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.model.Topology.Dimension;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The shape of an attempt, by the name ids of its process, as a job keeps it over a restart: detectors hold numbers of its groups and peer sets, so it is kept as it is and not made again.
 *
 * <pre>
 * attempt(s) world(s) ranks   n  n x text                                            texts: hosts, models
 * n  n x { rank, to the one before; text }    hosts; models likewise;   n  n x { rank, to the one before; index(s) }    GPU indices
 * n  n x { dimension:text size }  source:text                                        layout
 * n  n x { dimension:text ranks }                                                    groups
 * n  n x { rank, to the one before;  n  n x { name(s) group } }                      who calls which group how
 * n  n x { label:text ranks }                                                        peer sets
 * </pre>
 *
 * <p>Varints, (s) zigzag; sets of ranks as {@link RankDeclarationCodec} has them. About 20 bytes a rank.
 */
public final class JobShapeCodec {
    private static final int MOST_RANKS = 1 << 20;

    private JobShapeCodec() {}

    /** Appends a shape. */
    public static void encode(JobShape s, WireWriter to) {
        to.writeSigned(s.attempt()).writeSigned(s.worldSize());
        RankDeclarationCodec.ranks(s.ranks(), to);
        Map<String, Integer> texts = new LinkedHashMap<>();
        new TreeMap<>(s.hosts()).values().forEach(t -> texts.putIfAbsent(t, texts.size()));
        new TreeMap<>(s.gpuModels()).values().forEach(t -> texts.putIfAbsent(t, texts.size()));
        to.writeVarint(texts.size());
        texts.keySet().forEach(to::writeText);
        byRank(s.hosts(), (t, w) -> w.writeVarint(texts.getOrDefault(t, 0)), to);
        byRank(s.gpuModels(), (t, w) -> w.writeVarint(texts.getOrDefault(t, 0)), to);
        byRank(s.gpuIndex(), (i, w) -> w.writeSigned(i), to);
        IncidentCodec.list(
                s.topology().dimensions(), (d, w) -> w.writeText(d.name()).writeVarint(d.size()), to);
        to.writeText(s.topology().source());
        IncidentCodec.list(s.groups(), (g, w) -> RankDeclarationCodec.ranks(g.ranks(), w.writeText(g.dimension())), to);
        byRank(
                s.groupOf(),
                (own, w) -> {
                    w.writeVarint(own.size());
                    new TreeMap<>(own)
                            .forEach((name, group) -> w.writeSigned(name).writeVarint(group));
                },
                to);
        to.writeVarint(s.peerSets().size());
        for (int i = 0; i < s.peerSets().size(); i++) {
            RankDeclarationCodec.ranks(
                    s.peerSets().get(i), to.writeText(s.peerLabels().get(i)));
        }
    }

    private interface Write<T> {
        void to(T value, WireWriter to);
    }

    private interface Read<T> {
        T from(WireReader from);
    }

    private static <T> void byRank(Map<Integer, T> map, Write<T> value, WireWriter to) {
        to.writeVarint(map.size());
        int[] before = {0};
        new TreeMap<>(map).forEach((rank, v) -> {
            value.to(v, to.writeVarint(rank - before[0]));
            before[0] = rank;
        });
    }

    private static <T> Map<Integer, T> byRank(Read<T> value, WireReader from) {
        int n = from.readCount(2);
        Map<Integer, T> map = HashMap.newHashMap(n);
        long rank = 0;
        for (int i = 0; i < n; i++) {
            long apart = from.readInt();
            rank += apart;
            require(rank < MOST_RANKS && (i == 0 || apart > 0), "rank " + rank);
            map.put((int) rank, value.from(from));
        }
        return map;
    }

    /**
     * Reads a shape.
     *
     * @param from bytes
     * @param mostMembers ranks that all its groups and peer sets may have together, for runs say many in few bytes
     * @throws WireException if the bytes are not what {@link #encode} writes
     */
    public static JobShape decode(WireReader from, long mostMembers) {
        int attempt = from.readSignedInt();
        int world = from.readSignedInt();
        long[] left = {mostMembers};
        RankSet ranks = ranks(from, left);
        List<String> texts = IncidentCodec.list(1, WireReader::readText, from);
        Map<Integer, String> hosts = byRank(r -> text(texts, r), from);
        Map<Integer, String> models = byRank(r -> text(texts, r), from);
        Map<Integer, Integer> gpus = byRank(WireReader::readSignedInt, from);
        Topology topology = topology(from);
        List<ParallelGroup> groups = IncidentCodec.list(2, r -> new ParallelGroup(r.readText(), ranks(r, left)), from);
        Map<Integer, Map<Integer, Integer>> groupOf = byRank(r -> own(r, groups.size()), from);
        int n = from.readCount(2);
        List<RankSet> sets = new ArrayList<>(n);
        List<String> labels = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            labels.add(from.readText());
            sets.add(ranks(from, left));
        }
        return new JobShape(attempt, world, ranks, hosts, gpus, models, topology, groups, groupOf, sets, labels);
    }

    private static RankSet ranks(WireReader from, long[] left) {
        RankSet set = RankDeclarationCodec.ranks(from, left[0]);
        left[0] -= set.size();
        return set;
    }

    private static String text(List<String> texts, WireReader from) {
        int at = from.readInt();
        require(at < texts.size(), "text " + at + " of " + texts.size());
        return texts.get(at);
    }

    private static Map<Integer, Integer> own(WireReader from, int groups) {
        int n = from.readCount(2);
        Map<Integer, Integer> own = HashMap.newHashMap(n);
        for (int i = 0; i < n; i++) {
            int name = from.readSignedInt();
            int group = from.readInt();
            require(group < groups, "group " + group + " of " + groups);
            own.put(name, group);
        }
        return own;
    }

    private static Topology topology(WireReader from) {
        long[] product = {1};
        List<Dimension> dimensions = IncidentCodec.list(
                2,
                r -> {
                    Dimension d = new Dimension(r.readText(), r.readInt());
                    product[0] *= d.size();
                    require(d.size() > 0 && product[0] <= Integer.MAX_VALUE, "dimension of size " + d.size());
                    return d;
                },
                from);
        return new Topology(dimensions, from.readText());
    }

    private static void require(boolean holds, String found) {
        if (!holds) {
            throw new WireException("shape of a job: " + found + "; the bytes are damaged");
        }
    }
}
