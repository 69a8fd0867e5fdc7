package dev.argus.simulator;

/**
 * The compute kernels of a training step: their family, what bounds them, and what they are called on two generations of
 * GPUs.
 */
public enum KernelKind {
    EMBED(
            KernelFamily.ELEMENTWISE,
            false,
            "void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*, int, long, long, long, long, bool)",
            "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned int, 2, 2, -2, true>"),
    EMBED_BACKWARD(
            KernelFamily.ELEMENTWISE,
            false,
            "void at::native::(anonymous namespace)::embedding_backward_feature_kernel<c10::BFloat16, float, long>(long const*)",
            "void at::native::(anonymous namespace)::compute_grad_weight<c10::BFloat16, long>(long*, c10::BFloat16*)"),
    NORM(
            KernelFamily.NORM,
            false,
            "void transformer_engine::normalization::rmsnorm_fwd_tuned_kernel<Kernel_traits<__nv_bfloat16, float, 4096u>>",
            "void layer_norm::ln_fwd_kernel<Kernel_traits<__nv_bfloat16, __nv_bfloat16, float, 4096u, 1u, 4u, 1u, 16u>>"),
    NORM_BACKWARD(
            KernelFamily.NORM,
            false,
            "void transformer_engine::normalization::rmsnorm_bwd_tuned_kernel<Kernel_traits<__nv_bfloat16, float, 4096u>>",
            "void layer_norm::ln_bwd_kernel<Kernel_traits<__nv_bfloat16, __nv_bfloat16, float, 4096u, 1u, 1u, 4u, 16u>>"),
    QKV(
            KernelFamily.GEMM,
            true,
            "nvjet_tst_256x128_64x4_2x1_v_bz_coopA_TNN",
            "ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_tn"),
    ROPE(
            KernelFamily.ELEMENTWISE,
            false,
            "void transformer_engine::fused_rope_forward_kernel<__nv_bfloat16>(__nv_bfloat16 const*, float const*)",
            "void fused_rope_kernel<c10::BFloat16>(c10::BFloat16 const*, float const*, int)"),
    FLASH(
            KernelFamily.ATTENTION,
            true,
            "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, cutlass::bfloat16_t>, true>(Flash_fwd_params)",
            "flash_fwd_kernel_sm80<Flash_fwd_kernel_traits<128, 128, 32, 4, cutlass::bfloat16_t>, true>(Flash_fwd_params)"),
    PROJECT(
            KernelFamily.GEMM,
            true,
            "nvjet_tst_128x256_64x4_2x1_v_bz_TNT",
            "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x4_tn"),
    FC1(
            KernelFamily.GEMM,
            true,
            "nvjet_tst_256x160_64x4_1x2_h_bz_coopB_TNT",
            "ampere_bf16_s16816gemm_bf16_256x128_ldg8_relu_f2f_stages_32x3_tn"),
    ACTIVATION(
            KernelFamily.ELEMENTWISE,
            false,
            "triton_poi_fused__to_copy_mul_silu_2",
            "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl<silu>>(int, silu)"),
    ACTIVATION_BACKWARD(
            KernelFamily.ELEMENTWISE,
            false,
            "triton_poi_fused_add_mul_sigmoid_silu_backward_3",
            "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl<silu_backward>>(int, silu)"),
    FC2(
            KernelFamily.GEMM,
            true,
            "nvjet_tst_192x192_64x4_1x2_h_bz_TNT",
            "ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_tn"),
    RESIDUAL(
            KernelFamily.ELEMENTWISE,
            false,
            "triton_poi_fused_add_0",
            "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>>(int)"),
    FLASH_BACKWARD(
            KernelFamily.ATTENTION,
            true,
            "void flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8>>(Flash_bwd_params)",
            "flash_bwd_kernel_sm80<Flash_bwd_kernel_traits<128, 64, 64, 8, 4, 2, 2, true>>(Flash_bwd_params)"),
    DATA_GRADIENT(
            KernelFamily.GEMM,
            true,
            "nvjet_tst_256x128_64x4_1x2_h_bz_coopA_NNT",
            "ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_nn"),
    WEIGHT_GRADIENT(
            KernelFamily.GEMM,
            true,
            "nvjet_tst_128x256_64x4_2x1_v_bz_coopB_NTN",
            "ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_nt"),
    ROUTER(
            KernelFamily.ELEMENTWISE,
            false,
            "triton_per_fused__softmax_topk_4",
            "void at::native::sbtopk::gatherTopK<float, unsigned int, 2, false>(at::cuda::detail::TensorInfo)"),
    PERMUTE(
            KernelFamily.ELEMENTWISE,
            false,
            "void moe_permute_kernel<__nv_bfloat16, 128, true>(__nv_bfloat16 const*, int const*)",
            "void moe_permute_topK_kernel<c10::BFloat16, float, 128>(c10::BFloat16 const*)"),
    EXPERT_FORWARD(
            KernelFamily.EXPERT,
            true,
            "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<GroupProblemShape, bf16_t, sm90>>(Params)",
            "void cutlass::Kernel<cutlass::gemm::kernel::GemmGrouped<cutlass::bfloat16_t, 128, 128, 32>>(Params)"),
    EXPERT_BACKWARD(
            KernelFamily.EXPERT,
            true,
            "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<GroupProblemShape, bf16_t, sm90, wgrad>>(Params)",
            "void cutlass::Kernel<cutlass::gemm::kernel::GemmGrouped<cutlass::bfloat16_t, 128, 64, 32, wgrad>>(Params)"),
    HEAD(
            KernelFamily.GEMM,
            true,
            "nvjet_tst_256x256_64x4_2x1_v_bz_coopA_TNT",
            "ampere_bf16_s16816gemm_bf16_256x64_ldg8_f2f_stages_64x4_tn"),
    LOSS(
            KernelFamily.ELEMENTWISE,
            false,
            "void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float, float, float, LogSoftMaxForwardEpilogue>",
            "void at::native::(anonymous namespace)::cunn_SoftMaxForwardSmem<4, float, float, float>(float*, float*, int)"),
    LOSS_BACKWARD(
            KernelFamily.ELEMENTWISE,
            false,
            "void at::native::(anonymous namespace)::cunn_SoftMaxBackward<4, float, float, c10::BFloat16>(c10::BFloat16*)",
            "void at::native::(anonymous namespace)::cunn_SoftMaxBackwardSmem<4, float, float>(float*, float*, int)"),
    GRADIENT_NORM(
            KernelFamily.OPTIMIZER,
            false,
            "void multi_tensor_apply_kernel<TensorListMetadata<1>, transformer_engine::multi_tensor_l2norm::L2NormFunctor<float>>",
            "void multi_tensor_apply_kernel<TensorListMetadata<1>, L2NormFunctor<c10::BFloat16>, float*, float*>(int, int*)"),
    SCALE(
            KernelFamily.OPTIMIZER,
            false,
            "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<TensorListMetadata<1>, BinaryOpScalarFunctor>",
            "void multi_tensor_apply_kernel<TensorListMetadata<2>, ScaleFunctor<float, float>, float>(int, int*)"),
    ADAM(
            KernelFamily.OPTIMIZER,
            false,
            "void multi_tensor_apply_kernel<TensorListMetadata<4>, transformer_engine::multi_tensor_adam::AdamFunctorMaster>",
            "void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float, float, int>, float>(int, int*)"),
    /** What one rank runs on top, in a job where it does so: a metric, a hook, a debug check. */
    EXTRA(
            KernelFamily.ELEMENTWISE,
            false,
            "triton_per_fused_abs_amax_isnan_7",
            "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::func_wrapper_t<float>>>()");

    static final KernelKind[] ALL = values();

    private final KernelFamily family;
    private final boolean arithmetic;
    private final String hopper;
    private final String ampere;

    KernelKind(KernelFamily family, boolean arithmetic, String hopper, String ampere) {
        this.family = family;
        this.arithmetic = arithmetic;
        this.hopper = hopper;
        this.ampere = ampere;
    }

    /** Family. */
    public KernelFamily family() {
        return family;
    }

    /** True when the clock of the arithmetic units bounds it, false when memory does. */
    public boolean arithmetic() {
        return arithmetic;
    }

    /** True when it runs in the backward pass only. */
    public boolean backward() {
        return switch (this) {
            case EMBED_BACKWARD,
                    NORM_BACKWARD,
                    ACTIVATION_BACKWARD,
                    FLASH_BACKWARD,
                    DATA_GRADIENT,
                    WEIGHT_GRADIENT,
                    EXPERT_BACKWARD,
                    LOSS_BACKWARD -> true;
            default -> false;
        };
    }

    /** What the trace calls it. */
    public String name(boolean ampereNames) {
        return ampereNames ? ampere : hopper;
    }
}
