package dev.argus.server.ingest;

import dev.argus.model.AgentRecord;
import dev.argus.model.FlightRecord;
import dev.argus.model.GpuReading;
import dev.argus.model.KernelWindow;
import dev.argus.model.OpaqueRecord;
import dev.argus.model.RankDeclaration;
import dev.argus.model.StackRecord;
import dev.argus.model.StepDigest;
import dev.argus.wire.Frame;

/** About how many bytes of memory a frame takes while it waits. */
final class FrameWeight {
    private static final long RECORD = 200;
    private static final long ENTRY = 80;

    /** Ranks of a set that take as much as an entry. */
    private static final long MEMBERS = 20;

    private static final long LONGS = 10;

    private FrameWeight() {}

    static long of(Frame frame) {
        long sum = RECORD;
        for (AgentRecord record : frame.records()) {
            sum += RECORD + ENTRY * entries(record);
        }
        return sum;
    }

    private static long entries(AgentRecord record) {
        return switch (record) {
            case StepDigest d ->
                d.collectives().size() + d.gaps().size() + d.phases().size();
            case KernelWindow w -> w.kernels().size() + w.extremes().size();
            case RankDeclaration d -> {
                long groups = d.header().groups().stream()
                        .mapToLong(g -> 2 + g.ranks().size() / MEMBERS)
                        .sum();
                long trails = d.trails().stream()
                        .flatMap(t -> t.steps().stream())
                        .mapToLong(t -> 1 + t.ends().length / LONGS)
                        .sum();
                yield 2L * d.groups().size() + 2L * d.trails().size() + groups + trails;
            }
            case GpuReading g -> g.metrics().size();
            case StackRecord s ->
                s.stacks().stream().mapToLong(t -> 1 + t.frames().length / 16).sum();
            case FlightRecord f -> {
                long members =
                        f.groups().stream().mapToLong(g -> g.members().size()).sum();
                yield f.groups().size() + f.statuses().size() + f.calls().size() + members / MEMBERS;
            }
            case OpaqueRecord o -> o.bytes().length / ENTRY;
            default -> 0;
        };
    }
}
