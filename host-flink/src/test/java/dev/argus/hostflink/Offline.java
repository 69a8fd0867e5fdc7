package dev.argus.hostflink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Recorded frames judged at once, without Flink. */
public final class Offline {
    private Offline() {}

    /** Changes of the incidents of a job, from the recorded records of all partitions, ticks among them. */
    public static List<String> incidents(String job, List<Arrival> records, long gapMillis) {
        List<Arrival> all = records.stream().sorted(Arrival.ORDER).toList();
        HostedJob hosted = new HostedJob(job, HostOptions.DEFAULT);
        Map<Integer, Long> newest = new HashMap<>();
        boolean begun = false;
        for (Arrival a : all) {
            begun |= !a.isTick();
            Long before = newest.put(a.partition(), a.atMillis());
            if (begun && before != null && a.atMillis() - before > gapMillis) {
                hosted.gap(new Gap(before, a.atMillis()));
            }
            if (!a.isTick()) {
                hosted.add(a);
            }
        }
        List<String> said = new ArrayList<>();
        long end = newest.values().stream().mapToLong(t -> t).min().orElse(0);
        hosted.advance(end - 1, end, s -> {
            if (s.topic() == Said.INCIDENTS) {
                said.add(s.json());
            }
        });
        return said;
    }
}
