package dev.argus.cli;

/** The texts of the help page of {@code simulate}. */
final class SimulateTexts {
    static final String ABOUT = "Simulates a training job with something wrong, as traces and the truth about them.";

    static final String[] DETAILS = {
        "",
        "Writes a folder that diagnose reads (traces/, one PyTorch profiler trace per rank) and truth.json: who is at"
                + " fault, why, in which steps, and what it costs against the same job without the fault. What is not given is"
                + " drawn from the seed; equal arguments write equal folders. No GPU is needed.",
        "",
        "Of a job that hangs (--kind hang, hang-collective) there are traces of the steps that ended, and flight/: a flight"
                + " recorder dump a rank, as NCCL leaves when a collective times out. Traces alone never show a hang, for a"
                + " profiler writes what has ended; who has not arrived, the dumps of all ranks tell.",
        ""
    };

    static final String[] FOOTER = {
        "",
        "Examples:",
        "  ./argus simulate --list",
        "  ./argus simulate --out job && ./argus diagnose job",
        "  ./argus simulate --out job --kind nic --topology tp=8,dp=4,pp=2 --severity weak --seed 7",
        "  ./argus simulate --out job --kind compute --ranks 16 --rank 3 --factor 1.3 --onset 25 --steps 12",
        "  ./argus simulate --out job --kind hang --ranks 16 --rank 3 --onset 25",
        "  ./argus simulate --out jobs --kind hot-expert,jit --count 20 --damage culprit-missing"
    };

    static final String[] EXIT_CODES = {
        "0:the folder was written", "1:it could not be written", "2:wrong usage, or a folder that is not empty"
    };

    static final String OUT = "Folder to write; new, or empty.";
    static final String KIND = "What is wrong, or only looks wrong (default: compute); several hold at once.";
    static final String LIST = "Print the kinds and exit.";
    static final String SEVERITY =
            "strong (default): costs 2 %% of the step or more; weak: 0.5 to 2 %%; mild: own work 3"
                    + " to 8 %% slower.";
    static final String FACTOR = "How much longer things take, such as 1.3; instead of --severity.";
    static final String PAUSE = "Length of a pause; instead of --severity.";
    static final String RANK = "Whose fault it is; of a fault of a host, on which.";
    static final String SEED = "Seed (default: 1).";
    static final String COUNT = "Folders to write inside FOLDER, with seeds counting up (default: 1, FOLDER itself).";
    static final String TOPOLOGY =
            "Layout of the ranks, such as tp=2,dp=8,pp=4 (fastest first; ep lies inside dp), or a file with that text.";
    static final String RANKS = "The same as --topology dp=N.";
    static final String MAX_RANKS = "Ranks of a drawn layout, at most (default: 64).";
    static final String GPUS = "GPUs of a host, with --topology or --ranks (default: 8).";
    static final String FIRST_STEP = "First recorded step.";
    static final String STEPS = "Recorded steps.";
    static final String ONSET = "First step of the fault; of a hang the step that never ends.";
    static final String DURATION = "Steps of the fault (default: to the end).";
    static final String NOISE = "How much healthy machines differ: quiet, usual or noisy.";
    static final String DIALECT = "How traces are written: plain, or one or more of old-names, no-groups, no-steps,"
            + " no-ranges, shuffled-streams.";
    static final String CLOCK_SKEW = "Clocks of hosts are wrong by up to MS.";
    static final String ATTEMPTS =
            "Attempts of the job, minutes apart (default: 1): after each restart the same GPUs have other" + " ranks.";
    static final String DAMAGE = "What is wrong with the record: none (default), or one or more of one-missing,"
            + " half-missing, culprit-missing, other-windows, dropped, doubled.";

    private SimulateTexts() {}
}
