package dev.argus.hostlocal.live;

import dev.argus.digest.JobBuilder;
import dev.argus.model.GroupUse;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.TraceHeader;
import dev.argus.wire.RankDeclarationCodec;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who the ranks of an attempt say they are. Each of them lists the members of its groups, the same sets again and again (of 12,960 ranks, 52 KB each for the group of all): they
 * are kept once.
 *
 * <p>State: one declaration a rank. Cost: comparing a declaration with the one before, O(members of its groups).
 */
final class Declared {
    private final Map<Integer, RankDeclaration> ranks = new TreeMap<>();
    private final Shared<RankSet> sets = new Shared<>();
    private int world;

    /** Takes a declaration; true if the shape of the job may have become another one. */
    boolean put(RankDeclaration declaration) {
        RankDeclaration before = ranks.get(declaration.rank());
        ranks.put(declaration.rank(), shared(declaration, before));
        world = Math.max(world, declaration.header().worldSize());
        return before == null || !same(before, declaration);
    }

    private RankDeclaration shared(RankDeclaration d, @Nullable RankDeclaration before) {
        TraceHeader h = d.header();
        if (before != null && before.header().equals(h)) {
            h = before.header();
        } else {
            List<ProcessGroup> groups = h.groups().stream()
                    .map(g -> new ProcessGroup(g.name(), g.description(), g.size(), sets.of(g.ranks()), g.complete()))
                    .toList();
            h = new TraceHeader(
                    h.rank(),
                    h.worldSize(),
                    h.host(),
                    h.backend(),
                    groups,
                    h.gpuModel(),
                    h.gpusPerHost(),
                    h.jobName(),
                    h.software());
        }
        return new RankDeclaration(
                d.attempt(),
                d.rank(),
                h,
                d.gpuIndex(),
                d.gpuUuid(),
                d.gpu(),
                d.groups(),
                d.trails(),
                d.workSignature());
    }

    /** Calls made are no difference; whom a rank meets is. */
    private static boolean same(RankDeclaration a, RankDeclaration b) {
        if (a.gpuIndex() != b.gpuIndex()
                || a.workSignature() != b.workSignature()
                || a.groups().size() != b.groups().size()
                || !a.header().equals(b.header())) {
            return false;
        }
        for (int i = 0; i < a.groups().size(); i++) {
            GroupUse x = a.groups().get(i);
            GroupUse y = b.groups().get(i);
            if (x.group() != y.group() || x.members() != y.members() || x.size() != y.size()) {
                return false;
            }
        }
        return true;
    }

    /** What a rank said last; null when nothing. */
    @Nullable
    RankDeclaration of(int rank) {
        return ranks.get(rank);
    }

    /** Forgets what a rank said. */
    void remove(int rank) {
        ranks.remove(rank);
    }

    void clear() {
        ranks.clear();
        sets.clear();
        world = 0;
    }

    boolean isEmpty() {
        return ranks.isEmpty();
    }

    int size() {
        return ranks.size();
    }

    boolean contains(int rank) {
        return ranks.containsKey(rank);
    }

    /** The ranks, ascending. */
    Set<Integer> ranks() {
        return Collections.unmodifiableSet(ranks.keySet());
    }

    /** What each of them said last. */
    Collection<RankDeclaration> all() {
        return Collections.unmodifiableCollection(ranks.values());
    }

    /** Ranks the job has, as far as any has said. */
    int world() {
        return world;
    }

    /** Says everything to whoever puts it together. */
    void tell(JobBuilder builder) {
        ranks.values().forEach(builder::add);
    }

    // ---------------------------------------------------------------- state

    void encode(SnapshotOut out) {
        WireWriter to = out.to();
        to.writeSigned(world).writeVarint(ranks.size());
        ranks.values().forEach(d -> {
            RankDeclarationCodec.encode(d, to);
            out.written();
        });
    }

    static Declared decode(WireReader from) {
        Declared declared = new Declared();
        int world = from.readSignedInt();
        for (int n = from.readCount(10); n > 0; n--) {
            declared.put(RankDeclarationCodec.decode(from, Codecs.MOST_MEMBERS));
        }
        declared.world = world;
        return declared;
    }
}
