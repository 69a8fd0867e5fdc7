package dev.argus.engine;

import dev.argus.model.IncidentKind;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the name of a range, or of a frame of a stack, says of a pause: the words by which a cause is known. */
final class StallWords {
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

    /** What a name says, or null. */
    static @Nullable IncidentKind of(String name) {
        String text = lower(name);
        for (Rule r : RULES) {
            if (fits(r, text)) {
                return r.kind();
            }
        }
        return null;
    }

    /** True if a name has a word of a kind. */
    static boolean says(IncidentKind kind, String name) {
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
