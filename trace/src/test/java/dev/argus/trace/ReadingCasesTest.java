package dev.argus.trace;

import static dev.argus.trace.Reading.event;
import static dev.argus.trace.Reading.kernel;
import static dev.argus.trace.Reading.trace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveCall;
import dev.argus.model.CollectiveOp;
import dev.argus.model.CopyDirection;
import dev.argus.model.GpuActivity;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The reading cases of the field notes, K1 to K29, those that concern the reader. */
class ReadingCasesTest {
    private static final String EPOCH = "1700000000000000";

    @Test
    void k1RankComesFromTheFileNameOrIsUnknown() {
        byte[] file = Reading.bytes(trace("", kernel(EPOCH, "5", "")));
        assertThat(Reading.of("rank00003.pt.trace.json", file).header().rank()).isEqualTo(3);
        Reading nameless = Reading.of("profile.json", file);
        assertThat(nameless.header().rank()).isEqualTo(-1);
        assertThat(nameless.problems()).containsExactly("rank-unknown");
    }

    @Test
    void k2WhatTheFileSaysWinsOverItsName() {
        byte[] file = Reading.bytes(trace("'distributedInfo':{'rank':3,'world_size':8}", kernel(EPOCH, "5", "")));
        assertThat(Reading.of("rank0.json", file).header().rank()).isEqualTo(3);
        assertThat(Reading.of("rank1.json", file).header().rank()).isEqualTo(3);
    }

    @Test
    void k3ImpossibleDurationIsSetAside() {
        Reading read = Reading.of(trace("", kernel(EPOCH, "7.4e15", ""), kernel(EPOCH, "5", "")));
        assertThat(read.kernels()).hasSize(1);
        assertThat(read.quarantined).containsExactly(Map.entry("impossible-duration", 1));
    }

    @Test
    void k5NanosecondsStayExactAndNegativesAreSetAside() {
        Reading read = Reading.of(trace("", kernel("100.7", "0.2", ""), kernel("101", "-3", "")));
        assertThat(read.kernels().getFirst().startNanos()).isEqualTo(100_700);
        assertThat(read.kernelNanos()).isEqualTo(200);
        assertThat(read.quarantined).containsExactly(Map.entry("negative-duration", 1));
    }

    /** K6: slices that overlap on one track are both in the statistics. */
    @Test
    void k6SlicesThatOverlapOnOneTrackAreBothKept() {
        Reading read = Reading.of(trace("", kernel("3", "3.776", ""), kernel("5", "2", "")));
        assertThat(read.kernels()).hasSize(2);
        assertThat(read.kernelNanos()).isEqualTo(5_776);
        assertThat(read.quarantined).isEmpty();
    }

    @Test
    void k7UntimedKernelsAreCountedAndKeepOffTheAxis() {
        String base = "'baseTimeNanoseconds':1700000000000000000";
        Reading read = Reading.of(trace(base, kernel("0", "0", ""), kernel("10.5", "0", "")));
        assertThat(read.kernels()).hasSize(1);
        assertThat(read.kernels().getFirst().startNanos()).isEqualTo(1_700_000_000_000_010_500L);
        assertThat(read.quarantined).containsExactly(Map.entry("untimed", 1));
    }

    @Test
    void k8AllSpellingsOfOneMomentAgree() {
        long moment = 1_751_410_839_690_164_648L;
        String base = "'baseTimeNanoseconds':1751410836000000000";
        String inside = trace("'displayTimeUnit':'ns'," + base, kernel("3690164.648", "1", ""));
        String behind = trace("", kernel("3690164.648", "1", "")).replaceFirst("}$", "," + base + "}");
        String epoch = trace("", kernel("1751410839690164.648", "1", ""));
        String both = trace(base, kernel("1751410839690164.648", "1", ""));
        String exponent = trace(base, kernel("3.690164648e6", "1.0e0", ""));
        for (String file : new String[] {inside, behind, epoch, both, exponent}) {
            assertThat(Reading.of(file).kernels().getFirst().startNanos())
                    .as(file)
                    .isEqualTo(moment);
            Reading zipped = Reading.of("rank0.json", Reading.gzip(Reading.bytes(file)));
            assertThat(zipped.kernels().getFirst().startNanos()).as(file).isEqualTo(moment);
        }
        assertThat(Reading.of(trace("", kernel("1751410839690164", "1", "")))
                        .kernels()
                        .getFirst()
                        .startNanos())
                .isEqualTo(1_751_410_839_690_164_000L);
    }

    @Test
    void k10ListsAreReadAndBrokenFilesGiveWhatStoodBefore() {
        String list = "[" + kernel(EPOCH, "5", "") + "]";
        assertThat(Reading.of(list).outcome.format()).isEqualTo("kineto-list");
        assertThat(Reading.of(list).kernels()).hasSize(1);
        String first = "{'traceEvents':[" + kernel(EPOCH, "5", "");
        Reading broken = Reading.of(first + ",{'ph':'X','na\nme:5,}," + kernel(EPOCH, "6", "") + "]}");
        assertThat(broken.outcome.status()).isEqualTo(Status.PARTIAL);
        assertThat(broken.kernelNanos()).isEqualTo(5_000);
        assertThat(broken.outcome.problems().getFirst().detail()).contains("readable until byte " + first.length());
    }

    @Test
    void k11CutFilesGiveWhatDecodes() {
        StringBuilder events = new StringBuilder("{'traceEvents':[");
        for (int i = 0; i < 4000; i++) {
            events.append(kernel(EPOCH, String.valueOf(i * 7919 % 1009), "")).append(',');
        }
        byte[] whole = Reading.gzip(Reading.bytes(events.append("{}]}").toString()));
        Reading cut = Reading.of("rank1.json.gz", Arrays.copyOf(whole, whole.length * 6 / 10));
        assertThat(cut.outcome.status()).isEqualTo(Status.PARTIAL);
        assertThat(cut.problems()).contains("cut-file");
        assertThat(cut.kernels().size()).isBetween(1000, 3900);
        byte[] plain = Reading.bytes(trace("", kernel(EPOCH, "5", "")));
        assertThat(Reading.of("rank1.json.gz", plain).outcome.status()).isEqualTo(Status.COMPLETE);
        assertThat(Reading.of("rank1.json.gz", new byte[0]).outcome.status()).isEqualTo(Status.FAILED);
        assertThat(Reading.of("rank1.json.gz", Arrays.copyOf(whole, 12)).outcome.status())
                .isEqualTo(Status.FAILED);
    }

    @Test
    void k12CpuOnlyRanksAreReadAndSaid() {
        Reading read = Reading.of(trace(
                "'distributedInfo':{'backend':'gloo','rank':34,'world_size':300}",
                event("user_annotation", "ProfilerStep#551", EPOCH, "100"),
                event("user_annotation", "gloo:all_reduce", EPOCH, "50")));
        assertThat(read.outcome.status()).isEqualTo(Status.COMPLETE);
        assertThat(read.problems()).containsExactly("no-gpu-events");
        assertThat(read.steps).hasSize(1);
        assertThat(op(read, 0)).isEqualTo(CollectiveOp.ALL_REDUCE);
        Reading empty = Reading.of(trace("'distributedInfo':{'rank':2}", "{'ph':'M','name':'process_name'}"));
        assertThat(empty.outcome.status()).isEqualTo(Status.COMPLETE);
        assertThat(empty.problems()).containsExactly("no-gpu-events");
    }

    @Test
    void k13OptimizerMarksArriveWhereThereAreNoSteps() {
        Reading read = Reading.of(trace("", event("cpu_op", "Optimizer.step#Adam.step", EPOCH, "20")));
        assertThat(read.steps).isEmpty();
        assertThat(read.name(read.spans.getFirst())).isEqualTo("Optimizer.step#Adam.step");
        assertThat(read.spans.getFirst().kind()).isEqualTo(SpanKind.ANNOTATION);
    }

    @Test
    void k14OnlyTheExactMarkIsAStep() {
        Reading read = Reading.of(trace(
                "",
                event("user_annotation", "ProfilerStep#7", EPOCH, "9"),
                event("gpu_user_annotation", "ProfilerStep#7", EPOCH, "8"),
                event("user_annotation", "ProfilerStep#7b", EPOCH, "9"),
                event("user_annotation", "my ProfilerStep#8", EPOCH, "9"),
                event("user_annotation", "ProfilerStep#", EPOCH, "9")));
        long start = 1_700_000_000_000_000_000L;
        assertThat(read.steps)
                .containsExactly(new StepMark(7, start, 9_000, false), new StepMark(7, start, 8_000, true));
        assertThat(read.spans).hasSize(3);
    }

    @Test
    void k16IdentityIsGroupAndSequenceNotExternalId() {
        String args = "'Collective name':'_allgather_base','Process Group Name':'12','Seq':%s,'External id':%s,"
                + "'In msg nelems':10,'Out msg nelems':80,'dtype':'BFloat16','Group size':8,'Process Group Ranks':'[0, 1]'";
        CollectiveCall a = call(Reading.of(trace("", kernel(EPOCH, "5", String.format(args, "41", "7")))));
        CollectiveCall b = call(Reading.of(trace("", kernel(EPOCH, "5", String.format(args, "41", "99")))));
        assertThat(a).isEqualTo(b);
        assertThat(a.op()).isEqualTo(CollectiveOp.ALL_GATHER);
        assertThat(a.sequence()).isEqualTo(41);
        assertThat(a.bytes()).isEqualTo(160);
        assertThat(a.groupSize()).isEqualTo(8);
    }

    @Test
    void k17OperationComesFromArgumentsElseFromTheName() {
        String[][] names = {
            {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)", "ALL_REDUCE"},
            {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(x)", "REDUCE_SCATTER"},
            {"ncclDevKernel_Reduce_Sum_f32", "REDUCE"},
            {"ncclDevKernel_SendRecv(y)", "SEND_RECV"},
            {"ncclDevKernel_Generic(z)", "UNKNOWN"},
            {"rcclGenericKernel", "UNKNOWN"},
        };
        for (String[] name : names) {
            Reading read = Reading.of(trace("", event("kernel", name[0], EPOCH, "5")));
            assertThat(call(read).op().name()).as(name[0]).isEqualTo(name[1]);
            assertThat(call(read).group()).isEqualTo(-1);
        }
        String uneven = "'Collective name':'all_to_all','In split size':'[3, 4]','Out split size':'[]'";
        assertThat(call(Reading.of(trace("", kernel(EPOCH, "5", uneven)))).op()).isEqualTo(CollectiveOp.ALL_TO_ALL_V);
        String send = "'Collective name':'send','Dst Rank':17,'Rank':2";
        assertThat(call(Reading.of(trace("", kernel(EPOCH, "5", send)))).peer()).isEqualTo(17);
    }

    @Test
    void k19GraphKernelsKeepTheirSharedLaunch() {
        String[] events = {
            kernel(EPOCH, "5", ""), kernel(EPOCH, "6", ""), event("cuda_runtime", "cudaGraphLaunch", EPOCH, "3")
        };
        Reading read = Reading.of(trace("", events));
        assertThat(read.kernels()).hasSize(2).allMatch(k -> k.correlation() == 1);
        assertThat(read.launches).hasSize(1);
    }

    @Test
    void k20KernelBeforeItsLaunchIsKept() {
        Reading read = Reading.of(trace(
                "",
                kernel("1700000000000000.1", "5", ""),
                event("cuda_runtime", "cudaLaunchKernel", EPOCH + ".9", "1")));
        assertThat(read.kernels()).hasSize(1);
        assertThat(read.quarantined).isEmpty();
    }

    @Test
    void k22StreamZeroAndHipAreWork() {
        Reading read = Reading.of(trace(
                "",
                "{'ph':'X','cat':'kernel','name':'Cijk','pid':2,'tid':0,'ts':1,'dur':2,'args':{'device':2,'stream':0,"
                        + "'correlation':121,'kind':'Dispatch Kernel'}}",
                "{'ph':'X','cat':'gpu_memcpy','name':'copy','pid':2,'tid':0,'ts':1,'dur':2,'args':{'kind':'HtoD','bytes':64}}",
                event("cuda_runtime", "hipLaunchKernel", "1", "5")));
        assertThat(read.gpu).extracting(e -> e.stream()).containsExactly(0, 0);
        assertThat(read.gpu).extracting(e -> e.device()).containsExactly(2, 2);
        assertThat(read.gpu.getLast().direction()).isEqualTo(CopyDirection.HOST_TO_DEVICE);
        assertThat(read.gpu.getLast().bytes()).isEqualTo(64);
        assertThat(read.launches).hasSize(1);
    }

    @Test
    void k26LaunchersAreIgnored() {
        byte[] launcher = Reading.bytes(trace("'schemaVersion':1", event("cpu_op", "aten::empty", EPOCH, "3")));
        Reading read = Reading.of("launcher.json", launcher);
        assertThat(read.outcome.status()).isEqualTo(Status.IGNORED);
        assertThat(read.outcome.parts()).isEmpty();
        assertThat(read.problems()).containsExactly("ignored-file");
        assertThat(Reading.of("notes.md", Reading.bytes("# Notes")).outcome.status())
                .isEqualTo(Status.IGNORED);
        assertThat(Reading.of("truth.json", Reading.bytes("{'case':'d01'}"))
                        .outcome
                        .status())
                .isEqualTo(Status.IGNORED);
    }

    /** A file whose times are all impossible is a broken one of the job, not one of a launcher. */
    @Test
    void whoseEventsWereAllSetAsideIsUnreadable() {
        for (String time : List.of("1e400", "-5", "9223372036854775807")) {
            byte[] file = Reading.bytes(trace("", event("cpu_op", "ProfilerStep#3", time, "3"), kernel(time, "5", "")));
            Reading read = Reading.of("rank0.json", file);
            assertThat(read.outcome.status()).isEqualTo(Status.FAILED);
            assertThat(read.outcome.problems())
                    .singleElement()
                    .satisfies(p -> assertThat(p.kind()).isEqualTo("unreadable-file"))
                    .satisfies(p -> assertThat(p.ranks()).isEqualTo(RankSet.of(0)))
                    .satisfies(p -> assertThat(p.detail())
                            .contains("2 of 2 events", "impossible-time=2", "no step, kernel or collective"));
        }
    }

    @Test
    void k28CutRankListsAreMarked() {
        String groups = "[{'pg_name':'0','pg_desc':'default_pg','pg_size':64,'ranks':[]},"
                + "{'pg_name':'7','pg_desc':'DP','pg_size':40,'ranks':'[0, 1, 2, ..., 63]'},"
                + "{'pg_name':'9','pg_desc':'TP','pg_size':2,'ranks':[4, 5]}]";
        String info = "'distributedInfo':{'rank':4,'world_size':64,'backend':'nccl','pg_config':%s}";
        ProcessGroup[] expected = {
            new ProcessGroup("0", "default_pg", 64, RankSet.range(0, 63), true),
            new ProcessGroup("7", "DP", 40, RankSet.of(0, 1, 2, 63), false),
            new ProcessGroup("9", "TP", 2, RankSet.of(4, 5), true)
        };
        String list = trace(String.format(info, groups), kernel(EPOCH, "5", ""));
        assertThat(Reading.of(list).header().groups()).containsExactly(expected);
        String printed = "'" + groups.replace("'", "\\'") + "'";
        String text = trace(String.format(info, printed), kernel(EPOCH, "5", ""));
        assertThat(Reading.of(text).header().groups()).containsExactly(expected);
    }

    @Test
    void k29OldSchemaAndPlainListsAreRead() {
        Reading old = Reading.of(trace(
                "",
                "{'ph':'X','cat':'Kernel','name':'k','pid':1,'tid':'stream 7','ts':5,'dur':0,'args':{'device':1,"
                        + "'correlation':3,'grid':[2,3,1],'block':[32,1,1]}}",
                event("Operator", "ProfilerStep#5", "4", "10"),
                event("Operator", "aten::mm", "4", "10"),
                event("Runtime", "cudaMemcpyAsync", "4", "2022"),
                event("Memset", "Memset (Device)", "4", "2")));
        assertThat(old.kernels().getFirst().stream()).isEqualTo(7);
        assertThat(old.kernels().getFirst().workItems()).isEqualTo(192);
        assertThat(old.steps).extracting(StepMark::step).containsExactly(5L);
        assertThat(old.spans).extracting(s -> s.kind()).containsExactly(SpanKind.RUNTIME);
        assertThat(old.gpu.getLast().activity()).isEqualTo(GpuActivity.MEMSET);
        String event = "{'name':'%s','ph':'X','ts':%d,'dur':%d,'tid':1,'pid':'CPU functions','args':{}}, ";
        Reading list = Reading.of("[" + String.format(event, "ProfilerStep#2", 1, 900)
                + String.format(event, "aten::mm", 1, 9) + String.format(event, "forward", 1, 90)
                + String.format(event, "gloo:all_reduce", 1, 80) + "]");
        assertThat(list.outcome.format()).isEqualTo("torch-list");
        assertThat(list.steps).hasSize(1);
        assertThat(list.spans).extracting(list::name).containsExactly("forward", "gloo:all_reduce");
    }

    private static CollectiveCall call(Reading read) {
        return Objects.requireNonNull(read.kernels().getFirst().collective());
    }

    private static CollectiveOp op(Reading read, int span) {
        return Objects.requireNonNull(read.spans.get(span).collective()).op();
    }
}
