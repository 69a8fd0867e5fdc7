package dev.argus.cli.demo;

import dev.argus.agent.CollectorSink;
import dev.argus.agent.ship.ShipOptions;
import dev.argus.agent.ship.ShippingSink;
import dev.argus.model.NameTable;
import dev.argus.ring.RingDirectory;
import dev.argus.transport.SpoolLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** The agent's way to the server of a demonstration: frames over loopback, as anywhere. */
final class DemoShipping {
    private static final long SPOOL_BYTES = 128L << 20;

    private DemoShipping() {}

    static CollectorSink sink(DemoServer to, NameTable names, Path spool, long nowNanos) throws IOException {
        URI address = to.frames();
        if (address == null) {
            throw new IOException("the server has no address to ship to");
        }
        Path token = to.tokenFile();
        RingDirectory.prepare(spool);
        ShipOptions options = ShipOptions.of(
                address,
                "demo",
                token == null ? "" : Files.readString(token).strip(),
                null,
                spool,
                SpoolLimits.ofDisk(SPOOL_BYTES));
        return new ShippingSink(options, names, System::nanoTime, nowNanos);
    }
}
