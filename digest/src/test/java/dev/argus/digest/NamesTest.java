package dev.argus.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.KernelClass;
import dev.argus.model.Phase;
import dev.argus.model.RankSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What names tell: class and operation of kernels, phase of ranges, members of printed lists. */
class NamesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)      | ALL_REDUCE
            ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)     | ALL_REDUCE
            ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL              | REDUCE_SCATTER
            ncclDevKernel_AllGather_RING_LL                           | ALL_GATHER
            ncclKernel_Broadcast_RING_LL_Sum_int8_t                   | BROADCAST
            ncclDevKernel_Reduce_Sum_f32_RING_LL                      | REDUCE
            ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t                | SEND_RECV
            ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)   | UNKNOWN
            ncclDevKernel_Generic_4                                   | UNKNOWN
            rcclGenericKernel<1, false>(ncclDevComm*)                 | UNKNOWN
            void RCCL_allreduce_next<float>                           | ALL_REDUCE
            ncclSymkDevKernel_AllReduce_RSxLD_AGxST_Sum_bf16          | ALL_REDUCE
            ncclxAllToAllvDynamic                                     | ALL_TO_ALL_V
            """)
    void k17CommunicationKernels(String name, CollectiveOp op) {
        assertThat(KernelClasses.classOf(name)).isEqualTo(KernelClass.COMMUNICATION);
        assertThat(KernelClasses.opOf(name)).isEqualTo(op);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n",
                "void at::native::reduce_kernel<512, 1>",
                "Cijk_Ailk_Bljk_BBS_BH_MT64x64x64",
                "flash_fwd_kernel",
                "nc",
                "",
            })
    void k17ComputeKernels(String name) {
        assertThat(KernelClasses.classOf(name)).isEqualTo(KernelClass.COMPUTE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__ | DATA_LOADING
            batch-generator                                               | DATA_LOADING
            get_batch                                                     | DATA_LOADING
            ## data_loading ##                                            | DATA_LOADING
            Optimizer.step#AdamW.step                                     | OPTIMIZER
            Optimizer.zero_grad#AdamW.zero_grad                           | OPTIMIZER
            optimizer                                                     | OPTIMIZER
            optimizer-inner-step                                          | OPTIMIZER
            ## optimizer ##                                               | OPTIMIZER
            forward-compute                                               | FORWARD
            forward_step                                                  | FORWARD
            ## forward ##                                                 | FORWARD
            DistributedDataParallel.forward                               | FORWARD
            backward-compute                                              | BACKWARD
            backward_step                                                 | BACKWARD
            ## backward ##                                                | BACKWARD
            save-checkpoint                                               | CHECKPOINT
            checkpoint                                                    | CHECKPOINT
            eval                                                          | EVALUATION
            evaluate                                                      | EVALUATION
            eval_step                                                     | EVALUATION
            validation                                                    | EVALUATION
            """)
    void phasesAsFrameworksNameThem(String name, Phase phase) {
        assertThat(Phases.of(name)).isEqualTo(phase);
    }

    /** Near misses: nothing is guessed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ProfilerStep#12",
                "aten::mm",
                "fast_forwarding",
                "fastforward",
                "forwarding_table",
                "forward-backward",
                "forward-recv",
                "forward-send",
                "backward-recv",
                "backward-send",
                "forward-send-backward-recv",
                "grads-sync",
                "params-all-gather",
                "CheckpointFunction",
                "evaluator_pool",
                "autograd::engine::evaluate_function: MmBackward0",
                "MmBackward0",
                "optimizers",
                "interval-time",
            })
    void namesThatAreNoPhase(String name) {
        assertThat(Phases.of(name)).isNull();
    }

    @Test
    void printedListsOfRanks() {
        assertThat(RankLists.parse("[0, 1, 2]")).isEqualTo(RankSet.range(0, 2));
        assertThat(RankLists.parse("(7,3)")).isEqualTo(RankSet.of(3, 7));
        assertThat(RankLists.parse("5")).isNull();
        String many = RankSet.range(0, 40).stream().boxed().toList().toString();
        assertThat(RankLists.parse(many)).isEqualTo(RankSet.range(0, 40));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "[0, 1, ..., 63]", "[0, -1]", "[a]", "[99999999999999999999]", "default_pg"})
    void k28ListsThatAreCutOrNone(String text) {
        assertThat(RankLists.parse(text)).isNull();
    }
}
