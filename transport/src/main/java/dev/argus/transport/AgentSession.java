package dev.argus.transport;

import dev.argus.model.NameTable;
import dev.argus.wire.NameBook;
import dev.argus.wire.SessionId;
import org.jspecify.annotations.Nullable;

/** What the receiver remembers of one session: two numbers and its names. Guarded by itself. */
final class AgentSession {
    final SessionId id;
    final String job;
    final String host;

    /** All frames up to it are settled. */
    long received;

    /** All frames up to it are in a snapshot that is stored. */
    long durable;

    /** When it was last heard of, by the receiver's own count. */
    volatile long heard;

    /** When it was last heard of, by a clock that is never set. */
    volatile long heardNanos;

    /** About what its names take, bytes. */
    volatile long namesBytes;

    private @Nullable NameTable table;
    private @Nullable NameBook names;

    AgentSession(SessionId id, String job, String host, long received) {
        this.id = id;
        this.job = job;
        this.host = host;
        this.received = received;
        this.durable = received;
    }

    /** Its names, none at first; they are not in snapshots and are asked for again. */
    NameBook names(NameTable table) {
        NameBook known = names;
        if (known == null || table != this.table) { // the job was forgotten, and has begun anew
            known = new NameBook(table);
            names = known;
            this.table = table;
        }
        return known;
    }

    /** Its names are asked for again. */
    void forgetNames() {
        names = null;
        table = null;
    }

    int namesKnown() {
        NameBook known = names;
        return known == null ? 0 : known.size();
    }
}
