package dev.argus.hostflink;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.hostlocal.live.JobFeed;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.model.NameTable;
import dev.argus.transport.FrameReceiver;
import dev.argus.transport.FrameSink;
import dev.argus.wire.Frame;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plain live job behind the receiver of a server, told the time: what Flink must say too. */
final class Reference implements FrameSink {
    private static final long NANOS = 1_000_000L;

    private final String job;
    private final LiveJob live = new LiveJob(new NameTable(), Thresholds.DEFAULT, LiveOptions.DEFAULT);
    private final JobFeed feed = new JobFeed(live);
    private final List<String> said = new ArrayList<>();
    private long nowNanos;
    private long number;
    private long sinceNanos;

    private Reference(String job) {
        this.job = job;
    }

    /** Changes of the incidents of a job, as they are told. */
    static List<String> of(String job, List<Arrival> inOrder) {
        Reference reference = new Reference(job);
        FrameReceiver receiver = new FrameReceiver(reference, (j, host, last) -> List.of(), true, 1024);
        long tick = HostOptions.DEFAULT.tickNanos();
        long next = -1;
        for (Arrival arrival : inOrder) {
            long at = arrival.atMillis() * NANOS;
            for (; next >= 0 && next <= at; next += tick) {
                reference.tick(next);
            }
            Shipment shipment = arrival.isTick() ? null : Shipment.decode(arrival.bytes());
            if (shipment != null && shipment.job().equals(job)) {
                reference.nowNanos = at;
                receiver.receive(shipment);
                if (next < 0) {
                    next = (at / tick + 1) * tick;
                    reference.sinceNanos = at;
                }
            }
        }
        return reference.said;
    }

    private void tick(long now) {
        for (IncidentChange change : live.tick(now).changes()) {
            number++;
            said.add(SaidJson.change(job, sinceNanos, number, change));
        }
    }

    @Override
    public @Nullable NameTable names(String of) {
        return live.names();
    }

    @Override
    public boolean take(Frame frame) {
        frame.records().forEach(r -> feed.take(r, nowNanos, (reason, count) -> {}));
        return true;
    }

    @Override
    public void missing(SessionId session, String of, String host, long first, long last) {}
}
