package dev.argus.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The kernels of one rank, as a trace gave them.
 *
 * @param label what the file is called
 * @param events every kernel, in the order of the trace
 */
record KernelTrace(String label, List<Event> events) {
    KernelTrace {
        events = List.copyOf(events);
    }

    /** One kernel; window is the step that launched it. */
    record Event(String name, int stream, long window, long startNanos, long nanos) {}

    /** Kernel and stream. */
    record Key(String name, int stream) {}

    /** The events by window, ascending. */
    Map<Long, List<Event>> windows() {
        Map<Long, List<Event>> windows = new TreeMap<>();
        events.forEach(
                e -> windows.computeIfAbsent(e.window(), w -> new ArrayList<>()).add(e));
        return windows;
    }

    /** The same events as one window. */
    KernelTrace whole() {
        return new KernelTrace(
                label,
                events.stream()
                        .map(e -> new Event(e.name(), e.stream(), 0, e.startNanos(), e.nanos()))
                        .toList());
    }

    /** Ascending durations by key, in the order in which the keys appear. */
    static Map<Key, long[]> durations(List<Event> events) {
        Map<Key, List<Long>> lists = new LinkedHashMap<>();
        events.forEach(e -> lists.computeIfAbsent(new Key(e.name(), e.stream()), k -> new ArrayList<>())
                .add(e.nanos()));
        Map<Key, long[]> durations = new LinkedHashMap<>();
        lists.forEach((key, list) -> durations.put(
                key, list.stream().mapToLong(Long::longValue).sorted().toArray()));
        return durations;
    }
}
