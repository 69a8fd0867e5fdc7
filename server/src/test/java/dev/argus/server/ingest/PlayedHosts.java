package dev.argus.server.ingest;

import dev.argus.digest.AssembledTrace;
import dev.argus.model.AgentRecord;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankDeclaration;
import dev.argus.model.StepDigest;
import dev.argus.model.TraceHeader;
import dev.argus.simulator.RecordOutput;
import dev.argus.simulator.RecordSink;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.Simulation;
import dev.argus.transport.FrameReceiver;
import dev.argus.wire.FrameWriter;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A simulated job, shipped step by step by two agents that keep frames until they are told that these are safe. */
public final class PlayedHosts {
    final String job;
    public final NameTable names = new NameTable();
    public final TreeMap<Long, Map<Integer, List<AgentRecord>>> steps = new TreeMap<>();
    public final List<RankDeclaration> ranks = new ArrayList<>();
    final List<Host> hosts = new ArrayList<>();

    /** Who takes shipments. */
    @FunctionalInterface
    public interface Receiver {
        ShipmentReply receive(Shipment shipment);
    }

    /** One agent. */
    final class Host {
        final FrameWriter writer;
        final List<Shipment.Numbered> kept = new ArrayList<>();
        final int number;
        long received;
        long durable;
        boolean names;
        ShipmentReply.Verdict verdict = ShipmentReply.Verdict.ACCEPTED;

        /** By how much the clock of the host is ahead, nanoseconds, as far as frames show it. */
        long aheadNanos;

        Host(int number) {
            this.number = number;
            this.writer = new FrameWriter(
                    new SessionId(number, job.hashCode()), job, "host" + number, PlayedHosts.this.names);
        }

        void add(List<AgentRecord> records, long nowNanos) {
            records.forEach(r -> {
                if (writer.add(r) != FrameWriter.Added.YES) {
                    throw new IllegalStateException("no room for " + r);
                }
            });
            kept.add(new Shipment.Numbered(writer.counter(), writer.frame(0, nowNanos + aheadNanos)));
            writer.stored();
        }

        /** Sends what the receiver has not taken, until it has, or will not. */
        void send(Receiver to) {
            for (int i = 0; i < 4; i++) {
                List<Shipment.Numbered> frames =
                        kept.stream().filter(f -> f.counter() > received).toList();
                long floor = kept.isEmpty() ? durable + 1 : kept.getFirst().counter();
                ShipmentReply reply = to.receive(new Shipment(
                        writer.session(),
                        job,
                        "host" + number,
                        floor,
                        Math.max(floor, received + 1),
                        true,
                        0,
                        names ? List.of(writer.names()) : List.of(),
                        frames));
                verdict = reply.verdict();
                received = reply.received();
                durable = reply.durable();
                kept.removeIf(f -> f.counter() <= durable);
                names = verdict == ShipmentReply.Verdict.NAMES_MISSING;
                if (received == writer.counter() - 1 || verdict == ShipmentReply.Verdict.OVERLOADED) {
                    return;
                }
            }
        }
    }

    public PlayedHosts(String job, Scenario scenario) {
        this.job = job;
        RecordOutput.deliver(Simulation.run(scenario), names, new RecordSink() {
            @Override
            public void rank(int rank, TraceHeader header, AssembledTrace trace) {
                ranks.add(trace.declaration(0, rank, header, ""));
            }

            @Override
            public void digest(StepDigest d) {
                records(d.step(), d.rank()).add(d);
            }

            @Override
            public void kernels(KernelWindow w) {
                records(w.window(), w.rank()).addFirst(w);
            }

            @Override
            public void shape(JobShape shape) {}
        });
        hosts.add(new Host(0));
        hosts.add(new Host(1));
    }

    private List<AgentRecord> records(long step, int rank) {
        return steps.computeIfAbsent(step, s -> new TreeMap<>()).computeIfAbsent(rank, r -> new ArrayList<>());
    }

    private Host of(int rank) {
        return hosts.get(rank < ranks.size() / 2 ? 0 : 1);
    }

    public void declare(long nowNanos) {
        ranks.forEach(d -> of(d.rank()).add(List.of(d), nowNanos));
    }

    /** All ranks have made a step. */
    public void make(long step, long nowNanos) {
        for (Host host : hosts) {
            List<AgentRecord> all = new ArrayList<>();
            steps.getOrDefault(step, Map.of()).forEach((rank, records) -> {
                if (of(rank) == host) {
                    all.addAll(records);
                }
            });
            host.add(all, nowNanos);
        }
    }

    void send(FrameReceiver to) {
        send(to::receive);
    }

    /** Ships what is not taken yet to whoever answers. */
    public void send(Receiver to) {
        hosts.forEach(h -> h.send(to));
    }

    /** More of a rank, with what was made last. */
    public void tell(int rank, AgentRecord record, long nowNanos) {
        of(rank).add(List.of(record), nowNanos);
    }
}
