package dev.argus.digest;

import dev.argus.model.Phase;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Phase of a range by its name, as frameworks name them: PyTorch's own ({@code Optimizer.step#}, {@code
 * enumerate(DataLoader)#}), Megatron, DeepSpeed, TorchTitan, HTA's {@code ## forward ##}, StragglerAnalysis' operations.
 *
 * <p>A name that fits no rule is no phase: nothing is guessed from a substring in the middle of a longer word.
 */
public final class Phases {
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
        if (n.startsWith("save_checkpoint") || n.startsWith("checkpoint") || n.contains("save_checkpoint")) {
            return Phase.CHECKPOINT;
        }
        if (n.startsWith("eval") || n.startsWith("validat")) {
            return Phase.EVALUATION;
        }
        if (n.startsWith("optimizer") || n.startsWith("clip_grad") || n.startsWith("zero_grad")) {
            return Phase.OPTIMIZER;
        }
        if (n.startsWith("backward") || n.endsWith("backward") || n.startsWith("autograd_backward")) {
            return Phase.BACKWARD;
        }
        if (n.startsWith("forward") || n.endsWith("forward")) {
            return Phase.FORWARD;
        }
        return null;
    }
}
