package dev.argus.cli.demo;

import dev.argus.agent.AgentOptions;
import dev.argus.agent.CollectorSink;
import dev.argus.agent.host.HostAgent;
import dev.argus.agent.host.HostAgentSettings;
import dev.argus.cli.demo.DemoEar.Heard;
import dev.argus.cli.demo.DemoJudge.Judgement;
import dev.argus.cli.demo.DemoJudge.Summary;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.NameTable;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The agent of a demonstration, and what is said. One thread.
 *
 * <p>One agent reads the rings of all simulated hosts: what it tells of a rank's host is what the rank itself has stated.
 */
final class DemoWatch implements AutoCloseable {
    /** Time between two looks. */
    static final long LOOK_NANOS = 200_000_000L;

    /** Steps in which nobody is called. */
    private static final int FIRST_STEPS = 8;

    private static final long FIND_NANOS = 5_000_000_000L;
    private static final long STATE_NANOS = 5_000_000_000L;
    private static final long STACK_NANOS = 10_000_000_000L;
    private static final long HISTORY_BYTES = 128L << 20;

    private final DemoEar ear;
    private final Set<String> open = new HashSet<>();
    private final DemoJob job;
    private final DemoVoice voice;
    private final Consumer<String> out;
    private final Consumer<String> notices;
    private final DemoJudge judge;
    private final HostAgent agent;
    private boolean healthy;

    /**
     * Begins to watch.
     *
     * @param job the job that is played
     * @param ear what the server says
     * @param sink where the agent reports to
     * @param state folder of what the agent keeps
     * @param out takes what is said
     * @param notices takes what the agent has to say of itself
     */
    DemoWatch(
            DemoJob job,
            DemoEar ear,
            Path rings,
            NameTable names,
            CollectorSink sink,
            Path state,
            DemoVoice voice,
            Consumer<String> out,
            Consumer<String> notices,
            long epochNanos,
            long monoNanos) {
        this.job = job;
        this.ear = ear;
        this.voice = voice;
        this.out = out;
        this.notices = notices;
        this.judge = new DemoJudge(job.layout());
        AgentOptions options =
                new AgentOptions(rings, Path.of("/proc"), 0, LOOK_NANOS, FIND_NANOS, STATE_NANOS, STACK_NANOS);
        this.agent = new HostAgent(
                new HostAgentSettings(options, state, HISTORY_BYTES, null, false), names, sink, epochNanos, monoNanos);
    }

    /** Looks once, and says what there is to say. */
    void look(long monoNanos) {
        agent.look(monoNanos);
        agent.takeNotices().forEach(notices);
        DemoMoment now = job.moment();
        for (Heard h = ear.next(); h != null; h = ear.next()) {
            say(h, now);
        }
        judge.missed(now).stream().map(voice::judged).forEach(out);
        if (!healthy && now.step() >= FIRST_STEPS && open.isEmpty()) {
            healthy = true;
            out.accept(voice.healthy(agent.collector().processes(), now.step()));
        }
    }

    private void say(Heard h, DemoMoment now) {
        IncidentChange change = h.change();
        out.accept(voice.change(h.job(), change));
        Judgement judgement = judge.judge(change, now);
        if (judgement != null) {
            out.accept(voice.judged(judgement));
        }
        switch (change.kind()) {
            case OPENED, CHANGED -> {
                open.add(change.incident().id());
                healthy = false;
            }
            case RESOLVED, WITHDRAWN, ENDED -> open.remove(change.incident().id());
        }
    }

    /** All in all. */
    Summary summary() {
        return judge.summary();
    }

    /** What the agent could not do. */
    List<String> problems() {
        return agent.collector().problems().stream().map(p -> p.detail()).toList();
    }

    @Override
    public void close() {
        agent.close();
        agent.takeNotices().forEach(notices);
    }
}
