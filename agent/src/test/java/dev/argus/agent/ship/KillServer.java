package dev.argus.agent.ship;

import dev.argus.model.AgentRecord;
import dev.argus.model.NameTable;
import dev.argus.model.RecordLoss;
import dev.argus.model.StepDigest;
import dev.argus.transport.CommandSource;
import dev.argus.transport.FrameSink;
import dev.argus.transport.ReceiverSnapshot;
import dev.argus.wire.Frame;
import dev.argus.wire.SessionId;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A server for tests that kill it: stores which steps came how often, and how far it is, again and again. Arguments: port, file. */
final class KillServer {
    private KillServer() {}

    /** What it has made of frames. */
    static final class Sink implements FrameSink {
        final Map<String, Integer> steps = new TreeMap<>();
        final Map<String, Long> losses = new TreeMap<>();
        final NameTable names = new NameTable();
        long missing;

        @Override
        public @Nullable NameTable names(String job) {
            return names;
        }

        @Override
        public synchronized boolean take(Frame frame) {
            for (AgentRecord r : frame.records()) {
                if (r instanceof StepDigest d) {
                    steps.merge(key(d), 1, Integer::sum);
                } else if (r instanceof RecordLoss l) {
                    losses.merge(l.attempt() + "/" + l.rank() + "/" + names.name(l.reason()), l.count(), Long::sum);
                }
            }
            return true;
        }

        @Override
        public synchronized void missing(SessionId session, String job, String host, long first, long last) {
            missing += last - first + 1;
        }

        private synchronized byte[] state() {
            WireWriter out = new WireWriter();
            out.writeVarint(missing).writeVarint(steps.size());
            steps.forEach((step, times) -> out.writeText(step).writeVarint(times));
            out.writeVarint(losses.size());
            losses.forEach((loss, n) -> out.writeText(loss).writeVarint(n));
            return out.toByteArray();
        }
    }

    static String key(StepDigest d) {
        return d.attempt() + "/" + d.rank() + "/" + d.step();
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path file = Path.of(args[1]);
        Sink sink = new Sink();
        byte[] cursors = Files.exists(file) ? load(file, sink) : new byte[0];
        Receivers.Running running = Receivers.start(Integer.parseInt(args[0]), sink, CommandSource.NONE, cursors);
        while (true) {
            ReceiverSnapshot<byte[]> snapshot = running.receiver().snapshot(sink::state);
            WireWriter out = new WireWriter();
            out.writeBytes(snapshot.cursors()).writeBytes(snapshot.state()).writeChecksum(0);
            Path fresh = file.resolveSibling("fresh");
            Files.write(fresh, out.toByteArray());
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            running.receiver().stored(snapshot);
            Thread.sleep(50);
        }
    }

    /** Fills a sink; returns the cursors. */
    static byte[] load(Path file, Sink sink) throws IOException {
        WireReader in = WireReader.checked(Files.readAllBytes(file), "state");
        byte[] cursors = in.readBytes();
        WireReader state = new WireReader(in.readBytes());
        sink.missing = state.readVarint();
        for (int n = state.readCount(2); n > 0; n--) {
            sink.steps.put(state.readText(), state.readInt());
        }
        for (int n = state.readCount(2); n > 0; n--) {
            sink.losses.put(state.readText(), state.readVarint());
        }
        return cursors;
    }
}
