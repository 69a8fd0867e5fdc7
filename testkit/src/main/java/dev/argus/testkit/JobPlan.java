package dev.argus.testkit;

/**
 * When the last member arrived at each collective of a job: all that one rank has to know of the others.
 *
 * <p>Cost: one pass over all ranks without writing; footprint 8 bytes per collective. Immutable, for any thread.
 */
final class JobPlan {
    private final KinetoJob job;
    private final long[] lastArrivals;

    private JobPlan(KinetoJob job, long[] lastArrivals) {
        this.job = job;
        this.lastArrivals = lastArrivals;
    }

    static JobPlan of(KinetoJob job) {
        int each = RankTimeline.collectives(job);
        long[] last = new long[Math.multiplyExact(each, job.steps())];
        TimelineVisitor nobody = new TimelineVisitor() {};
        RankTimeline[] ranks = new RankTimeline[job.ranks()];
        for (int rank = 0; rank < ranks.length; rank++) {
            ranks[rank] = new RankTimeline(job, rank, nobody);
        }
        for (int s = 0; s < job.steps(); s++) {
            for (RankTimeline rank : ranks) {
                rank.beginStep(job.firstStep() + s);
            }
            for (int i = 0; i < each; i++) {
                last[s * each + i] = meet(ranks, i);
            }
            for (RankTimeline rank : ranks) {
                rank.endStep();
            }
        }
        return new JobPlan(job, last);
    }

    private static long meet(RankTimeline[] ranks, int index) {
        long last = Long.MIN_VALUE;
        for (RankTimeline rank : ranks) {
            last = Math.max(last, rank.advance(index));
        }
        for (RankTimeline rank : ranks) {
            rank.finish(index, last);
        }
        return last;
    }

    /** Shows the first steps of one rank to a visitor. */
    void replay(int rank, int steps, TimelineVisitor visitor) {
        int each = RankTimeline.collectives(job);
        RankTimeline timeline = new RankTimeline(job, rank, visitor);
        for (int s = 0; s < steps; s++) {
            timeline.beginStep(job.firstStep() + s);
            for (int i = 0; i < each; i++) {
                timeline.advance(i);
                timeline.finish(i, lastArrivals[s * each + i]);
            }
            timeline.endStep();
        }
    }
}
