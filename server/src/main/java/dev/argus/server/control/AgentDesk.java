package dev.argus.server.control;

import dev.argus.model.AgentCommand;
import dev.argus.model.AgentCommand.Retune;
import dev.argus.model.RankSet;
import dev.argus.model.Signal;
import dev.argus.server.api.ControlDesk;
import dev.argus.server.api.NotOrderedException;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.JobView;
import java.util.List;

/** What operators order of agents, put on the {@link CommandDesk}. Thread-safe. */
public final class AgentDesk implements ControlDesk {
    /** What producers record and agents sample when nobody says otherwise. */
    private static final Retune USUAL = new Retune(1, "-", RankSet.EMPTY, Signal.ALL_BITS, 1, 20);

    private final Fleet fleet;
    private final CommandDesk desk;

    /** Orders for jobs of a fleet. */
    public AgentDesk(Fleet fleet, CommandDesk desk) {
        this.fleet = fleet;
        this.desk = desk;
    }

    @Override
    public Ordered retune(String job, Tuning tuning) throws NotOrderedException {
        int hosts = hosts(job, tuning.ranks());
        Retune before = desk.retuned(job, tuning.ranks()).orElse(USUAL);
        Integer signals = tuning.signals();
        Integer sampling = tuning.sampling();
        Integer stacks = tuning.stacksPerSecond();
        long id = desk.retune(
                job,
                tuning.ranks(),
                signals == null ? before.signals() : signals,
                sampling == null ? before.sampling() : sampling,
                stacks == null ? before.stacksPerSecond() : stacks);
        return new Ordered(List.of(id), hosts);
    }

    @Override
    public Ordered excerpt(String job, Excerpt excerpt) throws NotOrderedException {
        int hosts = hosts(job, excerpt.ranks());
        int attempt = fleet.job(job).map(JobView::attempt).orElse(-1);
        if (attempt < 0) {
            throw new NotOrderedException(
                    "no rank of the job has said who it is yet", "a job of which ranks report; ask again in a minute");
        }
        long id = desk.excerpt(job, excerpt.ranks(), attempt, excerpt.fromNanos(), excerpt.toNanos(), "");
        return new Ordered(List.of(id), hosts);
    }

    private int hosts(String job, RankSet ranks) throws NotOrderedException {
        if (ranks.size() > AgentCommand.MOST_RANKS) {
            throw new NotOrderedException(
                    ranks.size() + " ranks", "at most " + AgentCommand.MOST_RANKS + ", or none for all of them");
        }
        JobView view = fleet.job(job)
                .orElseThrow(
                        () -> new NotOrderedException("the job is not watched now", "a job that is in /api/v1/jobs"));
        long hosts = view.agents().values().stream()
                .filter(a -> ranks.isEmpty() || !a.ranks().intersect(ranks).isEmpty())
                .count();
        if (hosts == 0) {
            throw new NotOrderedException(
                    "no agent watches any of these ranks", "ranks of the job that report, such as " + sample(view));
        }
        return (int) hosts;
    }

    private static String sample(JobView view) {
        return view.reporting().isEmpty()
                ? "(none reports now)"
                : view.reporting().toString();
    }
}
