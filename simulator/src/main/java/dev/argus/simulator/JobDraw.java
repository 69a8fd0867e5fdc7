package dev.argus.simulator;

import dev.argus.simulator.JobModel.Sharding;
import dev.argus.simulator.Layout.Dimension;
import dev.argus.simulator.ScenarioKind.Needs;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Draws a layout and a model that fit a kind of scenario. */
final class JobDraw {
    private static final List<Dimension> MEGATRON = List.of(Dimension.TP, Dimension.CP, Dimension.DP, Dimension.PP);
    private static final List<Dimension> PIPELINE_INSIDE =
            List.of(Dimension.TP, Dimension.CP, Dimension.PP, Dimension.DP);
    private static final int TARGET_OPERATIONS = 500;

    private final Draw draw;
    private final ScenarioKind kind;
    private final int maxWorld;
    private int tp = 1;
    private int cp = 1;
    private int dp = 1;
    private int pp = 1;
    private int ep = 1;
    private int shard;
    private boolean moe;
    private Sharding sharding = Sharding.ZERO1;

    JobDraw(Draw draw, ScenarioKind kind, int maxWorld) {
        this.draw = draw;
        this.kind = kind;
        this.maxWorld = maxWorld;
    }

    Layout layout() {
        Needs needs = kind.needs();
        int gpus = draw.chance(0.85) ? 8 : 4;
        int hosts = needs == Needs.MANY_HOSTS
                ? draw.between(4, 8)
                : needs.hosts() ? draw.between(2, 6) : draw.between(1, 5);
        int world = Math.min(maxWorld, gpus * Math.max(hosts, 8 / gpus));
        if (needs == Needs.NVLINK_AND_HOSTS && world < 2 * gpus) {
            world = 2 * gpus;
        }
        shape(needs, world, gpus);
        Layout.Builder builder = Layout.builder()
                .size(Dimension.TP, tp)
                .size(Dimension.CP, cp)
                .size(Dimension.DP, dp)
                .size(Dimension.PP, pp)
                .expert(ep)
                .shard(shard)
                .gpusPerHost(gpus)
                .order(draw.chance(0.8) ? MEGATRON : PIPELINE_INSIDE)
                .hostNames(draw.below(4), draw.seed());
        boolean full = tp * cp * dp * pp % gpus == 0;
        return builder.scattered(full && tp == 1 && draw.chance(0.05)).build();
    }

    /** Takes a layout as given; draws only what it leaves open. */
    Layout layout(Layout given) {
        tp = given.size(Dimension.TP);
        cp = given.size(Dimension.CP);
        dp = given.size(Dimension.DP);
        pp = given.size(Dimension.PP);
        ep = given.expert();
        shard = given.shard();
        moe = ep > 1;
        if (shard < dp) {
            sharding = Sharding.HSDP;
        } else if (moe || pp > 1) {
            sharding = draw.chance(0.7) ? Sharding.ZERO1 : Sharding.DDP;
        } else {
            sharding = draw.of(List.of(Sharding.FSDP, Sharding.ZERO1, Sharding.DDP));
        }
        return given;
    }

    private void shape(Needs needs, int world, int gpus) {
        boolean stages = needs == Needs.STAGES || needs == Needs.MANY_HOSTS;
        if (needs == Needs.EXPERTS) {
            experts(world);
            return;
        }
        int style = draw.below(10);
        if (stages || style < 4) {
            tp = needs.tensor() ? draw.of(2, 4) : draw.of(1, 2, 4, gpus);
            tp = Math.min(tp, gpus);
            int rest = Math.max(1, world / tp);
            int wanted = draw.of(2, 2, 3, 4);
            pp = rest >= wanted ? wanted : stages ? 2 : 1;
            dp = Math.max(1, rest / pp);
            sharding = draw.chance(0.7) ? Sharding.ZERO1 : Sharding.DDP;
        } else if (needs.tensor() || style < 6) {
            tp = Math.min(gpus, draw.of(2, 4, 8));
            cp = draw.chance(0.25) ? 2 : 1;
            dp = Math.max(1, world / tp / cp);
            sharding = draw.of(List.of(Sharding.ZERO1, Sharding.FSDP, Sharding.DDP));
        } else if (style == 6 && world >= 16) {
            experts(world);
        } else if (style == 7 && world >= 2 * gpus) {
            dp = world;
            shard = gpus;
            sharding = Sharding.HSDP;
        } else {
            dp = world;
            sharding = draw.of(List.of(Sharding.FSDP, Sharding.FSDP, Sharding.ZERO1, Sharding.DDP));
        }
    }

    private void experts(int world) {
        moe = true;
        pp = draw.chance(0.3) && world >= 16 ? 2 : 1;
        dp = Math.max(8, world / pp / 8 * 8);
        ep = draw.of(4, 8);
        sharding = draw.of(List.of(Sharding.ZERO1, Sharding.DDP));
    }

    JobModel model() {
        boolean ampere = draw.chance(0.25);
        int hidden = draw.of(2048, 3072, 4096, 5120);
        double layerNanos = draw.between(0.8e6, 2.2e6);
        double weights = 10.75 * hidden * hidden;
        int tokens = (int) (layerNanos * 6.2e5 * (ampere ? 0.45 : 1) * tp * cp / (2 * weights)) / 256 * 256;
        tokens = Math.max(1024, tokens);
        int chunks = pp > 1 && pp <= 4 && draw.chance(0.2) ? 2 : 1;
        int microbatches = pp == 1 ? draw.of(1, 1, 2, 3) : pp * draw.of(1, 2, 2);
        int layers = Math.clamp(TARGET_OPERATIONS / (50 * microbatches * chunks), 1, 6);
        if (moe) {
            layers = Math.max(2, layers);
        }
        int[] perChunk = new int[pp * chunks];
        Arrays.fill(perChunk, layers);
        Set<Integer> recompute = Set.of();
        if (kind == ScenarioKind.UNEVEN_STAGES) {
            perChunk[draw.below(perChunk.length)] += 1;
        } else if (kind == ScenarioKind.RECOMPUTE) {
            recompute = Set.of(draw.below(pp));
        }
        long input = kind.needs() == Needs.INPUT
                ? draw.between(24, 60) * 1_000_000L
                : draw.of(65_536, 262_144, 4_000_000, 12_000_000);
        boolean loader =
                kind == ScenarioKind.TENSOR_LOADER || (kind.needs() != Needs.INPUT && tp > 1 && draw.chance(0.6));
        return new JobModel(
                hidden,
                Math.min(tokens, draw.of(2048, 4096, 8192)),
                tokens,
                draw.of(16_384, 32_768, 50_304),
                perChunk,
                chunks,
                microbatches,
                sharding,
                moe,
                draw.of(1, 2),
                recompute,
                input,
                loader,
                draw.between(4_000, 7_000),
                draw.between(50_000, 120_000),
                draw.between(150_000, 900_000),
                ampere ? 0.45 : 1,
                ampere);
    }
}
