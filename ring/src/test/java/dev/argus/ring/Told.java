package dev.argus.ring;

import dev.argus.model.NameTable;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a consumer is told, one line a call, with names as texts. */
final class Told implements RingConsumer {
    final List<String> lines = new ArrayList<>();
    private final NameTable names;

    Told(NameTable names) {
        this.names = names;
    }

    private String name(int id) {
        return id == NONE ? "-" : names.name(id);
    }

    private void tell(Object... parts) {
        StringBuilder line = new StringBuilder();
        for (Object part : parts) {
            line.append(line.isEmpty() ? "" : " ").append(part);
        }
        lines.add(line.toString());
    }

    @Override
    public void kernel(
            int device, int name, long start, long duration, int stream, long correlation, long work, int flags) {
        tell("kernel", device, flags, name(name), start, duration, stream, correlation, work);
    }

    @Override
    public void copy(
            int device, int direction, long bytes, long start, long duration, int stream, long correlation, int flags) {
        tell("copy", device, direction, flags, bytes, start, duration, stream, correlation);
    }

    @Override
    public void set(int device, long bytes, long start, long duration, int stream, long correlation, int flags) {
        tell("set", device, flags, bytes, start, duration, stream, correlation);
    }

    @Override
    public void launch(int name, long start, long duration, int thread, long correlation, long externalId, int flags) {
        tell("launch", flags, name(name), start, duration, thread, correlation, externalId);
    }

    @Override
    public void step(int flags, long start, long duration, int thread, long number) {
        tell("step", flags, start, duration, thread, number);
    }

    @Override
    public void span(
            int kind,
            int dimension,
            int flags,
            int name,
            long start,
            long duration,
            int thread,
            int enclosing,
            long externalId) {
        tell("span", kind, dimension, flags, name(name), start, duration, thread, name(enclosing), externalId);
    }

    @Override
    public void collective(
            int op,
            int flags,
            int group,
            long start,
            long duration,
            int thread,
            long correlation,
            int peer,
            int operations,
            long bytes,
            long sequence,
            int groupSize,
            int name) {
        tell(
                "collective",
                op,
                flags,
                group,
                start,
                duration,
                thread,
                correlation,
                peer,
                operations,
                bytes,
                sequence,
                groupSize,
                name(name));
    }

    @Override
    public void group(int dimension, int group, int name, int description, int members, int size) {
        tell("group", dimension, group, name(name), name(description), name(members), size);
    }

    @Override
    public void identity(int key, int string, long value) {
        tell("identity", key, name(string), value);
    }

    @Override
    public void clock(long here, long monotonic, long realtime) {
        tell("clock", here, monotonic, realtime);
    }

    @Override
    public void loss(LossReason reason, long from, long to, long count) {
        tell("loss", reason, from, to, count);
    }
}
