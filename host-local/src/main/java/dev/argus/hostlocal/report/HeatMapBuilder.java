package dev.argus.hostlocal.report;

import dev.argus.hostlocal.report.HeatMap.Layer;
import dev.argus.hostlocal.report.HeatMap.Measure;
import dev.argus.hostlocal.report.HeatMap.Row;
import dev.argus.model.JobShape;
import dev.argus.model.OwnTime;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes step after step and keeps the largest of what falls into each cell. Ratios are made before anything is folded, at full resolution. Cost of a
 * step: O(ranks log ranks).
 */
final class HeatMapBuilder {
    private static final Measure[] MEASURES = Measure.values();

    /** What is true of a cell before anything is known of it. */
    private static final char UNKNOWN_NANOS = 0;

    private final JobShape shape;
    private final RankSet suspects;
    private final RankSet ranks;
    private final int ranksLeftOut;
    private final int ranksPerRow;
    private final int stepsPerColumn;
    private final int stepPlaces;
    private final int rows;
    private final int columns;
    private final List<short[]> ratios = new ArrayList<>();
    private final List<char[]> nanos = new ArrayList<>();
    private final List<char[]> worst = new ArrayList<>();
    private final long[] columnFirst;
    private final long[] columnLast;
    private int seen;

    HeatMapBuilder(JobShape shape, RankSet suspects, int steps) {
        this.shape = shape;
        this.suspects = suspects;
        RankSet world =
                shape.worldSize() > 0 ? RankSet.range(0, shape.worldSize() - 1).union(shape.ranks()) : shape.ranks();
        boolean mostlyRead = world.size() <= 2L * shape.ranks().size();
        this.ranks = mostlyRead ? world : shape.ranks();
        this.ranksLeftOut = world.size() - ranks.size();
        this.ranksPerRow = Math.max(1, Math.ceilDiv(ranks.size(), HeatMap.MOST_ROWS));
        this.stepsPerColumn = Math.max(1, Math.ceilDiv(steps, HeatMap.MOST_COLUMNS));
        this.stepPlaces = HeatMap.stepPlaces(ranksPerRow, stepsPerColumn);
        this.rows = Math.ceilDiv(ranks.size(), ranksPerRow);
        this.columns = Math.ceilDiv(steps, stepsPerColumn);
        this.columnFirst = new long[columns];
        this.columnLast = new long[columns];
        for (int m = 0; m < MEASURES.length; m++) {
            short[] missing = new short[rows * columns];
            Arrays.fill(missing, HeatMap.MISSING);
            ratios.add(missing);
            nanos.add(new char[rows * columns]);
            worst.add(new char[ranksPerRow * stepsPerColumn > 1 ? rows * columns : 0]);
        }
    }

    /** Takes a step; steps come in ascending order, as many as were announced. */
    void add(long step, List<StepDigest> digests) {
        int column = seen / stepsPerColumn;
        int within = seen % stepsPerColumn;
        seen++;
        columnFirst[column] = within == 0 ? step : columnFirst[column];
        columnLast[column] = step;
        for (int m = 0; m < MEASURES.length; m++) {
            add(m, column, within, digests);
        }
    }

    private void add(int m, int column, int within, List<StepDigest> digests) {
        double[] medians = medians(MEASURES[m], digests);
        short[] ratio = ratios.get(m);
        char[] value = nanos.get(m);
        char[] where = worst.get(m);
        for (StepDigest d : digests) {
            int at = ranks.indexOf(d.rank());
            if (at < 0) {
                continue;
            }
            int cell = at / ranksPerRow * columns + column;
            if (d.partial()) {
                ratio[cell] = (short) Math.max(ratio[cell], HeatMap.CUT);
                continue;
            }
            long mine = of(MEASURES[m], d.own());
            char code = HeatMap.nanosCode(mine);
            value[cell] = value[cell] == UNKNOWN_NANOS || code > value[cell] ? code : value[cell];
            double typical = medians[shape.peerSetOf(d.rank()) + 1];
            short now = typical > 0 ? HeatMap.ratioCode(mine / typical) : HeatMap.NO_PEERS;
            if (now > ratio[cell]) {
                ratio[cell] = now;
                if (where.length > 0) {
                    int step = (int) ((long) within * stepPlaces / stepsPerColumn);
                    where[cell] = (char) (at % ranksPerRow * stepPlaces + step);
                }
            }
        }
    }

    /** By peer set, its position plus one; NaN for sets of one. */
    private double[] medians(Measure measure, List<StepDigest> digests) {
        int sets = shape.peerSets().size() + 1;
        int[] counts = new int[sets];
        double[][] values = new double[sets][8];
        for (StepDigest d : digests) {
            int set = shape.peerSetOf(d.rank()) + 1;
            if (d.partial() || set == 0) {
                continue;
            }
            if (counts[set] == values[set].length) {
                values[set] = Arrays.copyOf(values[set], 2 * counts[set]);
            }
            values[set][counts[set]++] = of(measure, d.own());
        }
        double[] medians = new double[sets];
        for (int s = 0; s < sets; s++) {
            medians[s] = counts[s] < 2 ? Double.NaN : Robust.median(Arrays.copyOf(values[s], counts[s]));
        }
        return medians;
    }

    private static long of(Measure measure, OwnTime own) {
        return switch (measure) {
            case OWN -> own.ownNanos();
            case COMPUTE -> own.computeNanos();
            case COMMUNICATION -> own.exposedCommNanos();
        };
    }

    HeatMap build() {
        List<Row> of = new ArrayList<>();
        for (int r = 0; r < rows; r++) {
            int[] members = new int[Math.min(ranksPerRow, ranks.size() - r * ranksPerRow)];
            for (int i = 0; i < members.length; i++) {
                members[i] = ranks.get(r * ranksPerRow + i);
            }
            of.add(row(RankSet.of(members)));
        }
        List<Layer> layers = new ArrayList<>();
        for (int m = 0; m < MEASURES.length; m++) {
            layers.add(new Layer(MEASURES[m], ratios.get(m), nanos.get(m), worst.get(m)));
        }
        return new HeatMap(of, columnFirst, columnLast, ranksPerRow, stepsPerColumn, List.copyOf(layers), ranksLeftOut);
    }

    private Row row(RankSet members) {
        String host = shape.hostOf(members.get(0));
        int set = shape.peerSetOf(members.get(0));
        for (int i = 1; i < members.size(); i++) {
            host = host.equals(shape.hostOf(members.get(i))) ? host : "";
            set = set == shape.peerSetOf(members.get(i)) ? set : -1;
        }
        return new Row(members, host, set, !members.intersect(suspects).isEmpty());
    }
}
