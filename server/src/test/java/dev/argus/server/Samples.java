package dev.argus.server;

import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.hostlocal.report.LiveWaits;
import dev.argus.hostlocal.report.WaitTable;
import dev.argus.model.Cost;
import dev.argus.model.Direction;
import dev.argus.model.Evidence;
import dev.argus.model.GpuRef;
import dev.argus.model.HostClock;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.IncidentState;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.model.Severity;
import dev.argus.model.Topology;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.JobView;
import dev.argus.server.job.KernelPictureJson;
import dev.argus.storage.Rows;
import dev.argus.wire.json.IncidentJson;
import dev.argus.wire.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** A job with a straggler whose every name is hostile, as fleet and store know it. */
public final class Samples {
    /** Markup, line ends, quotes, a mark that turns text around, a slash, percent, plus, a control. */
    public static final String HOSTILE = "<script>alert('1')</script>\"&\r\n\u202eevil\u0000/../%2F+*?#\ud83d\ude80";

    public static final String JOB = "job " + HOSTILE;
    public static final long EPOCH = 1_777_636_800_123_456_789L;

    private Samples() {}

    public static Incident incident(String id, IncidentState state, String name) {
        return new Incident(
                id,
                IncidentKind.COMPUTE_STRAGGLER,
                Scope.RANK,
                Severity.CRITICAL,
                0.97,
                EnumSet.of(Level.L1, Level.L3),
                state,
                EPOCH,
                state == IncidentState.RESOLVED ? EPOCH + 5 : null,
                2,
                RankSet.of(1),
                List.of(new GpuRef(1, name, 1, null)),
                List.of(name),
                List.of(new ParallelGroup("dp", RankSet.of(0, 1))),
                21,
                28,
                List.of("kernel " + name),
                Direction.LONGER,
                "rank 1 on host " + name + " computes 1.31x",
                "its peers do not, says " + name,
                "drain host " + name,
                List.of(new Evidence("own time of " + name, 1.31, "x", "median", Double.NaN)),
                new Cost(0.12, 81.4, 0.3));
    }

    public static JobView view(String job) {
        JobShape shape = new JobShape(
                2,
                2,
                RankSet.of(0, 1),
                Map.of(0, "host0", 1, HOSTILE),
                Map.of(0, 0, 1, 1),
                Map.of(),
                new Topology(List.of(new Topology.Dimension("dp", 2)), "given"),
                List.of(),
                Map.of(),
                List.of(RankSet.of(0, 1)),
                List.of("all ranks"));
        return new JobView(
                job,
                2,
                shape,
                2,
                RankSet.of(0),
                RankSet.of(1),
                28,
                new Rows.Step(job, 2, 28, EPOCH, 200_000_000, 260_000_000, 1, 2),
                List.of(new Rows.Phase(job, 2, 28, HOSTILE, 100_000_000, 130_000_000, 1, 2)),
                200_000_000,
                EPOCH,
                EPOCH + 7,
                0,
                false,
                false,
                List.of(incident("live-1", IncidentState.ONGOING, HOSTILE)),
                List.of(),
                81.4,
                1.6e9,
                List.of("a note about " + HOSTILE),
                Map.of("late-record", 3L),
                Map.of(
                        HOSTILE,
                        new JobView.AgentView(HOSTILE, RankSet.of(0, 1), EPOCH, -5, 0.01, 100 << 20, Double.NaN)),
                List.of(
                        new HostClock(2, "host0", "host0", 0, 0, 0, 0, EPOCH, 12, 300, null),
                        new HostClock(2, HOSTILE, "host0", -2_000_000, 1.5, 9_000, 0.1, EPOCH, 12, 300, null),
                        HostClock.refused(2, "host2", HostClock.Refusal.NO_COMMON_COLLECTIVES)),
                JobView.Gone.NONE);
    }

    public static void fill(FakeFleet fleet, MemoryStore store, MemoryObjects objects) {
        fleet.jobs.add(view(JOB));
        fleet.heatMaps.put(JOB, new HeatMapData(2, new int[] {0, 1}, new long[] {27, 28, 30}, new float[] {
            0.2f, Float.NaN, 0, 0.26f, 0.26f, 1e-9f
        }));
        fleet.waits.put(
                JOB,
                new LiveWaits(
                        new WaitTable(
                                List.of("rank 0", "rank 1"),
                                List.of(
                                        new WaitTable.Row("rank 1", 1, new long[] {60_000_000, 0}),
                                        new WaitTable.Row("several together", -1, new long[] {1000, 2000})),
                                60_003_000),
                        27,
                        28,
                        2));
        fleet.pictures.add(picture("live-1"));
        store.pictures.add(kept("kept-1"));
        store.jobs.add(new Rows.Job(JOB, 2, EPOCH, EPOCH + 7, 2, 2, "dp=2"));
        store.jobs.add(new Rows.Job("over", 0, EPOCH, EPOCH + 7, -1, 1, "tp=2,dp=8"));
        for (int rank = 0; rank < 2; rank++) {
            store.ranks.add(new Rows.Rank("over", 0, rank, "h", rank, ""));
            store.rankSteps.add(new Rows.RankStep("over", 0, 3, rank, EPOCH, 250_000_000, 1, 1, 1, 1));
        }
        store.ranks.add(new Rows.Rank(JOB, 2, 1, HOSTILE, 1, "GPU-" + HOSTILE));
        for (int step = 21; step <= 28; step++) {
            store.steps.add(new Rows.Step(JOB, 2, step, EPOCH + step, 200_000_000, 260_000_000, 1, 2));
            store.phases.add(new Rows.Phase(JOB, 2, step, HOSTILE, 100_000_000, -1, -1, 2));
            store.rankSteps.add(new Rows.RankStep(JOB, 2, step, 1, EPOCH + step, 260, 200, 10, 40, 10));
        }
        store.kernels.add(new Rows.Kernel(JOB, 2, 21, HOSTILE, 2, 840, 1_000_000, 1000, 1300, 1, "stage 0 of 2"));
        store.incidents.add(row("kept-1", "opened", IncidentState.OPEN));
        store.incidents.add(row("kept-1", "resolved", IncidentState.RESOLVED));
        store.incidents.add(row("live-1", "opened", IncidentState.OPEN));
        store.objects.add(new Rows.StoredObject(JOB, "timelines/a.pftrace", "kept-1", "perfetto", 5, EPOCH));
        objects.all.put("timelines/a.pftrace", new byte[] {1, 2, 3, 4, 5});
    }

    private static KernelPicture picture(String incident) {
        return new KernelPicture(
                incident,
                HOSTILE,
                true,
                21,
                28,
                8,
                List.of(new KernelPicture.Member(1, true, 420, 1e6, 0.3, 1, Double.NaN)),
                1e5,
                1e7,
                new float[64],
                new float[64],
                new float[64],
                List.of(new KernelPicture.Curve(1, new float[64])));
    }

    private static Rows.Picture kept(String incident) {
        StringBuilder document = new StringBuilder("[");
        try {
            KernelPictureJson.write(new JsonWriter(document, 0), picture(incident));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new Rows.Picture(
                JOB,
                incident,
                KernelPictureJson.KEPT,
                EPOCH + 3,
                document.append(']').toString());
    }

    public static Rows.Incident row(String id, String change, IncidentState state) {
        Incident incident = incident(id, state, HOSTILE);
        StringBuilder document = new StringBuilder();
        try {
            new IncidentJson(new JsonWriter(document, 0)).write(incident);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        Long until = incident.untilEpochNanos();
        return new Rows.Incident(
                JOB,
                id,
                2,
                change,
                EPOCH,
                incident.kind().text(),
                "rank",
                "critical",
                0.97,
                state.text(),
                EPOCH,
                until == null ? 0 : until,
                21,
                28,
                0.12,
                40,
                "1",
                HOSTILE,
                incident.summary(),
                document.toString(),
                0.3);
    }
}
