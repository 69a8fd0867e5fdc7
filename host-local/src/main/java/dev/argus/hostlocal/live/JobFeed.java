package dev.argus.hostlocal.live;

import dev.argus.model.AgentRecord;
import dev.argus.model.AgentTick;
import dev.argus.model.FlightRecord;
import dev.argus.model.GpuReading;
import dev.argus.model.KernelWindow;
import dev.argus.model.OpaqueRecord;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.RecordLoss;
import dev.argus.model.StackRecord;
import dev.argus.model.StepDigest;
import dev.argus.wire.KernelRecordCodec;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Map;
import java.util.TreeMap;

/**
 * The records of a job as agents ship them, to its diagnosis: the same way in whatever host it is watched. Kernels of a rank are shipped before the step that they belong to, and wait for it.
 *
 * <p>Not thread-safe. State: at most one window of kernels for each declared rank.
 */
public final class JobFeed {
    private final LiveJob live;
    private final Map<Integer, KernelWindow> windows = new TreeMap<>();

    /** Hears what was not used. */
    @FunctionalInterface
    public interface Losses {
        /**
         * Something was left out.
         *
         * @param reason why, one of few words
         * @param count how many records, 0 or more
         */
        void lost(String reason, long count);
    }

    /** To a job. */
    public JobFeed(LiveJob live) {
        this.live = live;
    }

    /** The diagnosis. */
    public LiveJob live() {
        return live;
    }

    /**
     * Takes one record, whose names are of the job's table. What tells of the agent alone ({@link OverheadReading}, {@link AgentTick}) is no matter of the diagnosis and ignored.
     *
     * @param nowNanos now, nanoseconds since the Unix epoch
     */
    public void take(AgentRecord record, long nowNanos, Losses losses) {
        switch (record) {
            case RankDeclaration d -> {
                int before = live.attempt();
                if (d.attempt() < before) {
                    losses.lost("declaration-of-older-attempt", 1);
                }
                live.declare(d, nowNanos);
                if (live.attempt() > before) {
                    windows.clear();
                }
            }
            case KernelWindow w -> {
                if (!live.isDeclared(w.rank())) {
                    losses.lost("kernels-of-unknown-rank", 1);
                } else if (windows.put(w.rank(), w) != null) {
                    losses.lost("kernels-without-step", 1);
                }
            }
            case StepDigest d -> {
                KernelWindow window = windows.get(d.rank());
                boolean own = window != null && window.window() == d.step() && window.attempt() == d.attempt();
                if (own) {
                    windows.remove(d.rank());
                }
                live.take(new RankStep(d, own ? window : null), nowNanos);
            }
            case RankState s -> {
                known(s.rank(), losses);
                live.take(s, nowNanos);
            }
            case FlightRecord f -> {
                known(f.rank(), losses);
                live.take(f, nowNanos);
            }
            case StackRecord s -> {
                known(s.rank(), losses);
                live.take(s);
            }
            case RecordLoss l -> losses.lost(live.names().name(l.reason()), l.count());
            case GpuReading r -> losses.lost("gpu-reading-not-used", 1);
            case OverheadReading r -> {}
            case AgentTick t -> {}
            case OpaqueRecord o -> {}
        }
    }

    private void known(int rank, Losses losses) {
        if (!live.isDeclared(rank)) {
            losses.lost("record-of-unknown-rank", 1);
        }
    }

    // ---------------------------------------------------------------- over a restart

    /** Appends the kernels that wait; {@link LiveJob#snapshot} writes the rest. */
    public void encode(WireWriter to) {
        to.writeVarint(windows.size());
        windows.values().forEach(w -> KernelRecordCodec.encode(w, to));
    }

    /**
     * Takes up the kernels that waited.
     *
     * @throws dev.argus.wire.WireException if the bytes are something else
     */
    public void decode(WireReader from) {
        for (int n = from.readCount(6); n > 0; n--) {
            KernelWindow w = KernelRecordCodec.decode(from);
            windows.put(w.rank(), w);
        }
    }
}
