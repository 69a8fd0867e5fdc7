package dev.argus.trace.export;

import dev.argus.trace.export.TrackPlace.Kind;
import dev.argus.wire.ProtoBuffer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Declares the processes, groups and tracks of a Perfetto trace, each by a number of the writer's own: ids of processes of several
 * hosts are equal too often, and readers silently merge them.
 */
final class PerfettoTracks {
    private static final int DESCRIPTOR = 60;
    private static final int UUID = 1;
    private static final int NAME = 2;
    private static final int PROCESS = 3;
    private static final int THREAD = 4;
    private static final int PARENT = 5;
    private static final int COUNTER = 8;
    private static final int CHILDREN = 11;
    private static final int ORDER = 12;

    private static final int EXPLICIT_ORDER = 3;
    private static final int NANOS = 1;

    /** Groups stand behind what is alone and before threads, which begin at 100. */
    private static final int GROUP_ORDER = 50;

    private static final int FIRST_THREAD = 1_000_000;

    private final PacketStream out;
    private final ProtoBuffer to;
    private final Map<String, Long> groups = new HashMap<>();
    private final Map<TrackPlace, Long> announced = new HashMap<>();
    private long nextUuid;
    private int processes;
    private long threads;

    /** @param before numbers up to this one, of tracks and of processes, belong to somebody else */
    PerfettoTracks(PacketStream out, int before) {
        this.nextUuid = before + 1L;
        this.processes = before;
        this.out = out;
        this.to = out.buffer();
    }

    private int open(long uuid) {
        int descriptor = to.open(DESCRIPTOR);
        to.number(UUID, uuid);
        return descriptor;
    }

    /** Says that processes and threads stand in the order given. */
    void root() throws IOException {
        int packet = out.openTable();
        int root = open(0);
        to.number(19, 1);
        to.number(20, 1);
        to.close(root);
        to.close(packet);
    }

    /** See {@link Timeline#process}. */
    int process(String name, int order, List<String> labels) throws IOException {
        processes++;
        long uuid = nextUuid++;
        groups.put(key(processes, ""), uuid);
        int packet = out.openTable();
        int descriptor = open(uuid);
        int process = to.open(PROCESS);
        to.number(1, processes);
        to.text(6, name);
        for (String label : labels) {
            to.text(8, label);
        }
        to.close(process);
        to.number(ORDER, order);
        to.close(descriptor);
        to.close(packet);
        return processes;
    }

    private static String key(int process, String group) {
        return process + "/" + group;
    }

    private long parent(TrackPlace place) throws IOException {
        if (place.process() < 0) {
            return 0;
        }
        String key = key(place.process(), place.group());
        Long known = groups.get(key);
        if (known != null) {
            return known;
        }
        long uuid = nextUuid++;
        groups.put(key, uuid);
        int packet = out.openTable();
        int descriptor = open(uuid);
        to.number(PARENT, groups.getOrDefault(key(place.process(), ""), 0L));
        to.text(NAME, place.group());
        to.number(CHILDREN, EXPLICIT_ORDER);
        to.number(ORDER, GROUP_ORDER);
        to.close(descriptor);
        to.close(packet);
        return uuid;
    }

    /** Declares the first lane of a track, which {@link #first} will ask for. */
    void announce(TrackPlace place) throws IOException {
        announced.put(place, track(place, place.kind() == Kind.THREAD));
    }

    /** The number of the first lane of a track, which is declared now if it was not announced. */
    long first(TrackPlace place) throws IOException {
        Long known = announced.remove(place);
        return known != null ? known : track(place, place.kind() == Kind.THREAD);
    }

    /** Declares a track, or a further lane of one, after its group where that is new; gives its number. */
    long track(TrackPlace place) throws IOException {
        return track(place, false);
    }

    private long track(TrackPlace place, boolean thread) throws IOException {
        long parent = parent(place);
        long uuid = nextUuid++;
        int packet = out.openTable();
        int descriptor = open(uuid);
        if (thread) {
            int of = to.open(THREAD);
            to.number(1, place.process());
            to.number(2, FIRST_THREAD + ++threads);
            to.text(5, place.name());
            to.close(of);
        } else {
            if (parent != 0) {
                to.number(PARENT, parent);
            }
            to.text(NAME, place.name());
        }
        if (place.kind() == Kind.NANOS || place.kind() == Kind.VALUES) {
            int counter = to.open(COUNTER);
            to.number(3, place.kind() == Kind.NANOS ? NANOS : 0);
            to.close(counter);
        }
        to.number(ORDER, place.order());
        to.close(descriptor);
        to.close(packet);
        return uuid;
    }
}
