package dev.argus.agent.ship;

import com.sun.net.httpserver.HttpServer;
import dev.argus.transport.CommandSource;
import dev.argus.transport.FrameAccess;
import dev.argus.transport.FrameHandler;
import dev.argus.transport.FrameReceiver;
import dev.argus.transport.FrameSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** A receiver of frames on loopback. */
final class Receivers {
    static final String TOKEN = "s3cret";

    private Receivers() {}

    /** One that listens. */
    record Running(HttpServer server, FrameReceiver receiver) implements AutoCloseable {
        URI address() {
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    static Running start(int port, FrameSink sink, CommandSource commands, byte[] cursors) throws IOException {
        FrameReceiver receiver = new FrameReceiver(sink, commands, false, 1000);
        if (cursors.length > 0) {
            receiver.restore(cursors);
        }
        FrameAccess access = new FrameAccess() {
            @Override
            public boolean isKnown(String token) {
                return token.equals(TOKEN);
            }

            @Override
            public boolean mayShip(String token, String job) {
                return true;
            }
        };
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", new FrameHandler(receiver, access, 8));
        server.start();
        return new Running(server, receiver);
    }

    static ShipOptions impatient(ShipOptions options) {
        return options.with(s ->
                s.timed(Duration.ofSeconds(5), Duration.ofMillis(20), Duration.ofMillis(5), Duration.ofMillis(50)));
    }

    /** Waits as long as a slow machine may need. */
    static void until(BooleanSupplier done, String what) throws InterruptedException {
        for (int i = 0; !done.getAsBoolean(); i++) {
            if (i > 12_000) {
                throw new AssertionError("never: " + what);
            }
            Thread.sleep(5);
        }
    }
}
