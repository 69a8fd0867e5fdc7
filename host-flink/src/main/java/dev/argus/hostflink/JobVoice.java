package dev.argus.hostflink;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.JobStep;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.StepOverview;
import org.jspecify.annotations.Nullable;

/** Says what there is to say about one job, to whoever wants it. Its state is the two numbers by which changes are known. */
final class JobVoice {
    private final String job;
    private final HostOptions options;

    /** Changes said in this watch. */
    long number;

    /** When the watch began in which {@link #number} counts, 0 before: another one knows nothing of what was said before. */
    long sinceNanos;

    /** The newest whole step; not of the state: after a restart its numbers are missing until the next one. */
    private @Nullable StepOverview last;

    JobVoice(String job, HostOptions options) {
        this.job = job;
        this.options = options;
    }

    /** What was open is not followed any more. */
    void beginWatch(long now) {
        sinceNanos = Math.max(now, sinceNanos + 1);
        number = 0;
        last = null;
    }

    void change(IncidentChange change, HostedJob.Out out) {
        number++;
        out.say(new Said(Said.INCIDENTS, job, SaidJson.change(job, sinceNanos, number, change)));
    }

    void step(LiveJob live, JobStep step, long now, HostedJob.Out out) {
        if (!options.steps() && !out.wantsSteps() && !out.wantsSeries()) {
            return;
        }
        StepOverview over = StepOverview.of(step);
        last = over;
        if (options.steps()) {
            out.say(new Said(Said.STEPS, job, SaidJson.step(job, live, now, over)));
        }
        if (out.wantsSteps()) {
            out.step(KeptStep.of(job, sinceNanos, step.attempt(), now, over));
        }
    }

    void metrics(HostedJob of, long now, long lagNanos, HostedJob.Out out) {
        out.say(new Said(Said.METRICS, job, SaidJson.metrics(job, sinceNanos, of.live(), of.counts(), now, lagNanos)));
        if (out.wantsSeries()) {
            out.series(JobSeries.of(of, last, now, lagNanos));
        }
    }

    /** The job is forgotten: its series end. */
    void over(long now, HostedJob.Out out) {
        if (out.wantsSeries()) {
            out.series(JobSeries.end(job, now));
        }
    }
}
