package dev.argus.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.argus.model.NameTable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * An agent for tests that kill it: appends one frame after the other, and notes each number once the spool has taken it.
 * Arguments: folder of the spool, address, file of notes, first number, how many.
 */
final class CrashAgent {
    private CrashAgent() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path notes = Path.of(args[2]);
        NameTable names = new NameTable();
        long pid = ProcessHandle.current().pid();
        SenderSettings settings = SenderSettings.of(URI.create(args[1]), Shipping.JOB, Shipping.HOST, "", pid)
                .timed(Duration.ofSeconds(5), Duration.ofMillis(20), Duration.ofMillis(2), Duration.ofMillis(50))
                .sized(20, 1 << 16);
        try (Spool spool = Spool.open(Path.of(args[0]), new SpoolLimits(64 << 20, 64 << 10, 1 << 20));
                FrameSender sender = new FrameSender(settings, spool, c -> true)) {
            sender.start();
            Outbox outbox = Shipping.outbox(spool, names);
            long first = Long.parseLong(args[3]);
            long count = Long.parseLong(args[4]);
            for (long serial = first; serial < first + count; serial++) {
                outbox.add(Shipping.record(names, serial));
                outbox.flush();
                Files.write(
                        notes,
                        (serial + "\n").getBytes(US_ASCII),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
                Thread.sleep(1);
            }
            while (spool.frames() > 0) {
                Thread.sleep(5);
            }
        }
    }
}
