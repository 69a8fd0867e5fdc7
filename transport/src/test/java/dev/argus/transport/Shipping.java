package dev.argus.transport;

import dev.argus.model.AgentRecord;
import dev.argus.model.NameTable;
import dev.argus.model.RecordLoss;
import dev.argus.model.StackRecord;
import dev.argus.wire.Frame;
import dev.argus.wire.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Records that say who they are, and a sink that looks closely. */
final class Shipping {
    static final String JOB = "job";
    static final String HOST = "host0";

    private static final AtomicLong SESSIONS = new AtomicLong();

    private Shipping() {}

    static SessionId session() {
        return new SessionId(ProcessHandle.current().pid(), SESSIONS.incrementAndGet());
    }

    /** A record that carries a number, and a name that belongs to it. */
    static AgentRecord record(NameTable names, long serial) {
        return new RecordLoss(0, 0, names.id(name(serial)), serial);
    }

    /** New names now and then, old ones again. */
    static String name(long serial) {
        return "name " + (serial % 3 == 0 ? serial / 10 : serial % 7);
    }

    static Outbox outbox(Spool spool, NameTable names) {
        return new Outbox(spool, JOB, HOST, names, Shipping::session, () -> 1L);
    }

    /** What a server has made of frames; can be copied, as a snapshot does. */
    static class Sink implements FrameSink {
        final NameTable names = new NameTable();
        final Map<SessionId, Long> last = new HashMap<>();
        final Map<Long, Integer> serials = new TreeMap<>();
        final Map<String, Long> told = new TreeMap<>();
        final List<String> wrong = new ArrayList<>();
        final List<StackRecord> stacks = new ArrayList<>();
        long missing;
        volatile boolean full;

        @Override
        public @Nullable NameTable names(String job) {
            return names;
        }

        @Override
        public synchronized boolean take(Frame frame) {
            if (full) {
                return false;
            }
            long before = last.getOrDefault(frame.head().session(), 0L);
            if (frame.head().counter() <= before) {
                wrong.add("frame " + frame.head().counter() + " behind " + before);
            }
            last.put(frame.head().session(), frame.head().counter());
            for (AgentRecord r : frame.records()) {
                if (r instanceof RecordLoss l && l.rank() == 0) {
                    serials.merge(l.count(), 1, Integer::sum);
                    if (!names.name(l.reason()).equals(name(l.count()))) {
                        wrong.add(l.count() + " is called " + names.name(l.reason()));
                    }
                } else if (r instanceof RecordLoss l) {
                    told.merge(names.name(l.reason()), l.count(), Long::sum);
                } else if (r instanceof StackRecord s) {
                    stacks.add(s);
                }
            }
            return true;
        }

        @Override
        public synchronized void missing(SessionId session, String job, String host, long first, long lastOne) {
            missing += lastOne - first + 1;
        }

        /** A server that starts anew with what was stored: its table of names has other ids. */
        synchronized Sink copy() {
            Sink copy = new Sink();
            copy.names.id("another id for the first name");
            copy.last.putAll(last);
            copy.serials.putAll(serials);
            copy.told.putAll(told);
            copy.wrong.addAll(wrong);
            copy.stacks.addAll(stacks);
            copy.missing = missing;
            return copy;
        }
    }
}
