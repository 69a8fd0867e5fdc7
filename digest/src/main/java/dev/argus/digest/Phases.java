package dev.argus.digest;

import dev.argus.model.Phase;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Phase of a range by its name, as frameworks name them: PyTorch's own ({@code Optimizer.step#}, {@code
 * enumerate(DataLoader)#}), Megatron, DeepSpeed, TorchTitan, HTA's {@code ## forward ##}, StragglerAnalysis' operations.
 *
 * <p>A name that fits no rule is no phase: nothing is guessed from a part of a longer word. A range over forward and backward
 * is neither, and so is a transfer between stages.
 */
public final class Phases {
    /** Megatron's forward-recv or backward-send is a wait for the neighbour, not work of the phase. */
    private static final Pattern TRANSFER = Pattern.compile("(^|[^a-z])(send|recv|sync|all_?reduce|all_?gather)");

    private Phases() {}

    /** The phase, or null when the name does not say. */
    public static @Nullable Phase of(String name) {
        String n = name.length() > 96 ? name.substring(0, 96) : name;
        n = n.toLowerCase(Locale.ROOT).replace('-', '_').replace("#", " ").strip();
        if (n.startsWith("enumerate(dataloader)")
                || n.contains("dataloader")
                || n.contains("data_loader")
                || n.startsWith("data_loading")
                || n.startsWith("get_batch")
                || n.startsWith("load_batch")
                || n.startsWith("batch_generator")
                || n.startsWith("next(data")) {
            return Phase.DATA_LOADING;
        }
        if (starts(n, "checkpoint") || n.contains("save_checkpoint")) {
            return Phase.CHECKPOINT;
        }
        if (starts(n, "eval") || starts(n, "evaluate") || starts(n, "evaluation") || n.startsWith("validat")) {
            return Phase.EVALUATION;
        }
        if (starts(n, "optimizer") || n.startsWith("clip_grad") || n.startsWith("zero_grad")) {
            return Phase.OPTIMIZER;
        }
        boolean backward = starts(n, "backward") || ends(n, "backward");
        boolean forward = starts(n, "forward") || ends(n, "forward");
        if (backward == forward || TRANSFER.matcher(n).find()) {
            return null;
        }
        return backward ? Phase.BACKWARD : Phase.FORWARD;
    }

    private static boolean starts(String name, String word) {
        return name.startsWith(word)
                && (name.length() == word.length() || !Character.isLetter(name.charAt(word.length())));
    }

    private static boolean ends(String name, String word) {
        int at = name.length() - word.length();
        return name.endsWith(word) && (at == 0 || !Character.isLetter(name.charAt(at - 1)));
    }
}
