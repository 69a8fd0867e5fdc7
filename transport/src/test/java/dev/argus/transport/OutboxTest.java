package dev.argus.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.NameTable;
import dev.argus.model.StackRecord;
import dev.argus.model.StackRecord.Stack;
import dev.argus.wire.Shipment;
import dev.argus.wire.ShipmentReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTest {
    @TempDir
    Path folder;

    private static final class Disk implements DiskWriter {
        boolean broken = true;

        @Override
        public int write(FileChannel to, ByteBuffer from, long at) throws IOException {
            if (broken) {
                throw new IOException("No space left on device");
            }
            return to.write(from, at);
        }
    }

    /** Each record is received or told of as lost, once: what tells of losses is no record that was lost. */
    @Test
    void whatTheSpoolDoesNotTakeIsToldWithTheNextFrameItTakes() throws IOException {
        NameTable names = new NameTable();
        Shipping.Sink sink = new Shipping.Sink();
        Disk disk = new Disk();
        int records = 80;
        try (Spool spool = Spool.open(folder.resolve("spool"), new SpoolLimits(1 << 20, 4_096, 0), disk)) {
            Outbox outbox = Shipping.outbox(spool, names);
            for (int i = 1; i <= records; i++) {
                disk.broken = i < 10;
                outbox.add(Shipping.record(names, i));
                outbox.flush();
            }
            ship(spool, sink);
        }
        assertThat(sink.wrong).isEmpty();
        assertThat(sink.serials).hasSizeBetween(1, records - 10).containsKey((long) records);
        assertThat(sink.told)
                .containsEntry(Outbox.NOT_SPOOLED, (long) records - sink.serials.size())
                .containsEntry(SpoolLoss.DISK_FULL, (long) records - sink.serials.size());
    }

    /** A window of kernels of a large model: names of several hundred characters, and thousands of them. */
    @Test
    void moreNamesThanAFrameHoldsCostNoRecord() throws IOException {
        NameTable names = new NameTable();
        Shipping.Sink sink = new Shipping.Sink();
        try (Spool spool = Spool.open(folder.resolve("spool"), SpoolLimits.DEFAULT)) {
            Outbox outbox = Shipping.outbox(spool, names);
            for (int i = 1; i <= 5; i++) {
                outbox.add(Shipping.record(names, i));
                int[] frames = new int[1_000];
                Arrays.setAll(frames, f -> names.id("kernel " + f / 2 + "x".repeat(9_000)));
                outbox.add(new StackRecord(0, i, -1, List.of(new Stack(-1, true, 1, frames)), 1, true));
                outbox.flush();
            }
            ship(spool, sink);
            assertThat(spool.losses()).isEmpty();
        }
        assertThat(sink.wrong).isEmpty();
        assertThat(sink.told).isEmpty();
        assertThat(sink.serials).containsOnlyKeys(1L, 2L, 3L, 4L, 5L);
        assertThat(sink.stacks)
                .hasSize(5)
                .allSatisfy(stack -> assertThat(
                                Arrays.stream(stack.stacks().getFirst().frames())
                                        .distinct())
                        .hasSize(500));
    }

    private static void ship(Spool spool, Shipping.Sink sink) {
        FrameReceiver receiver = new FrameReceiver(sink, CommandSource.NONE, true, 100);
        List<SpoolEntry> entries = spool.read(spool.sessions().getFirst(), 0, 1_000, 1 << 28);
        ShipmentReply reply = receiver.receive(new Shipment(
                entries.getFirst().session(),
                Shipping.JOB,
                Shipping.HOST,
                1,
                1,
                false,
                0,
                List.of(),
                entries.stream()
                        .map(e -> new Shipment.Numbered(e.counter(), e.frame()))
                        .toList()));
        assertThat(reply.verdict()).isEqualTo(ShipmentReply.Verdict.ACCEPTED);
    }
}
