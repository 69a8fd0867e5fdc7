package dev.argus.benchmarks;

import dev.argus.hostlocal.report.KernelPicture;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.HeatMapData;
import dev.argus.server.job.HeatValue;
import dev.argus.server.job.JobView;
import dev.argus.storage.Rows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** One large job that is all made: 12 stages, hosts of 8, noise of 1 %, a rank that is slow from the middle on, a single bad cell, and cells that nothing was reported of. */
final class MadeFleet implements Fleet {
    static final String JOB = "made";
    private static final int PER_HOST = 8;
    private static final int STAGES = 12;
    private static final float STEP_SECONDS = 4;
    private static final float NOISE = 0.01f;

    private final JobView view;
    private final HeatMapData map;

    /** @param ranks a multiple of 96 */
    MadeFleet(int ranks, int steps) {
        Map<Integer, String> hosts = new HashMap<>();
        Map<Integer, Integer> gpus = new HashMap<>();
        int[] all = new int[ranks];
        for (int r = 0; r < ranks; r++) {
            all[r] = r;
            hosts.put(r, "n" + r / PER_HOST);
            gpus.put(r, r % PER_HOST);
        }
        List<RankSet> stages = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        for (int s = 0; s < STAGES; s++) {
            stages.add(RankSet.range(s * ranks / STAGES, (s + 1) * ranks / STAGES - 1));
            labels.add("stage " + (s + 1) + " of " + STAGES);
        }
        Topology layout = new Topology(
                List.of(
                        new Topology.Dimension("tp", PER_HOST),
                        new Topology.Dimension("dp", ranks / PER_HOST / STAGES),
                        new Topology.Dimension("pp", STAGES)),
                "given");
        JobShape shape = new JobShape(
                0, ranks, RankSet.of(all), hosts, gpus, Map.of(), layout, List.of(), Map.of(), stages, labels);
        long now = System.currentTimeMillis() * 1_000_000;
        view = new JobView(
                JOB,
                0,
                shape,
                ranks,
                shape.ranks(),
                RankSet.EMPTY,
                steps - 1L,
                new Rows.Step(JOB, 0, steps - 1L, now, 4_000_000_000L, 4_100_000_000L, 7, ranks),
                List.of(),
                4_000_000_000L,
                now,
                now,
                0,
                false,
                false,
                List.of(),
                List.of(),
                0,
                steps * 4e9,
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                JobView.Gone.NONE);
        map = map(all, steps);
    }

    private static HeatMapData map(int[] ranks, int steps) {
        SplittableRandom random = new SplittableRandom(8);
        long[] numbers = new long[steps];
        for (int c = 0; c < steps; c++) {
            numbers[c] = c;
        }
        float[] seconds = new float[ranks.length * steps];
        for (int r = 0; r < ranks.length; r++) {
            int stage = r * STAGES / ranks.length;
            float own = STEP_SECONDS * (1 + 0.1f * stage);
            for (int c = 0; c < steps; c++) {
                float slow = r == ranks.length / 3 && c > steps / 2 ? 1.3f : 1;
                seconds[r * steps + c] = random.nextInt(5000) == 0
                        ? Float.NaN
                        : own * slow * (1 + NOISE * (float) random.nextGaussian());
            }
        }
        seconds[ranks.length / 2 * steps + steps / 4] *= 1.9f;
        return new HeatMapData(0, ranks, numbers, seconds);
    }

    @Override
    public List<JobView> jobs() {
        return List.of(view);
    }

    @Override
    public Optional<JobView> job(String name) {
        return name.equals(JOB) ? Optional.of(view) : Optional.empty();
    }

    @Override
    public Optional<HeatMapData> heatMap(String name, HeatValue value, long from, long to) {
        int first = (int) Math.max(0, Math.min(from, map.steps().length));
        if (first == 0) {
            return Optional.of(map);
        }
        int columns = map.steps().length - first;
        float[] cut = new float[map.ranks().length * columns];
        for (int r = 0; r < map.ranks().length; r++) {
            System.arraycopy(map.seconds(), r * map.steps().length + first, cut, r * columns, columns);
        }
        return Optional.of(new HeatMapData(
                0, map.ranks(), java.util.Arrays.copyOfRange(map.steps(), first, map.steps().length), cut));
    }

    @Override
    public List<KernelPicture> kernels(String name, int most) {
        return List.of();
    }

    @Override
    public void listen(FleetListener listener) {
        // nothing happens to a made job
    }
}
