package dev.argus.simulator;

/**
 * How much healthy things differ.
 *
 * @param gpuSpread lasting spread between GPUs of one model, standard deviation as a ratio
 * @param stepSpread spread of a GPU from step to step
 * @param kernelSpread spread of a kernel from launch to launch
 * @param transferSpread spread of transfers
 * @param hiccupsPerLaunch how often the CPU is held up for 50 us to 8 ms, Pareto
 */
public record NoiseLevel(
        double gpuSpread, double stepSpread, double kernelSpread, double transferSpread, double hiccupsPerLaunch) {

    /** A well-kept machine. */
    public static final NoiseLevel QUIET = new NoiseLevel(0.003, 0.001, 0.004, 0.01, 1e-5);

    /** What is usual. */
    public static final NoiseLevel USUAL = new NoiseLevel(0.005, 0.002, 0.008, 0.02, 4e-5);

    /** A noisy machine. */
    public static final NoiseLevel NOISY = new NoiseLevel(0.008, 0.004, 0.015, 0.05, 2e-4);
}
