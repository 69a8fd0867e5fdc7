package dev.argus.simulator;

import dev.argus.model.CollectiveOp;
import dev.argus.simulator.JobModel.Sharding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes transformer layers: attention and feed-forward or experts, with the communication around them. */
final class LayerWriter {
    private final JobModel model;
    private final ProgramWriter out;
    private final int extraPercent;
    private final int tensor;
    private final int context;
    private final int expert;
    private final boolean dataParallel;
    private final boolean replicated;
    private final boolean replicatedExperts;
    private final double tokens;
    private final double h;
    private int written;
    private int extras;

    LayerWriter(JobModel model, Layout layout, ProgramWriter out, int extraPercent) {
        this.model = model;
        this.out = out;
        this.extraPercent = extraPercent;
        this.tensor = layout.size(Layout.Dimension.TP);
        this.context = layout.size(Layout.Dimension.CP);
        this.expert = layout.expert();
        this.dataParallel = layout.size(Layout.Dimension.DP) * context > 1;
        this.replicated = layout.shard() < layout.size(Layout.Dimension.DP);
        this.replicatedExperts = layout.size(Layout.Dimension.DP) * context > expert;
        this.tokens = (double) model.tokens() / context;
        this.h = model.hidden();
    }

    /** Tokens of a microbatch on this rank. */
    double tokens() {
        return tokens;
    }

    boolean dataParallel() {
        return dataParallel;
    }

    private boolean experts(int layer) {
        return model.moe() && layer % 2 == 1;
    }

    /** Weights of a layer on a rank that all data ranks share. */
    double denseWeights(int layer) {
        double all = experts(layer) ? 2.5 * h * h : model.layerWeights();
        return all / tensor;
    }

    private double expertWeights() {
        return 3 * h * model.feedForward() / tensor * 2;
    }

    private boolean sharded() {
        return dataParallel && (model.sharding() == Sharding.FSDP || model.sharding() == Sharding.HSDP);
    }

    private GroupKind shardKind() {
        return model.sharding() == Sharding.HSDP ? GroupKind.SHARD : GroupKind.DATA;
    }

    private int gather(int layer) {
        return out.collective(shardKind(), CollectiveOp.ALL_GATHER, 2 * denseWeights(layer), 0);
    }

    private void kernel(KernelKind kind, double nanos, int power) {
        out.kernel(kind, nanos, power);
        written++;
        if (extraPercent > 0 && written * extraPercent / 100 > extras) {
            extras++;
            out.kernel(KernelKind.EXTRA, model.memory(tokens * h * 2), 1);
        }
    }

    private void gemm(KernelKind kind, double in, double width) {
        kernel(kind, model.arithmetic(2 * tokens * in * width / tensor), 1);
    }

    private void flows(KernelKind kind, double bytesPerToken) {
        kernel(kind, model.memory(tokens * bytesPerToken / tensor), 1);
    }

    void embed() {
        kernel(KernelKind.EMBED, model.memory(tokens * h * 4 / tensor), 1);
    }

    void embedBackward() {
        kernel(KernelKind.EMBED_BACKWARD, model.memory(tokens * h * 8 / tensor), 1);
    }

    void head() {
        gemm(KernelKind.HEAD, h, model.vocabulary());
        flows(KernelKind.LOSS, 6.0 * model.vocabulary());
    }

    void headBackward() {
        flows(KernelKind.LOSS_BACKWARD, 6.0 * model.vocabulary());
        gemm(KernelKind.DATA_GRADIENT, h, model.vocabulary());
        gemm(KernelKind.WEIGHT_GRADIENT, h, model.vocabulary());
    }

    /** Forward pass of layers; the first pass of a step also awaits their gathered weights. */
    void forward(int count, int @Nullable [] gatheredWeights) {
        int next = sharded() && count > 0 ? gather(0) : -1;
        for (int layer = 0; layer < count; layer++) {
            int own = next;
            if (sharded() && layer + 1 < count) {
                next = gather(layer + 1);
            }
            out.await(own);
            if (gatheredWeights != null) {
                out.await(gatheredWeights[layer]);
            }
            forwardLayer(layer);
        }
    }

    private void forwardLayer(int layer) {
        out.cpu((double) model.layerPythonNanos());
        flows(KernelKind.NORM, h * 4);
        enter();
        gemm(KernelKind.QKV, h, 1.5 * h);
        flows(KernelKind.ROPE, h * 6);
        if (context > 1) {
            out.blocking(GroupKind.CONTEXT, CollectiveOp.ALL_GATHER, model.tokens() * h / tensor, 1);
        }
        kernel(KernelKind.FLASH, attention(2), 2);
        gemm(KernelKind.PROJECT, h, h);
        leave();
        flows(KernelKind.RESIDUAL, h * 6);
        flows(KernelKind.NORM, h * 4);
        if (experts(layer)) {
            expertsForward();
            return;
        }
        enter();
        gemm(KernelKind.FC1, h, 2 * model.feedForward());
        flows(KernelKind.ACTIVATION, model.feedForward() * 6);
        gemm(KernelKind.FC2, model.feedForward(), h);
        leave();
        flows(KernelKind.RESIDUAL, h * 6);
    }

    private double attention(double factor) {
        return model.arithmetic(factor * tokens * model.sequence() * h / tensor);
    }

    /** Sequence parallelism gathers before the matrix products. */
    private void enter() {
        if (tensor > 1 && !model.ampere()) {
            out.blocking(GroupKind.TENSOR, CollectiveOp.ALL_GATHER, 2 * tokens * h, 1);
        }
    }

    private void leave() {
        if (tensor > 1) {
            CollectiveOp op = model.ampere() ? CollectiveOp.ALL_REDUCE : CollectiveOp.REDUCE_SCATTER;
            out.blocking(GroupKind.TENSOR, op, 2 * tokens * h, 1);
        }
    }

    private void exchange() {
        if (expert > 1) {
            out.blocking(
                    GroupKind.EXPERT, CollectiveOp.ALL_TO_ALL_V, 2.0 * tokens / tensor * h * model.topK() * expert, 1);
        }
    }

    private void expertsForward() {
        flows(KernelKind.ROUTER, 512);
        flows(KernelKind.PERMUTE, 4 * h * model.topK());
        exchange();
        expertGemm(KernelKind.EXPERT_FORWARD, 2 * model.feedForward());
        flows(KernelKind.ACTIVATION, model.feedForward() * 6 * model.topK());
        expertGemm(KernelKind.EXPERT_FORWARD, model.feedForward());
        exchange();
        flows(KernelKind.PERMUTE, 4 * h * model.topK());
    }

    private void expertGemm(KernelKind kind, double width) {
        kernel(kind, model.arithmetic(2 * tokens * model.topK() * h * width / tensor), 1);
    }

    private void expertsBackward() {
        flows(KernelKind.PERMUTE, 4 * h * model.topK());
        exchange();
        expertGemm(KernelKind.EXPERT_BACKWARD, 2 * model.feedForward());
        flows(KernelKind.ACTIVATION_BACKWARD, model.feedForward() * 8 * model.topK());
        expertGemm(KernelKind.EXPERT_BACKWARD, 4 * model.feedForward());
        exchange();
        flows(KernelKind.PERMUTE, 4 * h * model.topK());
    }

    /** Backward pass of layers, the last first; adds the operations that finish the gradients. */
    void backward(int count, boolean again, boolean reduce, List<Integer> gradients) {
        int next = sharded() && count > 0 ? gather(count - 1) : -1;
        for (int layer = count - 1; layer >= 0; layer--) {
            int own = next;
            if (sharded() && layer > 0) {
                next = gather(layer - 1);
            }
            out.await(own);
            if (again) {
                forwardLayer(layer);
            }
            backwardLayer(layer);
            reduceGradients(layer, reduce, gradients);
        }
    }

    private void backwardLayer(int layer) {
        out.cpu((double) model.layerPythonNanos());
        if (experts(layer)) {
            expertsBackward();
        } else {
            enter();
            gemm(KernelKind.DATA_GRADIENT, model.feedForward(), h);
            gemm(KernelKind.WEIGHT_GRADIENT, model.feedForward(), h);
            flows(KernelKind.ACTIVATION_BACKWARD, model.feedForward() * 8);
            gemm(KernelKind.DATA_GRADIENT, h, 2 * model.feedForward());
            leave();
            gemm(KernelKind.WEIGHT_GRADIENT, h, 2 * model.feedForward());
        }
        flows(KernelKind.NORM_BACKWARD, h * 8);
        enter();
        gemm(KernelKind.DATA_GRADIENT, h, h);
        gemm(KernelKind.WEIGHT_GRADIENT, h, h);
        kernel(KernelKind.FLASH_BACKWARD, attention(5), 2);
        if (context > 1) {
            out.blocking(GroupKind.CONTEXT, CollectiveOp.REDUCE_SCATTER, model.tokens() * h / tensor, 1);
        }
        flows(KernelKind.ROPE, h * 6);
        gemm(KernelKind.DATA_GRADIENT, h, 1.5 * h);
        leave();
        gemm(KernelKind.WEIGHT_GRADIENT, h, 1.5 * h);
        flows(KernelKind.NORM_BACKWARD, h * 8);
    }

    private void reduceGradients(int layer, boolean reduce, List<Integer> gradients) {
        if (!dataParallel || !(sharded() || reduce)) {
            return;
        }
        double bytes = 2 * denseWeights(layer);
        if (model.sharding() == Sharding.DDP) {
            gradients.add(out.collective(GroupKind.DATA, CollectiveOp.ALL_REDUCE, bytes, 0));
        } else {
            int scattered =
                    out.collective(sharded() ? shardKind() : GroupKind.DATA, CollectiveOp.REDUCE_SCATTER, bytes, 0);
            gradients.add(scattered);
            if (model.sharding() == Sharding.HSDP && replicated && reduce) {
                gradients.add(out.collectiveAfter(scattered, GroupKind.REPLICATE, CollectiveOp.ALL_REDUCE, bytes / 8));
            }
        }
        if (experts(layer) && reduce && replicatedExperts) {
            gradients.add(
                    out.collective(GroupKind.EXPERT_DATA, CollectiveOp.REDUCE_SCATTER, 2 * expertWeights() / 4, 0));
        }
    }
}
