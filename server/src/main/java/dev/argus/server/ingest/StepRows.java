package dev.argus.server.ingest;

import dev.argus.hostlocal.live.HeatRing;
import dev.argus.hostlocal.live.JobStep;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.hostlocal.live.StepOverview;
import dev.argus.hostlocal.live.StepOverview.KernelSpread;
import dev.argus.hostlocal.live.StepOverview.PhaseSpread;
import dev.argus.hostlocal.live.StepOverview.Spread;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.OwnTime;
import dev.argus.model.StepDigest;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import dev.argus.storage.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Steps of a job as rows, and in its heat map. One thread adds; any may read the heat map. */
final class StepRows {
    /** Kernels of a step that are kept, most time first, of each of so many sets of peers. */
    private static final int MOST_KERNELS = 128;

    private static final int MOST_SETS = 4;

    private static final int MOST_COLUMNS = 4096;

    /** Stands beside the phases for what none of them covers. */
    private static final String OUTSIDE = "outside";

    private final String job;
    private final NameTable names;
    private final HeatRing heat;

    /** A step as others see it. */
    record Summary(Rows.Step step, List<Rows.Phase> phases) {}

    StepRows(String job, NameTable names, HeatRing heat) {
        this.job = job;
        this.names = names;
        this.heat = heat;
    }

    /** Adds the rows of a step; returns its summary. Kernels are held against those of peers, where the shape of the job tells them. */
    Summary add(JobStep step, @Nullable JobShape shape, JobRows rows) {
        heat.add(step);
        for (RankStep s : step.ranks()) {
            rows.add(row(s.digest()));
        }
        int sets = shape == null ? 0 : shape.peerSets().size();
        StepOverview over = shape == null || sets < 2 ? StepOverview.of(step) : StepOverview.of(step, shape::peerSetOf);
        Spread length = over.length();
        Rows.Step row = new Rows.Step(
                job,
                step.attempt(),
                step.step(),
                over.startNanos(),
                length.medianNanos(),
                length.maxNanos(),
                length.maxRank(),
                length.ranks());
        rows.add(row);
        List<Rows.Phase> phases = new ArrayList<>();
        for (PhaseSpread p : over.phases()) {
            phases.add(row(step, p.phase().name().toLowerCase(Locale.ROOT), p.span()));
        }
        if (over.outside() != null) {
            phases.add(row(step, OUTSIDE, over.outside()));
        }
        phases.forEach(rows::add);
        over.kernels().stream()
                .limit((long) MOST_KERNELS * Math.clamp(sets, 1, MOST_SETS))
                .forEach(k -> rows.add(row(
                        step,
                        k,
                        shape == null || k.peers() < 0 ? "" : shape.peerLabels().get(k.peers()))));
        return new Summary(row, phases);
    }

    /** Adds what a rank says of a step that went on without it. */
    void addLate(int attempt, RankStep late, JobRows rows) {
        heat.addLate(attempt, late);
        rows.add(row(late.digest()));
    }

    private Rows.Phase row(JobStep step, String phase, Spread span) {
        return new Rows.Phase(
                job,
                step.attempt(),
                step.step(),
                phase,
                span.medianNanos(),
                span.maxNanos(),
                span.maxRank(),
                span.ranks());
    }

    private Rows.RankStep row(StepDigest d) {
        OwnTime own = d.own();
        return new Rows.RankStep(
                job,
                d.attempt(),
                d.step(),
                d.rank(),
                d.startNanos(),
                d.durationNanos(),
                own.computeNanos(),
                own.copyNanos(),
                own.exposedCommNanos(),
                own.idleNanos());
    }

    private Rows.Kernel row(JobStep step, KernelSpread k, String peers) {
        return new Rows.Kernel(
                job,
                step.attempt(),
                step.step(),
                names.name(k.kernel()),
                k.mean().ranks(),
                k.count(),
                k.sumNanos(),
                k.mean().medianNanos(),
                k.mean().maxNanos(),
                k.mean().maxRank(),
                peers);
    }

    /** The newest steps of all ranks that memory still holds, of those wanted. */
    HeatMapData heatMap(HeatValue value, long from, long to) {
        HeatRing.Measure measure = switch (value) {
            case DURATION -> HeatRing.Measure.DURATION;
            case OWN -> HeatRing.Measure.OWN;
            case WAIT -> HeatRing.Measure.WAIT;
            case OUTSIDE -> HeatRing.Measure.OUTSIDE;
        };
        HeatRing.Cells cells = heat.read(measure, from, to, MOST_COLUMNS);
        return new HeatMapData(cells.attempt(), cells.ranks(), cells.steps(), cells.seconds());
    }
}
