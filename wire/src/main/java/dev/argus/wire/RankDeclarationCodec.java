package dev.argus.wire;

import dev.argus.model.CommunicatorTrail;
import dev.argus.model.GroupUse;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankSet;
import dev.argus.model.TraceHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a rank declares. Once an attempt and rank, so texts stand as they are.
 *
 * <pre>
 * attempt rank(s) gpuIndex(s) gpuUuid:text gpu:byte signature(s)
 * header: rank(s) world(s) host:text backend:text gpuModel:text gpusPerHost(s) job:text
 *         n  n x { name:text version:text }                      software, ascending by name
 *         n  n x { name:text description:text size(s) complete:byte ranks }
 * n  n x { group(s) members(s) size(s) calls pointToPoint:byte }
 * n  n x { group(s) pairs:byte  n  n x { step(s) calls(s) operations(s)  n  n x end(s) } }
 * ranks:  n  n x { begin, to the end before; length - 1 }        runs of consecutive ranks, ascending, not adjoining
 * </pre>
 *
 * <p>Varints throughout, (s) zigzag.
 */
public final class RankDeclarationCodec {
    private static final RecordCodec<GroupUse> USE = new RecordCodec<>(GroupUse.class);
    private static final RecordCodec<CommunicatorTrail.Step> STEP = new RecordCodec<>(CommunicatorTrail.Step.class);

    private RankDeclarationCodec() {}

    /** Appends a declaration. */
    public static void encode(RankDeclaration d, WireWriter to) {
        to.writeVarint(d.attempt())
                .writeSigned(d.rank())
                .writeSigned(d.gpuIndex())
                .writeText(d.gpuUuid())
                .writeByte(d.gpu() ? 1 : 0)
                .writeSigned(d.workSignature());
        TraceHeader h = d.header();
        to.writeSigned(h.rank())
                .writeSigned(h.worldSize())
                .writeText(h.host())
                .writeText(h.backend())
                .writeText(h.gpuModel())
                .writeSigned(h.gpusPerHost())
                .writeText(h.jobName());
        to.writeVarint(h.software().size());
        new TreeMap<>(h.software())
                .forEach((name, version) -> to.writeText(name).writeText(version));
        to.writeVarint(h.groups().size());
        for (ProcessGroup g : h.groups()) {
            to.writeText(g.name())
                    .writeText(g.description())
                    .writeSigned(g.size())
                    .writeByte(g.complete() ? 1 : 0);
            ranks(g.ranks(), to);
        }
        FlightRecordCodec.write(d.groups(), USE, to);
        to.writeVarint(d.trails().size());
        for (CommunicatorTrail t : d.trails()) {
            to.writeSigned(t.group()).writeByte(t.pairs() ? 1 : 0);
            FlightRecordCodec.write(t.steps(), STEP, to);
        }
    }

    /**
     * Reads a declaration.
     *
     * @param from bytes
     * @param mostMembers ranks that all its groups may have together, for runs say many in few bytes
     * @throws WireException if the bytes are not what {@link #encode} writes
     */
    public static RankDeclaration decode(WireReader from, long mostMembers) {
        int attempt = from.readInt();
        int rank = from.readSignedInt();
        int gpuIndex = from.readSignedInt();
        String uuid = from.readText();
        boolean gpu = from.readFlags(1) != 0;
        long signature = from.readSigned();
        TraceHeader header = header(from, mostMembers);
        List<GroupUse> groups = FlightRecordCodec.read(USE, 5, from);
        int n = from.readCount(3);
        List<CommunicatorTrail> trails = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            int group = from.readSignedInt();
            boolean pairs = from.readFlags(1) != 0;
            List<CommunicatorTrail.Step> steps = FlightRecordCodec.read(STEP, 4, from);
            boolean within = steps.size() <= CommunicatorTrail.MOST_STEPS
                    && steps.stream().allMatch(s -> s.ends().length <= CommunicatorTrail.MOST_CALLS);
            if (!within) {
                throw new WireException("trail of " + steps.size() + " steps, expected at most "
                        + CommunicatorTrail.MOST_STEPS + " of " + CommunicatorTrail.MOST_CALLS + " ends");
            }
            trails.add(new CommunicatorTrail(group, pairs, List.copyOf(steps)));
        }
        return new RankDeclaration(attempt, rank, header, gpuIndex, uuid, gpu, groups, trails, signature);
    }

    private static TraceHeader header(WireReader from, long mostMembers) {
        int rank = from.readSignedInt();
        int world = from.readSignedInt();
        String host = from.readText();
        String backend = from.readText();
        String model = from.readText();
        int gpus = from.readSignedInt();
        String job = from.readText();
        Map<String, String> software = new TreeMap<>();
        for (int n = from.readCount(2); n > 0; n--) {
            software.put(from.readText(), from.readText());
        }
        int n = from.readCount(5);
        List<ProcessGroup> groups = new ArrayList<>(n);
        long members = 0;
        for (int i = 0; i < n; i++) {
            String name = from.readText();
            String description = from.readText();
            int size = from.readSignedInt();
            boolean complete = from.readFlags(1) != 0;
            RankSet ranks = ranks(from, mostMembers - members);
            members += ranks.size();
            groups.add(new ProcessGroup(name, description, size, ranks, complete));
        }
        return new TraceHeader(rank, world, host, backend, List.copyOf(groups), model, gpus, job, Map.copyOf(software));
    }

    /** Ranks of all groups together. */
    static long members(RankDeclaration d) {
        return d.header().groups().stream().mapToLong(g -> g.ranks().size()).sum();
    }

    /** Appends a set of ranks as runs. */
    static void ranks(RankSet set, WireWriter to) {
        int[] ranks = set.toArray();
        if (ranks.length > 0 && ranks[0] < 0) {
            throw new IllegalArgumentException("rank " + ranks[0] + " in a set, expected 0 or more");
        }
        int runs = 0;
        for (int i = 0; i < ranks.length; i++) {
            runs += i == 0 || ranks[i] != ranks[i - 1] + 1 ? 1 : 0;
        }
        to.writeVarint(runs);
        int end = 0;
        for (int i = 0; i < ranks.length; ) {
            int j = i;
            while (j + 1 < ranks.length && ranks[j + 1] == ranks[j] + 1) {
                j++;
            }
            to.writeVarint(ranks[i] - end).writeVarint(j - i);
            end = ranks[j] + 1;
            i = j + 1;
        }
    }

    /**
     * Reads a set of ranks.
     *
     * @param most members it may have
     */
    static RankSet ranks(WireReader from, long most) {
        int runs = from.readCount(2);
        int[] begin = new int[runs];
        int[] length = new int[runs];
        long end = 0;
        long members = 0;
        for (int i = 0; i < runs; i++) {
            long apart = from.readInt();
            length[i] = from.readInt();
            begin[i] = (int) (end + apart);
            end = end + apart + length[i] + 1;
            members += length[i] + 1L;
            if (end > Integer.MAX_VALUE || members > most || (i > 0 && apart == 0)) {
                throw new WireException("set of " + members + " ranks up to " + end + ", expected at most " + most
                        + " in runs that do not adjoin");
            }
        }
        int[] ranks = new int[(int) members];
        int n = 0;
        for (int i = 0; i < runs; i++) {
            for (int k = 0; k <= length[i]; k++) {
                ranks[n++] = begin[i] + k;
            }
        }
        return RankSet.of(ranks);
    }
}
