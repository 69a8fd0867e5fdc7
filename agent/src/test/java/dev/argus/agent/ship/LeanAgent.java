package dev.argus.agent.ship;

import dev.argus.model.NameTable;
import dev.argus.model.RecordLoss;
import dev.argus.transport.SpoolLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** Ships over HTTP to where nobody listens, for a moment. Argument: folder of the spool. */
final class LeanAgent {
    private LeanAgent() {}

    public static void main(String[] args) throws IOException {
        NameTable names = new NameTable();
        ShipOptions options = ShipOptions.of(
                URI.create("http://127.0.0.1:1/frames"), "n1", "", null, Path.of(args[0]), SpoolLimits.DEFAULT);
        try (ShippingSink ship = new ShippingSink(options, names, System::nanoTime, 1)) {
            ship.record("job", new RecordLoss(0, 1, names.id("reason"), 1), 0, 1);
            ship.tick(2_000_000_000L);
        }
        System.out.println("shipped without Kafka");
    }
}
