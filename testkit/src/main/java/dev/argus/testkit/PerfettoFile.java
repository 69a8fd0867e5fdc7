package dev.argus.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads a Perfetto trace as its trace processor does: the independent side of tests of what writes one. Written from the wire format;
 * knows only what it needs, and fails on a packet it does not know.
 *
 * <p>Packets take their clock and their names in the order of the file, then all are sorted by time, equal times in the order of the
 * file; an end closes what was opened last on its track.
 */
public final class PerfettoFile {
    /**
     * An interval.
     *
     * @param process name of its process
     * @param pid id of its process, 0 for none
     * @param group name of the track above its own, empty when that is the process
     * @param track name of its track
     * @param name its name
     * @param start nanoseconds
     * @param duration nanoseconds
     * @param flows ids of flows through it
     * @param details its annotations
     */
    public record Slice(
            String process,
            long pid,
            String group,
            String track,
            String name,
            long start,
            long duration,
            List<Long> flows,
            Map<String, String> details) {}

    /** A moment, with its call stack, outermost first. */
    public record Instant(
            String process, String track, long time, String name, Map<String, String> details, List<String> frames) {}

    /** A number at a time. */
    public record Count(String process, String track, long time, double value) {}

    /** A process. */
    public record Owner(String name, long pid, List<String> labels, long order) {}

    /** Intervals in the order in which they begin. */
    public final List<Slice> slices = new ArrayList<>();

    /** Moments by time. */
    public final List<Instant> instants = new ArrayList<>();

    /** Numbers by time. */
    public final List<Count> counts = new ArrayList<>();

    /** Processes by their track. */
    public final Map<Long, Owner> processes = new TreeMap<>();

    /** What the file says of itself. */
    public final Map<String, String> about = new LinkedHashMap<>();

    /** What a reader would get wrong or drop. */
    public final List<String> errors = new ArrayList<>();

    /** How often what was interned became void and began anew. */
    public int forgotten;

    /** Packets that hold packed packets. */
    public int packs;

    private record Track(long parent, String name, boolean counter) {}

    private record Event(
            long time,
            int type,
            long track,
            String name,
            List<Long> flows,
            Map<String, String> details,
            List<String> frames,
            double value) {}

    /** A clock of the sequence that counts on from the packet before. */
    private static final class Clock {
        final long unit;
        long nanos;

        Clock(long unit, long nanos) {
            this.unit = unit;
            this.nanos = nanos;
        }
    }

    private final Map<Long, Track> tracks = new HashMap<>();
    private final List<Event> events = new ArrayList<>();
    private final Map<Long, Map<Long, String>> interned = new HashMap<>();
    private final Map<Long, Clock> clocks = new HashMap<>();
    private boolean cleared;
    private long defaultClock;
    private long defaultTrack;

    private PerfettoFile() {}

    /** Reads a whole file. */
    public static PerfettoFile of(byte[] bytes) {
        PerfettoFile file = new PerfettoFile();
        file.packets(new Fields(bytes), true);
        file.play();
        return file;
    }

    /** Fields of one message: each a number and a value. */
    private static final class Fields {
        private final byte[] bytes;
        private int at;
        int number;
        long value;
        byte[] block = {};

        Fields(byte[] bytes) {
            this.bytes = bytes;
        }

        boolean next() {
            if (at == bytes.length) {
                return false;
            }
            long tag = varint();
            number = (int) (tag >>> 3);
            switch ((int) (tag & 7)) {
                case 0 -> value = varint();
                case 1 -> {
                    value = 0;
                    for (int i = 0; i < 8; i++) {
                        value |= (bytes[at++] & 0xFFL) << (8 * i);
                    }
                }
                case 2 -> {
                    int length = Math.toIntExact(varint());
                    block = Arrays.copyOfRange(bytes, at, at + length);
                    at += length;
                    if (at > bytes.length) {
                        throw new IllegalStateException("a block reaches beyond the end");
                    }
                }
                default -> throw new IllegalStateException("wire type " + (tag & 7));
            }
            return true;
        }

        private long varint() {
            long sum = 0;
            for (int shift = 0; shift < 70; shift += 7) {
                byte b = bytes[at++];
                sum |= (b & 0x7FL) << shift;
                if (b >= 0) {
                    return sum;
                }
            }
            throw new IllegalStateException("a varint of more than 10 bytes");
        }

        String text() {
            return new String(block, StandardCharsets.UTF_8);
        }

        Fields nested() {
            return new Fields(block);
        }
    }

    private void packets(Fields in, boolean outer) {
        while (in.next()) {
            if (in.number != 1) {
                throw new IllegalStateException("field " + in.number + " where packets are expected");
            }
            packet(in.nested(), outer);
        }
    }

    private void packet(Fields in, boolean outer) {
        Map<Integer, byte[]> blocks = new LinkedHashMap<>();
        Map<Integer, Long> numbers = new HashMap<>();
        boolean timed = false;
        while (in.next()) {
            switch (in.number) {
                case 8, 10, 13, 58 -> {
                    numbers.put(in.number, in.value);
                    timed |= in.number == 8;
                }
                case 6, 11, 12, 50, 59, 60, 126 -> blocks.put(in.number, in.block);
                default -> throw new IllegalStateException("packet field " + in.number);
            }
        }
        if (blocks.containsKey(50)) {
            packs++;
            if (!outer) {
                throw new IllegalStateException("packed packets inside packed packets");
            }
            packets(new Fields(inflate(blocks.get(50))), false);
            return;
        }
        if (numbers.getOrDefault(10, 0L) == 0) {
            errors.add("a packet without sequence");
        }
        if ((numbers.getOrDefault(13, 0L) & 1) != 0) {
            forgotten += cleared ? 1 : 0;
            cleared = true;
            interned.clear();
            defaultClock = 0;
            defaultTrack = 0;
        }
        blocks.forEach((field, block) -> {
            switch (field) {
                case 6 -> snapshot(new Fields(block));
                case 12 -> interned(new Fields(block));
                case 59 -> defaults(new Fields(block));
                case 60 -> descriptor(new Fields(block));
                case 126 -> about(new Fields(block));
                default -> {
                    // The event, below: it needs the names of its own packet.
                }
            }
        });
        if (blocks.containsKey(11)) {
            Clock clock = clocks.get(numbers.getOrDefault(58, defaultClock));
            if (!timed || clock == null) {
                errors.add("an event without a time on a clock of its sequence");
                return;
            }
            clock.nanos += numbers.getOrDefault(8, 0L) * clock.unit;
            event(new Fields(blocks.get(11)), clock.nanos);
        }
    }

    private static byte[] inflate(byte[] packed) {
        Inflater inflater = new Inflater();
        inflater.setInput(packed);
        byte[] out = new byte[1 << 20];
        int length = 0;
        try {
            while (!inflater.finished()) {
                if (length == out.length) {
                    out = Arrays.copyOf(out, 2 * length);
                }
                int n = inflater.inflate(out, length, out.length - length);
                if (n == 0 && !inflater.finished()) {
                    throw new IllegalStateException("packed packets are cut");
                }
                length += n;
            }
        } catch (DataFormatException e) {
            throw new IllegalStateException("packed packets are no zlib", e);
        } finally {
            inflater.end();
        }
        return Arrays.copyOf(out, length);
    }

    private void snapshot(Fields in) {
        long anchor = 0;
        while (in.next()) {
            Fields of = in.nested();
            long id = 0;
            long time = 0;
            long unit = 1;
            boolean incremental = false;
            while (of.next()) {
                id = of.number == 1 ? of.value : id;
                time = of.number == 2 ? of.value : time;
                incremental |= of.number == 3 && of.value == 1;
                unit = of.number == 4 ? of.value : unit;
            }
            if (incremental && (id < 64 || id > 127)) {
                errors.add("clock " + id + " is no clock of a sequence and counts on");
            } else if (incremental) {
                clocks.put(id, new Clock(unit, time * unit));
            }
            anchor = id == 6 ? time : anchor;
        }
        for (Clock clock : clocks.values()) {
            if (clock.nanos != anchor) {
                errors.add("a clock is not anchored to itself");
            }
        }
    }

    private void interned(Fields in) {
        if (!cleared) {
            errors.add("names before the sequence was cleared");
            return;
        }
        while (in.next()) {
            Fields of = in.nested();
            long iid = 0;
            String text = "";
            while (of.next()) {
                iid = of.number == 1 ? of.value : iid;
                text = of.number == 2 ? of.text() : text;
            }
            String before = interned.computeIfAbsent((long) in.number, n -> new HashMap<>())
                    .putIfAbsent(iid, text);
            if (iid == 0 || (before != null && !before.equals(text))) {
                errors.add("interned id " + iid + " is 0 or changed");
            }
        }
    }

    private String interned(int table, long iid) {
        String text = interned.getOrDefault((long) table, Map.of()).get(iid);
        if (text == null) {
            errors.add("interned id " + iid + " of table " + table + " is unknown");
            return "?";
        }
        return text;
    }

    private void defaults(Fields in) {
        defaultClock = 0;
        defaultTrack = 0;
        while (in.next()) {
            if (in.number == 58) {
                defaultClock = in.value;
            } else if (in.number == 11) {
                Fields event = in.nested();
                while (event.next()) {
                    defaultTrack = event.number == 11 ? event.value : defaultTrack;
                }
            }
        }
    }

    private void descriptor(Fields in) {
        long uuid = -1;
        long parent = 0;
        long order = 0;
        String name = "";
        boolean counter = false;
        byte[] process = {};
        byte[] thread = {};
        while (in.next()) {
            switch (in.number) {
                case 1 -> uuid = in.value;
                case 2 -> name = in.text();
                case 3 -> process = in.block;
                case 4 -> thread = in.block;
                case 5 -> parent = in.value;
                case 8 -> counter = true;
                case 12 -> order = in.value;
                case 11, 19, 20 -> {
                    // How it is shown.
                }
                default -> throw new IllegalStateException("descriptor field " + in.number);
            }
        }
        if (process.length > 0) {
            process(uuid, order, new Fields(process));
        }
        if (thread.length > 0) {
            Fields of = new Fields(thread);
            long pid = 0;
            while (of.next()) {
                pid = of.number == 1 ? of.value : pid;
                name = of.number == 5 ? of.text() : name;
            }
            parent = processOf(pid);
        }
        if (tracks.putIfAbsent(uuid, new Track(parent, name, counter)) != null) {
            errors.add("track " + uuid + " is declared twice");
        }
    }

    private void process(long uuid, long order, Fields of) {
        long pid = 0;
        String name = "";
        List<String> labels = new ArrayList<>();
        while (of.next()) {
            switch (of.number) {
                case 1 -> pid = of.value;
                case 6 -> name = of.text();
                case 8 -> labels.add(of.text());
                default -> throw new IllegalStateException("process field " + of.number);
            }
        }
        if (processOf(pid) != 0 || pid == 0) {
            errors.add("process id " + pid + " is 0 or taken");
        }
        processes.put(uuid, new Owner(name, pid, labels, order));
    }

    private long processOf(long pid) {
        return processes.entrySet().stream()
                .filter(e -> e.getValue().pid == pid)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(0L);
    }

    private void about(Fields in) {
        while (in.next()) {
            Fields of = in.nested();
            String key = "";
            String value = "";
            while (of.next()) {
                key = of.number == 1 ? of.text() : key;
                value = of.number == 3 ? of.text() : value;
            }
            about.put(key, value);
        }
    }

    private void event(Fields in, long time) {
        int type = 0;
        long track = defaultTrack;
        String name = "";
        double value = 0;
        List<Long> flows = new ArrayList<>();
        Map<String, String> details = new LinkedHashMap<>();
        List<String> frames = new ArrayList<>();
        while (in.next()) {
            switch (in.number) {
                case 9 -> type = (int) in.value;
                case 10 -> name = interned(2, in.value);
                case 11 -> track = in.value;
                case 23 -> name = in.text();
                case 30 -> value = in.value;
                case 44 -> value = Double.longBitsToDouble(in.value);
                case 47 -> flows.add(in.value);
                case 4 -> annotation(in.nested(), details);
                case 55 -> frames(in.nested(), frames);
                default -> throw new IllegalStateException("event field " + in.number);
            }
        }
        events.add(new Event(time, type, track, name, flows, details, frames, value));
    }

    private void annotation(Fields in, Map<String, String> details) {
        String name = "";
        String value = "";
        while (in.next()) {
            switch (in.number) {
                case 1 -> name = interned(3, in.value);
                case 10 -> name = in.text();
                case 4 -> value = Long.toString(in.value);
                case 6 -> value = in.text();
                case 17 -> value = interned(29, in.value);
                default -> throw new IllegalStateException("annotation field " + in.number);
            }
        }
        details.put(name, value);
    }

    private static void frames(Fields in, List<String> frames) {
        while (in.next()) {
            Fields of = in.nested();
            while (of.next()) {
                frames.add(of.text());
            }
        }
    }

    private void play() {
        events.sort(Comparator.comparingLong(Event::time));
        Map<Long, Deque<Integer>> open = new HashMap<>();
        for (Event e : events) {
            Track track = tracks.get(e.track);
            if (track == null) {
                errors.add("track " + e.track + " is not declared");
                continue;
            }
            String process = processName(e.track);
            switch (e.type) {
                case 1 -> {
                    Deque<Integer> stack = open.computeIfAbsent(e.track, t -> new ArrayDeque<>());
                    if (stack.size() >= 512) {
                        errors.add("nested deeper than 512");
                    }
                    stack.push(slices.size());
                    slices.add(slice(e, track));
                }
                case 2 -> {
                    Deque<Integer> stack = open.getOrDefault(e.track, new ArrayDeque<>());
                    if (stack.isEmpty()) {
                        errors.add("an end without a begin");
                    } else {
                        int at = stack.pop();
                        slices.set(at, ended(slices.get(at), e.time));
                    }
                }
                case 3 -> instants.add(new Instant(process, track.name, e.time, e.name, e.details, e.frames));
                case 4 -> {
                    counts.add(new Count(process, track.name, e.time, e.value));
                    if (!track.counter) {
                        errors.add("a number on a track that is no counter");
                    }
                }
                default -> errors.add("event type " + e.type);
            }
        }
        slices.stream().filter(s -> s.duration < 0).forEach(s -> errors.add("never ended: " + s.name));
    }

    private static Slice ended(Slice s, long end) {
        return new Slice(s.process, s.pid, s.group, s.track, s.name, s.start, end - s.start, s.flows, s.details);
    }

    /** An interval without an end yet. */
    private Slice slice(Event e, Track track) {
        Track above = tracks.getOrDefault(track.parent, new Track(0, "", false));
        String group = processes.containsKey(track.parent) ? "" : above.name;
        Owner process = process(e.track);
        return new Slice(process.name, process.pid, group, track.name, e.name, e.time, -1, e.flows, e.details);
    }

    private String processName(long track) {
        return process(track).name;
    }

    private Owner process(long track) {
        long at = track;
        while (at != 0 && !processes.containsKey(at)) {
            Track of = tracks.get(at);
            at = of == null ? 0 : of.parent;
        }
        return processes.getOrDefault(at, new Owner("", 0, List.of(), 0));
    }
}
