package dev.argus.hostlocal.report;

import dev.argus.model.JobShape;
import dev.argus.model.StepDigest;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Time of the job's steps, start to start. At most {@value #MOST_POINTS} points: of more steps, each point is the longest of its neighbours.
 *
 * @param steps step numbers, ascending
 * @param startNanos earliest start over ranks, nanoseconds since the Unix epoch, each by its own host's clock
 * @param typicalNanos longest of the peer sets' medians: what the detectors price by
 * @param lowNanos shortest over ranks
 * @param highNanos longest over ranks
 * @param stepsPerPoint steps behind each point
 */
@SuppressWarnings("ArrayRecordComponent")
public record StepSeries(
        long[] steps,
        long[] startNanos,
        double[] typicalNanos,
        double[] lowNanos,
        double[] highNanos,
        int stepsPerPoint) {
    /** Points kept. */
    public static final int MOST_POINTS = 800;

    /** Takes step after step. */
    static final class Builder {
        private record Point(long step, long start, double typical, double low, double high) {}

        private final JobShape shape;
        private final int perPoint;
        private final List<Point> points = new ArrayList<>();
        private int seen;

        Builder(JobShape shape, int steps) {
            this.shape = shape;
            perPoint = Math.max(1, Math.ceilDiv(steps, MOST_POINTS));
        }

        void add(long step, List<StepDigest> digests) {
            int fresh = seen++ % perPoint;
            Point now = point(step, digests);
            if (fresh == 0) {
                points.add(now);
            } else if (!(now.typical <= points.getLast().typical)) {
                points.set(points.size() - 1, now);
            }
        }

        private Point point(long step, List<StepDigest> digests) {
            int sets = shape.peerSets().size() + 1;
            int[] counts = new int[sets];
            double[][] times = new double[sets][8];
            long start = Long.MAX_VALUE;
            double low = Double.NaN;
            double high = Double.NaN;
            for (StepDigest d : digests) {
                if (d.partial() || d.durationNanos() <= 0) {
                    continue;
                }
                int set = shape.peerSetOf(d.rank()) + 1;
                if (counts[set] == times[set].length) {
                    times[set] = Arrays.copyOf(times[set], 2 * counts[set]);
                }
                times[set][counts[set]++] = d.durationNanos();
                start = Math.min(start, d.startNanos());
                low = low <= d.durationNanos() ? low : d.durationNanos();
                high = high >= d.durationNanos() ? high : d.durationNanos();
            }
            double typical = Double.NaN;
            for (int s = 0; s < sets; s++) {
                double median = Robust.median(Arrays.copyOf(times[s], counts[s]));
                typical = typical >= median || Double.isNaN(median) ? typical : median;
            }
            return new Point(step, start == Long.MAX_VALUE ? 0 : start, typical, low, high);
        }

        StepSeries build() {
            return new StepSeries(
                    points.stream().mapToLong(Point::step).toArray(),
                    points.stream().mapToLong(Point::start).toArray(),
                    points.stream().mapToDouble(Point::typical).toArray(),
                    points.stream().mapToDouble(Point::low).toArray(),
                    points.stream().mapToDouble(Point::high).toArray(),
                    perPoint);
        }
    }
}
