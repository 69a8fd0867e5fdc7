package dev.argus.transport;

import com.sun.net.httpserver.HttpServer;
import dev.argus.wire.SessionId;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executors;

/** A server for tests that kill it: stores what it has made of frames, and how far it is, again and again. Arguments: port, file. */
final class CrashServer {
    private CrashServer() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path file = Path.of(args[1]);
        Shipping.Sink sink = new Shipping.Sink();
        FrameReceiver receiver = new FrameReceiver(sink, CommandSource.NONE, false, 1_000);
        if (Files.exists(file)) {
            receiver.restore(load(file, sink));
        }
        FrameAccess anybody = new FrameAccess() {
            @Override
            public boolean isKnown(String token) {
                return true;
            }

            @Override
            public boolean mayShip(String token, String job) {
                return true;
            }
        };
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", new FrameHandler(receiver, anybody, 8));
        server.start();
        while (true) {
            ReceiverSnapshot<byte[]> snapshot = receiver.snapshot(() -> state(sink));
            WireWriter out = new WireWriter();
            out.writeBytes(snapshot.cursors()).writeBytes(snapshot.state()).writeChecksum(0);
            Path fresh = file.resolveSibling("fresh");
            Files.write(fresh, out.toByteArray());
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            receiver.stored(snapshot);
            Thread.sleep(20);
        }
    }

    private static byte[] state(Shipping.Sink sink) {
        synchronized (sink) {
            WireWriter out = new WireWriter();
            out.writeVarint(sink.missing).writeVarint(sink.wrong.size());
            sink.wrong.forEach(out::writeText);
            out.writeVarint(sink.last.size());
            sink.last.forEach((id, counter) -> {
                id.write(out);
                out.writeVarint(counter);
            });
            out.writeVarint(sink.serials.size());
            sink.serials.forEach((serial, times) -> out.writeVarint(serial).writeVarint(times));
            return out.toByteArray();
        }
    }

    /** Fills a sink; returns the cursors. */
    static byte[] load(Path file, Shipping.Sink sink) throws IOException {
        WireReader in = WireReader.checked(Files.readAllBytes(file), "state");
        byte[] cursors = in.readBytes();
        WireReader state = new WireReader(in.readBytes());
        sink.missing = state.readVarint();
        for (int n = state.readCount(1); n > 0; n--) {
            sink.wrong.add(state.readText());
        }
        for (int n = state.readCount(17); n > 0; n--) {
            sink.last.put(SessionId.read(state), state.readVarint());
        }
        for (int n = state.readCount(2); n > 0; n--) {
            sink.serials.put(state.readVarint(), state.readInt());
        }
        return cursors;
    }
}
