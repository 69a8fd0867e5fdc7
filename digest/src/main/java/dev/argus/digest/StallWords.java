package dev.argus.digest;

import dev.argus.model.IncidentKind;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the name of a range, or of a frame of a stack, says of a pause: the words by which a cause is known. */
public final class StallWords {
    /**
     * Begins the names of ranges in which a producer or the agent saw a process do something that is no training, such as {@code argus: garbage
     * collection (generation 2)}, {@code argus: compile}, or {@value #NO_CPU}. Profilers name no ranges like that, so nothing is taken for a stall by a part of a word.
     */
    public static final String STALL = "argus: ";

    /** A thread that could have run and did not: others had the CPUs. */
    public static final String NO_CPU = STALL + "waiting for a CPU";

    /** Said of a rank that runs on a CPU and waits in no collective, as in an evaluation that nothing marks: no range of a recording, for that may well be training. */
    public static final String WORKING = "work of its own, by its CPU time";

    /** Names are hostile: what stands behind is not looked at. */
    private static final int LONGEST = 512;

    /** Recomputing activations, which is no checkpoint that is written. */
    private static final String NO_CHECKPOINT = "utils/checkpoint";

    private record Rule(IncidentKind kind, List<String> words) {}

    /** The first that fits counts. */
    private static final List<Rule> RULES = List.of(
            new Rule(
                    IncidentKind.JIT_STALL,
                    List.of("compile", "inductor", "dynamo", "triton", "autotune", "nvrtc", "ptxas", "jit")),
            new Rule(IncidentKind.HOST_CONTENTION, List.of(lower(NO_CPU))),
            new Rule(
                    IncidentKind.GC_PAUSE,
                    List.of("gc.collect", "gc_collect", "garbage", "gc.py", "manual_gc", "function collect>")),
            new Rule(
                    IncidentKind.DATA_STALL,
                    List.of(
                            "dataloader",
                            "data_loader",
                            "next(data",
                            "get_batch",
                            "collate",
                            "queue.py",
                            "queues.py",
                            "_next_data",
                            "data_iterator")),
            new Rule(IncidentKind.CHECKPOINT, List.of("checkpoint", "torch/serialization", "torch.save")),
            new Rule(
                    IncidentKind.RANK_ASYMMETRY,
                    List.of("tensorboard", "wandb", "logging/__init__", "log_metrics", "logger.")));

    private StallWords() {}

    /** True if the name is that of a range that is no training, whatever phase it lies in. */
    public static boolean isStall(String name) {
        return name.startsWith(STALL);
    }

    /** A name as people are told it. */
    public static String shown(String name) {
        return name.startsWith(STALL) ? name.substring(STALL.length()) : name;
    }

    /** What a name says, or null. */
    public static @Nullable IncidentKind of(String name) {
        String text = lower(name);
        for (Rule r : RULES) {
            if (fits(r, text)) {
                return r.kind();
            }
        }
        return null;
    }

    /** True if a name has a word of a kind. */
    public static boolean says(IncidentKind kind, String name) {
        String text = lower(name);
        return RULES.stream().anyMatch(r -> r.kind() == kind && fits(r, text));
    }

    private static boolean fits(Rule rule, String text) {
        return rule.words().stream().anyMatch(text::contains)
                || (rule.kind() == IncidentKind.GC_PAUSE && text.equals("gc"));
    }

    private static String lower(String name) {
        String cut = name.length() > LONGEST ? name.substring(0, LONGEST) : name;
        return cut.toLowerCase(Locale.ROOT).replace(NO_CHECKPOINT, "");
    }
}
