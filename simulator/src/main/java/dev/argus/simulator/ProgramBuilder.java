package dev.argus.simulator;

import dev.argus.model.CollectiveOp;
import dev.argus.simulator.JobModel.Sharding;
import dev.argus.simulator.PipelineSchedule.Pass;
import java.util.ArrayList;
import java.util.List;

/** Writes the step of one role: data, forward and backward passes in the order of the schedule, gradients, optimizer. */
final class ProgramBuilder {
    static final String DATA = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
    static final String FORWARD = "forward_step";
    static final String BACKWARD = "backward_step";
    static final String CLIP = "clip_grad_norm";
    static final String OPTIMIZER = "Optimizer.step#FusedAdam.step";
    static final String EVALUATION = "evaluate";
    static final String STEP = "ProfilerStep#";
    static final int QUEUE_DEPTH = 1000;

    private static final double PCIE_BYTES_PER_NANO = 24;

    /**
     * What tells the programs of two ranks apart.
     *
     * @param stage pipeline stage
     * @param loads true when the rank reads input itself
     * @param extraKernels kernels on top, in percent
     * @param evaluations forward passes of an evaluation at the end of the step
     */
    record Role(int stage, boolean loads, int extraKernels, int evaluations) {}

    private final JobModel model;
    private final Layout layout;
    private final Role role;
    private final LayerWriter layers;
    private final ProgramWriter out = new ProgramWriter();
    private final int stages;
    private final int tensor;
    private final List<Integer> gradients = new ArrayList<>();
    private final int[][] gathered;

    private ProgramBuilder(JobModel model, Layout layout, Role role) {
        this.model = model;
        this.layout = layout;
        this.role = role;
        this.stages = layout.size(Layout.Dimension.PP);
        this.tensor = layout.size(Layout.Dimension.TP);
        this.layers = new LayerWriter(model, layout, out, role.extraKernels());
        this.gathered = new int[model.chunks()][];
    }

    static Program build(JobModel model, Layout layout, Role role) {
        return new ProgramBuilder(model, layout, role).step();
    }

    private Program step() {
        out.open(STEP);
        if (model.sharding() == Sharding.ZERO1 && layers.dataParallel()) {
            gatherWeights();
        }
        for (Pass pass : PipelineSchedule.of(role.stage(), stages, model.chunks(), model.microbatches())) {
            out.microbatch(pass.microbatch());
            if (pass.forward()) {
                forward(pass.chunk(), pass.microbatch());
            } else {
                backward(pass.chunk(), pass.microbatch());
            }
        }
        out.microbatch(-1);
        finish();
        if (role.evaluations() > 0) {
            evaluate();
        }
        out.cpu(60_000);
        out.close(STEP);
        return out.finish(QUEUE_DEPTH);
    }

    private void gatherWeights() {
        for (int chunk = 0; chunk < model.chunks(); chunk++) {
            gathered[chunk] = new int[layerCount(chunk)];
            for (int layer = 0; layer < gathered[chunk].length; layer++) {
                gathered[chunk][layer] =
                        out.collective(GroupKind.DATA, CollectiveOp.ALL_GATHER, 2 * layers.denseWeights(layer), 0);
            }
        }
    }

    private int virtual(int chunk) {
        return chunk * stages + role.stage();
    }

    private int layerCount(int chunk) {
        return model.layersPerChunk()[virtual(chunk)];
    }

    private boolean last(int chunk) {
        return virtual(chunk) == stages * model.chunks() - 1;
    }

    private int tag(int receiver, int microbatch) {
        return receiver * (model.microbatches() + 64) + microbatch;
    }

    private double activationBytes() {
        return 2.0 * layers.tokens() * model.hidden() / tensor;
    }

    private void input() {
        if (role.loads()) {
            out.open(DATA);
            out.cpu((double) model.dataNanos());
            out.close(DATA);
            out.copy(
                    "Memcpy HtoD (Pinned -> Device)",
                    model.inputBytes(),
                    2000 + model.inputBytes() / PCIE_BYTES_PER_NANO);
        }
        if (tensor > 1 && model.tensorRankZeroLoads()) {
            out.blocking(GroupKind.TENSOR, CollectiveOp.BROADCAST, (double) model.inputBytes(), 0);
        }
    }

    private void forward(int chunk, int microbatch) {
        int v = virtual(chunk);
        if (v == 0 || last(chunk)) {
            input();
        }
        if (v > 0) {
            out.await(out.message(false, Lane.RECV_PREVIOUS, tag(v, microbatch), activationBytes()));
        }
        out.open(FORWARD);
        out.cpu(40_000);
        if (v == 0) {
            layers.embed();
        }
        layers.forward(layerCount(chunk), microbatch == 0 ? gathered[chunk] : null);
        if (last(chunk)) {
            layers.head();
        } else {
            out.message(true, Lane.SEND_NEXT, tag(v + 1, microbatch), activationBytes());
        }
        out.close(FORWARD);
    }

    private void backward(int chunk, int microbatch) {
        int v = virtual(chunk);
        if (!last(chunk)) {
            out.await(out.message(false, Lane.RECV_NEXT, tag(v, microbatch), activationBytes()));
        }
        out.open(BACKWARD);
        out.cpu(40_000);
        if (last(chunk)) {
            layers.headBackward();
        }
        boolean reduce = microbatch == model.microbatches() - 1;
        layers.backward(layerCount(chunk), model.recompute().contains(role.stage()), reduce, gradients);
        if (v == 0) {
            layers.embedBackward();
        } else {
            out.message(true, Lane.SEND_PREVIOUS, tag(v - 1, microbatch), activationBytes());
        }
        out.close(BACKWARD);
    }

    private void finish() {
        double weights = 0;
        for (int chunk = 0; chunk < model.chunks(); chunk++) {
            for (int layer = 0; layer < layerCount(chunk); layer++) {
                weights += layers.denseWeights(layer);
            }
        }
        if (virtual(0) == 0 || last(model.chunks() - 1)) {
            weights += (double) model.vocabulary() * model.hidden() / tensor;
        }
        int sharers = switch (model.sharding()) {
            case DDP -> 1;
            case ZERO1, FSDP -> layout.size(Layout.Dimension.DP) * layout.size(Layout.Dimension.CP);
            case HSDP -> layout.shard();
        };
        double own = weights / sharers;
        out.open(CLIP);
        gradients.forEach(out::await);
        out.kernel(KernelKind.GRADIENT_NORM, model.memory(own * 4), 0);
        out.blocking(GroupKind.WORLD, CollectiveOp.ALL_REDUCE, 4, 0);
        out.sync(out.copy("Memcpy DtoH (Device -> Pageable)", 4, 1200));
        out.kernel(KernelKind.SCALE, model.memory(own * 8), 0);
        out.close(CLIP);
        out.open(OPTIMIZER);
        for (int part = 0; part < 3; part++) {
            out.kernel(KernelKind.ADAM, model.memory(own * 28 / 3), 0);
        }
        out.close(OPTIMIZER);
    }

    private void evaluate() {
        out.open(EVALUATION);
        for (int i = 0; i < role.evaluations(); i++) {
            int microbatch = model.microbatches() + i;
            for (int chunk = 0; chunk < model.chunks(); chunk++) {
                forward(chunk, microbatch);
            }
        }
        out.close(EVALUATION);
    }
}
