package dev.argus.testkit;

import java.util.List;

/** The compute kernels a transformer layer is made of, as they appear in traces of an H100. */
final class KernelMix {
    static final List<Kernel> FORWARD = List.of(
            new Kernel(
                    "void transformer_engine::normalization::rmsnorm_fwd_tuned_kernel<transformer_engine::normalization"
                            + "::Kernel_traits<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float, unsigned int, 4096u,"
                            + " 1u, 1u, 4u, 16u> >(transformer_engine::normalization::ForwardKernelParams)",
                    "aten::native_layer_norm",
                    56_000,
                    8192,
                    1,
                    128,
                    40,
                    64,
                    false),
            new Kernel(
                    "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT", "aten::mm", 430_000, 16, 66, 384, 168, 213344, true),
            new Kernel(
                    "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 128, 8, cutlass::bfloat16_t>, true,"
                            + " false>(Flash_fwd_params)",
                    "flash_attn::_flash_attn_forward",
                    505_000,
                    32,
                    8,
                    256,
                    255,
                    98304,
                    false),
            new Kernel(
                    "nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNT",
                    "aten::linear",
                    189_000,
                    132,
                    1,
                    384,
                    168,
                    221536,
                    true),
            new Kernel(
                    "triton_poi_fused_mul_silu_0", "triton_poi_fused_mul_silu_0", 117_000, 21504, 1, 128, 28, 0, true),
            new Kernel(
                    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>,"
                            + " std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>,"
                            + " std::array<char*, 3ul>)",
                    "aten::add",
                    41_000,
                    16384,
                    1,
                    128,
                    32,
                    0,
                    false));

    static final List<Kernel> BACKWARD = List.of(
            new Kernel(
                    "nvjet_tst_256x128_64x4_2x1_v_bz_coopA_NTN",
                    "MmBackward0",
                    662_000,
                    32,
                    32,
                    384,
                    168,
                    213344,
                    true),
            new Kernel(
                    "void flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8,"
                            + " 2, 4, 2, false, false, cutlass::bfloat16_t>, false, true>(Flash_bwd_params)",
                    "FlashAttnFuncBackward",
                    1_210_000,
                    32,
                    8,
                    256,
                    255,
                    147456,
                    false),
            new Kernel(
                    "nvjet_tst_192x208_64x4_1x2_h_bz_coopB_NNT",
                    "LinearBackward0",
                    371_000,
                    132,
                    1,
                    384,
                    168,
                    221536,
                    true),
            new Kernel(
                    "triton_poi_fused_mul_silu_backward_1",
                    "CompiledFunctionBackward",
                    171_000,
                    21504,
                    1,
                    128,
                    30,
                    0,
                    true),
            new Kernel(
                    "void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::BFloat16,"
                            + " at::native::func_wrapper_t<c10::BFloat16, at::native::sum_functor<c10::BFloat16, float,"
                            + " c10::BFloat16>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>,"
                            + " unsigned int, c10::BFloat16, 4, 4> >",
                    "aten::sum",
                    63_000,
                    128,
                    32,
                    128,
                    32,
                    16,
                    false));

    static final Kernel OPTIMIZER = new Kernel(
            "void multi_tensor_apply_kernel<TensorListMetadata<4>, transformer_engine::multi_tensor_adam"
                    + "::AdamFunctor<float, float, float, int>, float, float, float>(long, int volatile*, TensorListMetadata<4>, ...)",
            "fused_adam",
            148_000,
            320,
            1,
            512,
            48,
            0,
            false);

    private KernelMix() {}

    /** One kernel: its words, its usual length, and its arguments ready to be written. */
    static final class Kernel {
        final byte[] name;
        final String operator;
        final long nanos;
        final boolean driverLaunch;
        final byte[] shape;

        Kernel(
                String name,
                String operator,
                long nanos,
                int gridX,
                int gridY,
                int block,
                int registers,
                int shared,
                boolean driverLaunch) {
            this.name = JsonBytes.bytes(name);
            this.operator = operator;
            this.nanos = nanos;
            this.driverLaunch = driverLaunch;
            long blocks = (long) gridX * gridY;
            this.shape = JsonBytes.bytes("\"registers per thread\": " + registers + ", \"shared memory\": " + shared
                    + ", \"blocks per SM\": " + sixDecimals(blocks, 132) + ", \"warps per SM\": "
                    + sixDecimals(blocks * block / 32, 132) + ", \"grid\": [" + gridX + ", " + gridY
                    + ", 1], \"block\": ["
                    + block + ", 1, 1], \"est. achieved occupancy %\": " + Math.min(100, blocks * 100 / 264));
        }

        private static String sixDecimals(long numerator, long denominator) {
            long millionths = numerator * 1_000_000 / denominator;
            return millionths / 1_000_000 + "."
                    + Long.toString(1_000_000 + millionths % 1_000_000).substring(1);
        }
    }
}
