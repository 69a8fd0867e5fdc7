package dev.argus.simulator;

import dev.argus.ring.RingWriter;

/** What a producer says of its process before the first record: who it is, on which GPU, and in which groups. */
final class RingIntroduction {
    private static final int RANK = 1;
    private static final int LOCAL_RANK = 2;
    private static final int WORLD_SIZE = 3;
    private static final int HOST = 4;
    private static final int JOB = 5;
    private static final int SOFTWARE = 7;
    private static final int GPU_MODEL = 8;
    private static final int GPU_UUID = 9;
    private static final int DEVICE = 10;
    private static final int BACKEND = 11;
    private static final int FRAMEWORK = 14;

    private RingIntroduction() {}

    /**
     * Writes it.
     *
     * @return id in the ring of each kind of group, by its position; 0 where the rank has none
     */
    static int[] write(RingWriter ring, Scenario scenario, int rank, String job) {
        Layout layout = scenario.layout();
        int device = layout.gpuOf(rank);
        ring.identity(RANK, 0, rank);
        ring.identity(LOCAL_RANK, 0, device);
        ring.identity(WORLD_SIZE, 0, layout.world());
        ring.identity(HOST, ring.name(layout.hostName(layout.hostOf(rank))), 0);
        ring.identity(JOB, ring.name(job), 0);
        ring.identity(SOFTWARE, ring.name("torch=2.7.1"), 0);
        ring.identity(DEVICE, 0, device);
        ring.identity(GPU_MODEL, ring.name(KinetoRecorder.gpuModel(scenario, rank)), device);
        ring.identity(GPU_UUID, ring.name("GPU-" + uuid(scenario.seed(), layout.hostOf(rank), device)), device);
        ring.identity(BACKEND, ring.name("nccl"), 0);
        ring.identity(FRAMEWORK, ring.name("pytorch"), 0);
        int[] ids = new int[GroupKind.values().length];
        for (Group group : KinetoRecorder.declared(scenario, rank)) {
            ids[group.kind().ordinal()] = ring.group(
                    0,
                    ring.name(String.valueOf(group.id())),
                    ring.name(group.kind().description()),
                    ring.name(group.members().toString()),
                    group.size());
        }
        return ids;
    }

    private static String uuid(long seed, int host, int device) {
        long bits = Noise.bits(seed, host, device, -31);
        return new java.util.UUID(bits, Noise.bits(bits, 1, 0, 0)).toString();
    }
}
