package dev.argus.agent;

import dev.argus.agent.feed.RankFeed;
import dev.argus.digest.TraceEventSink;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.StepMark;
import dev.argus.ring.LossReason;
import dev.argus.ring.RingMarks;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the rings of a process and the feed of its rank, which is made when the first step begins: by then a process knows its rank.
 * What comes before belongs to no step.
 */
final class EventGate implements TraceEventSink, RingMarks {
    private final Supplier<@Nullable RankFeed> opened;
    private final Map<LossReason, Long> losses = new EnumMap<>(LossReason.class);
    private @Nullable RankFeed feed;

    /** @param opened makes the feed, or says null while the rank is unknown */
    EventGate(Supplier<@Nullable RankFeed> opened) {
        this.opened = opened;
    }

    @Nullable
    RankFeed feed() {
        return feed;
    }

    /** What producers have said to be missing since the last call, by reason. */
    Map<LossReason, Long> takeLosses() {
        Map<LossReason, Long> taken = new EnumMap<>(losses);
        losses.clear();
        return taken;
    }

    private @Nullable RankFeed open() {
        RankFeed now = feed == null ? opened.get() : feed;
        feed = now;
        return now;
    }

    @Override
    public void gpu(GpuEvent event) {
        if (feed != null) {
            feed.gpu(event);
        }
    }

    @Override
    public void launch(LaunchEvent event) {
        if (feed != null) {
            feed.launch(event);
        }
    }

    @Override
    public void span(CpuSpan span) {
        if (feed != null) {
            feed.span(span);
        }
    }

    @Override
    public void step(StepMark mark) {
        RankFeed to = open();
        if (to != null) {
            to.step(mark);
        }
    }

    @Override
    public void quarantine(String reason) {
        if (feed != null) {
            feed.quarantine(reason);
        }
    }

    @Override
    public void stepBegun(long step, long startNanos, int thread) {
        RankFeed to = open();
        if (to != null) {
            to.stepBegun(step, startNanos);
        }
    }

    @Override
    public void stepWithoutSignals(long step) {
        if (feed != null) {
            feed.notRecorded(step);
        }
    }

    @Override
    public void spanBegun(int name, long startNanos, int thread) {
        if (feed != null) {
            feed.spanBegun(name, startNanos);
        }
    }

    @Override
    public void collectiveBegun(CollectiveCall call, int name, long startNanos) {
        if (feed != null) {
            feed.collectiveBegun(call, name, startNanos);
        }
    }

    @Override
    public void reported(long untilNanos) {
        if (feed != null) {
            feed.reported(untilNanos);
        }
    }

    @Override
    public void lost(LossReason reason, long fromNanos, long toNanos, long count) {
        if (reason == LossReason.NOT_RECORDED) {
            return; // on purpose, and said step by step
        }
        losses.merge(reason, count, Long::sum);
        if (feed != null) {
            feed.lost(fromNanos, toNanos == 0 ? Long.MAX_VALUE : toNanos);
        }
    }
}
