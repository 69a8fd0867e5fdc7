package dev.argus.kafka;

import dev.argus.model.AgentRecord;
import dev.argus.model.NameTable;
import dev.argus.model.RecordLoss;
import dev.argus.transport.Outbox;
import dev.argus.transport.Spool;
import dev.argus.wire.Frame;
import dev.argus.wire.FrameReader;
import dev.argus.wire.NameBook;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.WireReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** An agent that makes frames, each with a name of its own, and a reader of the topic as the contract has it. */
final class Frames {
    static final String JOB = "a job";
    static final String HOST = "n1";
    static final int NAMES_BEFORE = 3;

    private static final AtomicLong SESSIONS = new AtomicLong(1000);

    final NameTable names = new NameTable();
    final Outbox outbox;
    private int made;

    Frames(Spool spool) {
        outbox = new Outbox(
                spool, JOB, HOST, names, () -> new SessionId(7, SESSIONS.incrementAndGet()), () -> 1_790_000_000L);
    }

    /** One frame with one record, whose reason is a name that was never used before. */
    void make() {
        made++;
        outbox.add(new RecordLoss(0, 1, names.id("reason " + made), made));
        if (made > 1) {
            outbox.add(new RecordLoss(0, 2, names.id("reason 1"), made)); // needs what an earlier frame brought
        }
        outbox.flush();
    }

    int made() {
        return made;
    }

    /** Reads what is in a topic: each frame once by its number, with its names. */
    static final class Reader {
        final Map<SessionId, NameBook> books = new HashMap<>();
        final Map<SessionId, NameTable> tables = new HashMap<>();
        final Map<SessionId, Long> cursors = new HashMap<>();
        final Map<String, Integer> reasons = new TreeMap<>();
        final List<Shipment> shipments = new ArrayList<>();
        int frames;
        int duplicates;
        int namesMissing;
        long holes;

        void take(byte[] value) {
            Shipment s = Shipment.decode(value);
            shipments.add(s);
            NameTable table = tables.computeIfAbsent(s.session(), id -> new NameTable());
            NameBook book = books.computeIfAbsent(s.session(), id -> new NameBook(table));
            s.names().forEach(b -> book.learn(new WireReader(b)));
            for (Shipment.Numbered n : s.frames()) {
                long cursor = cursors.getOrDefault(s.session(), 0L);
                if (n.counter() <= cursor) {
                    duplicates++;
                    continue;
                }
                holes += n.counter() - cursor - 1;
                cursors.put(s.session(), n.counter());
                Frame frame = new FrameReader().read(n.bytes(), book);
                if (frame == null) {
                    namesMissing++;
                    continue;
                }
                frames++;
                for (AgentRecord record : frame.records()) {
                    if (record instanceof RecordLoss loss && loss.rank() == 1) {
                        reasons.merge(table.name(loss.reason()), 1, Integer::sum);
                    }
                }
            }
        }
    }
}
