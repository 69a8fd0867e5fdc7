package dev.argus.agent.history;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CollectiveCall;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.StepMark;
import dev.argus.wire.WireWriter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A block of events that is being filled. It stands alone: it holds the texts of the names it uses. {@link EventBlockReader} reads it.
 *
 * <pre>
 * type:byte=2  first(s)  last(s)  names, names x text  events, then each event:
 *   1 gpu     activity | direction &lt;&lt; 4  name  start  duration  device(s)  stream(s)  correlation  work  bytes  call?
 *   2 launch  name  start  duration  thread  correlation  external
 *   3 span    kind  name  start  duration  process  thread  external  call?
 *   4 step    onGpu  number(s)  start  duration
 *   call: op  group + 1  sequence(s)  bytes(s)  peer(s)  size(s)  members + 1
 * </pre>
 *
 * <p>Starts are differences to the event before (zigzag), the kind of an event stands in the low 3 bits of a byte whose bit 3 says that a call follows. Some 20
 * bytes an event. Not thread-safe.
 */
final class EventBlock implements TraceEventSink {
    static final int TYPE = 2;
    static final int GPU = 1;
    static final int LAUNCH = 2;
    static final int SPAN = 3;
    static final int STEP = 4;
    static final int KIND_MASK = 7;
    static final int CALL = 8;
    static final int DIRECTION_SHIFT = 4;

    /** Longer names are cut: a block must stay small. */
    static final int LONGEST_NAME = 512;

    private static final int LATELY = 256; // a power of two

    private final NameTable names;
    private final Map<Integer, Integer> local = new HashMap<>();

    /** Names used lately by the last bits of their ids, and their places: most events have one of them. */
    private final int[] lately = new int[LATELY];

    private final int[] places = new int[LATELY];
    private final WireWriter texts = new WireWriter();
    private final WireWriter events = new WireWriter();
    private int count;
    private long before;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    EventBlock(NameTable names) {
        this.names = names;
        Arrays.fill(lately, -1);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Bytes so far, about. */
    int length() {
        return texts.length() + events.length();
    }

    long firstNanos() {
        return first;
    }

    long lastNanos() {
        return last;
    }

    /** The block, and an empty one. */
    byte[] take() {
        WireWriter out = new WireWriter();
        out.writeByte(TYPE).writeSigned(first).writeSigned(last);
        out.writeVarint(local.size()).writeRaw(texts.toByteArray());
        out.writeVarint(count).writeRaw(events.toByteArray());
        local.clear();
        Arrays.fill(lately, -1);
        texts.reset();
        events.reset();
        count = 0;
        before = 0;
        first = Long.MAX_VALUE;
        last = Long.MIN_VALUE;
        return out.toByteArray();
    }

    private int name(int id) {
        int at = id & (LATELY - 1);
        if (lately[at] != id) {
            places[at] = placeOf(id);
            lately[at] = id;
        }
        return places[at];
    }

    private int placeOf(int id) {
        Integer known = local.get(id);
        if (known == null) {
            known = local.size();
            local.put(id, known);
            String text = names.name(id);
            texts.writeText(text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "…");
        }
        return known;
    }

    private void time(long start, long duration) {
        events.writeSigned(start - before).writeVarint(duration);
        before = start;
        first = Math.min(first, start);
        last = Math.max(last, start + duration);
        count++;
    }

    @Override
    public void gpu(GpuEvent e) {
        int name = name(e.name());
        events.writeByte(GPU | (e.collective() == null ? 0 : CALL))
                .writeByte(e.activity().ordinal() | e.direction().ordinal() << DIRECTION_SHIFT)
                .writeVarint(name);
        time(e.startNanos(), e.durationNanos());
        events.writeSigned(e.device())
                .writeSigned(e.stream())
                .writeVarint(e.correlation())
                .writeVarint(e.workItems())
                .writeVarint(e.bytes());
        call(e.collective());
    }

    @Override
    public void launch(LaunchEvent e) {
        int name = name(e.name());
        events.writeByte(LAUNCH).writeVarint(name);
        time(e.startNanos(), e.durationNanos());
        events.writeVarint(e.thread()).writeVarint(e.correlation()).writeVarint(e.externalId());
    }

    @Override
    public void span(CpuSpan e) {
        int name = name(e.name());
        events.writeByte(SPAN | (e.collective() == null ? 0 : CALL))
                .writeByte(e.kind().ordinal())
                .writeVarint(name);
        time(e.startNanos(), e.durationNanos());
        events.writeVarint(e.process()).writeVarint(e.thread()).writeVarint(e.externalId());
        call(e.collective());
    }

    @Override
    public void step(StepMark m) {
        events.writeByte(STEP).writeByte(m.onGpu() ? 1 : 0).writeSigned(m.step());
        time(m.startNanos(), m.durationNanos());
    }

    @Override
    public void quarantine(String reason) {
        // no event
    }

    private void call(@Nullable CollectiveCall c) {
        if (c == null) {
            return;
        }
        int group = c.group() < 0 ? 0 : name(c.group()) + 1;
        int members = c.members() < 0 ? 0 : name(c.members()) + 1;
        events.writeByte(c.op().ordinal())
                .writeVarint(group)
                .writeSigned(c.sequence())
                .writeSigned(c.bytes())
                .writeSigned(c.peer())
                .writeSigned(c.groupSize())
                .writeVarint(members);
    }
}
