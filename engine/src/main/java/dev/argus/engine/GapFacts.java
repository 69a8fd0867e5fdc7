package dev.argus.engine;

import dev.argus.engine.RankWork.Measure;
import dev.argus.model.SpanKind;
import dev.argus.stats.Segment;
import java.util.HashMap;
import java.util.Map;

/** What is known of the gaps of a stretch. */
final class GapFacts {
    final double hostLate;
    final double input;
    final int cover;
    final double coverShare;
    final double afterWork;
    final SpanKind coverKind;

    GapFacts(StepMatrix m, int rank, Segment segment, double[] excess) {
        double[] gaps = m.row(rank, Measure.GAP);
        double[] host = m.row(rank, Measure.HOST_GAP);
        double[] top = m.row(rank, Measure.TOP_GAP);
        double[] covers = m.row(rank, Measure.COVER);
        double[] kinds = m.row(rank, Measure.COVER_KIND);
        double[] inputs = m.row(rank, Measure.INPUT_GAP);
        double all = 0;
        double late = 0;
        double before = 0;
        double over = 0;
        double longest = 0;
        double behind = 0;
        Map<Integer, Double> byCover = new HashMap<>();
        Map<Integer, Integer> kindOf = new HashMap<>();
        for (int s = segment.first(); s <= segment.last(); s++) {
            if (Double.isNaN(excess[s]) || excess[s] <= 0) {
                continue;
            }
            all += gaps[s];
            late += host[s];
            before += Math.min(inputs[s], excess[s]);
            over += excess[s];
            byCover.merge((int) covers[s], top[s], Double::sum);
            kindOf.put((int) covers[s], (int) kinds[s] % Measure.GPU_FLAG);
            longest += top[s];
            behind += ((int) kinds[s] & Measure.AFTER_WORK_FLAG) != 0 ? top[s] : 0;
        }
        hostLate = all > 0 ? late / all : 0;
        input = over > 0 ? before / over : 0;
        int best = -1;
        double most = 0;
        for (Map.Entry<Integer, Double> e : byCover.entrySet()) {
            if (e.getValue() > most || (e.getValue() == most && e.getKey() < best)) {
                most = e.getValue();
                best = e.getKey();
            }
        }
        cover = best;
        coverShare = all > 0 ? Math.min(1, most / all) : 0;
        afterWork = longest > 0 ? behind / longest : 0;
        coverKind = SpanKind.values()[kindOf.getOrDefault(best, SpanKind.RUNTIME.ordinal())];
    }
}
