package dev.argus.agent.ship;

import dev.argus.agent.history.ExcerptNote;
import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.AgentRecord;
import dev.argus.model.FlightRecord;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.OpaqueRecord;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.RecordLoss;
import dev.argus.model.StackRecord;
import dev.argus.model.StepDigest;
import dev.argus.transport.FrameSink;
import dev.argus.wire.Frame;
import dev.argus.wire.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a server will do with frames, as far as one job: a diagnosis that goes on, and counts of what came. */
final class LiveServer implements FrameSink {
    final NameTable names = new NameTable();
    final LiveJob job = new LiveJob(names, Thresholds.DEFAULT, LiveOptions.DEFAULT);
    final List<IncidentChange> changes = new ArrayList<>();
    final Map<String, Integer> steps = new TreeMap<>();
    final Map<String, Long> losses = new TreeMap<>();
    final List<ExcerptNote> notes = new ArrayList<>();
    final List<OverheadReading> overheads = new ArrayList<>();
    long missing;

    @Override
    public @Nullable NameTable names(String ofJob) {
        return names;
    }

    @Override
    public synchronized boolean take(Frame frame) {
        long now = frame.head().madeNanos();
        Map<String, KernelWindow> windows = new TreeMap<>();
        for (AgentRecord r : frame.records()) {
            if (r instanceof KernelWindow w) {
                windows.put(w.rank() + "/" + w.window(), w);
            }
        }
        for (AgentRecord r : frame.records()) {
            switch (r) {
                case RankDeclaration d -> job.declare(d, now);
                case StepDigest d -> {
                    steps.merge(d.attempt() + "/" + d.rank() + "/" + d.step(), 1, Integer::sum);
                    job.take(new RankStep(d, windows.get(d.rank() + "/" + d.step())), now);
                }
                case RankState s -> job.take(s, now);
                case FlightRecord f -> job.take(f, now);
                case StackRecord s -> job.take(s);
                case RecordLoss l -> losses.merge(l.rank() + "/" + names.name(l.reason()), l.count(), Long::sum);
                case OpaqueRecord o -> notes.add(ExcerptNote.of(o));
                case OverheadReading o -> overheads.add(o);
                default -> {
                    // windows have been taken
                }
            }
        }
        changes.addAll(job.tick(now).changes());
        return true;
    }

    synchronized int count() {
        return steps.size();
    }

    synchronized boolean hasNote() {
        return !notes.isEmpty();
    }

    @Override
    public synchronized void missing(SessionId session, String ofJob, String host, long first, long last) {
        missing += last - first + 1;
    }
}
