package dev.argus.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.AssembledTrace.DeviceFacts;
import dev.argus.digest.AssembledTrace.StepSource;
import dev.argus.model.GroupUse;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.model.ParallelGroup;
import dev.argus.model.ProcessGroup;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import dev.argus.model.Topology.Dimension;
import dev.argus.model.TraceHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the ranks say, put together. */
class JobBuilderTest {
    private static final Topology TP2_DP2_PP2 = layout("tp", 2, "dp", 2, "pp", 2);

    private final NameTable names = new NameTable();
    private final JobBuilder builder = new JobBuilder(0, names);

    private static Topology layout(Object... sizes) {
        List<Dimension> list = new ArrayList<>();
        for (int i = 0; i < sizes.length; i += 2) {
            list.add(new Dimension((String) sizes[i], (Integer) sizes[i + 1]));
        }
        return new Topology(list, "given");
    }

    private GroupUse use(String name, String members, int size, boolean pointToPoint) {
        return new GroupUse(names.id(name), members.isEmpty() ? -1 : names.id(members), size, 9, pointToPoint);
    }

    private static ProcessGroup declared(String name, String description, RankSet ranks) {
        return new ProcessGroup(name, description, ranks.size(), ranks, true);
    }

    private static AssembledTrace trace(List<GroupUse> uses, long signature, int device) {
        return new AssembledTrace(
                List.of(new DeviceFacts(device, 1, 1, 0, 1)),
                List.of(),
                StepSource.MARKS,
                true,
                uses,
                List.of(),
                signature,
                0,
                1,
                2,
                Map.of());
    }

    private void rank(int rank, int world, List<ProcessGroup> declared, GroupUse... uses) {
        builder.add(
                rank, new TraceHeader(rank, world, "", "nccl", declared, "H100", 8, ""), trace(List.of(uses), 1, rank));
    }

    private static String print(RankSet set) {
        return set.stream().boxed().toList().toString();
    }

    /** Every rank uses one group of each dimension, with printed members and no descriptions. */
    private void undescribed(Topology t, String... pipelines) {
        for (int r = 0; r < t.worldSize(); r++) {
            List<GroupUse> uses = new ArrayList<>();
            for (Dimension d : t.dimensions()) {
                RankSet set = t.group(r, d.name());
                boolean p2p = List.of(pipelines).contains(d.name());
                uses.add(use("g" + d.name() + set.get(0), print(set), set.size(), p2p));
            }
            rank(r, t.worldSize(), List.of(), uses.toArray(GroupUse[]::new));
        }
    }

    private static List<String> groups(JobShape shape) {
        return shape.groups().stream()
                .map(g -> g.dimension() + " " + g.ranks())
                .sorted()
                .toList();
    }

    private static List<String> peers(JobShape shape) {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < shape.peerSets().size(); i++) {
            list.add(shape.peerLabels().get(i) + ": " + shape.peerSets().get(i));
        }
        return list;
    }

    @Test
    void undescribedGroupsAreTensorDataAndPipelineAndShownWithoutThatGuess() {
        undescribed(TP2_DP2_PP2, "pp");
        JobShape shape = builder.build(null);
        assertThat(groups(shape))
                .containsExactly(
                        "dim1 0-1",
                        "dim1 2-3",
                        "dim1 4-5",
                        "dim1 6-7",
                        "dim2 0,2",
                        "dim2 1,3",
                        "dim2 4,6",
                        "dim2 5,7",
                        "pp 0,4",
                        "pp 1,5",
                        "pp 2,6",
                        "pp 3,7");
        assertThat(shape.shownTopology().text()).isEqualTo("dim1=2,dim2=2,pp=2");
        assertThat(shape.topology()).isEqualTo(new Topology(TP2_DP2_PP2.dimensions(), "collectives"));
        assertThat(peers(shape)).containsExactly("stage 0 of 2: 0-3", "stage 1 of 2: 4-7");
        assertThat(builder.notes()).isEmpty();
    }

    /** The replicas with context ranks are the context group, where there is one replica. */
    @Test
    void aContextGroupIsNotCalledDataParallel() {
        Topology t = layout("tp", 8, "cp", 2);
        for (int r = 0; r < 16; r++) {
            ProcessGroup tensor = declared("t" + r % 2, "TENSOR_MODEL_PARALLEL_GROUP", t.group(r, "tp"));
            ProcessGroup replicas = declared("d", "DATA_PARALLEL_GROUP_WITH_CP", t.group(r, "cp"));
            ProcessGroup context = declared("c", "CONTEXT_PARALLEL_GROUP", t.group(r, "cp"));
            rank(
                    r,
                    16,
                    List.of(tensor, replicas, context),
                    use(tensor.name(), "", -1, false),
                    use("d", "", -1, false)); // no collective of the context group is in the record
        }
        JobShape shape = builder.build(null);
        assertThat(groups(shape)).contains("cp 0,8", "tp 0-7").noneMatch(g -> g.startsWith("dp"));
        assertThat(shape.shownTopology().text()).isEqualTo("tp=8,cp=2");
    }

    /** What is left over beside the named dimensions may be anything. */
    @Test
    void aDimensionThatNothingNamesHasNoName() {
        Topology t = layout("tp", 8, "cp", 2);
        for (int r = 0; r < 16; r++) {
            ProcessGroup tensor = declared("t", "TENSOR_MODEL_PARALLEL_GROUP", t.group(r, "tp"));
            RankSet other = t.group(r, "cp");
            rank(r, 16, List.of(tensor), use("t", "", -1, false), use("g" + other.get(0), print(other), 2, false));
        }
        JobShape shape = builder.build(null);
        assertThat(groups(shape)).contains("dim2 0,8", "tp 0-7");
        assertThat(shape.shownTopology().text()).isEqualTo("tp=8,dim2=2");
        assertThat(shape.topology().text())
                .as("who is a replica is judged as before")
                .isEqualTo("tp=8,dp=2");
        assertThat(groups(builder.build(layout("tp", 8, "cp", 2))))
                .as("--topology names it")
                .contains("cp 0,8");
    }

    @Test
    void theOrderOfTheLayoutIsSeen() {
        undescribed(layout("tp", 2, "pp", 2, "dp", 4), "pp");
        JobShape shape = builder.build(null);
        assertThat(shape.topology().dimensions())
                .containsExactly(new Dimension("tp", 2), new Dimension("pp", 2), new Dimension("dp", 4));
        assertThat(peers(shape))
                .containsExactly("stage 0 of 2: 0-1,4-5,8-9,12-13", "stage 1 of 2: 2-3,6-7,10-11,14-15");
    }

    @Test
    void aPipelineMayBeTheFastest() {
        undescribed(layout("pp", 2, "tp", 2, "dp", 2), "pp");
        assertThat(peers(builder.build(null))).containsExactly("stage 0 of 2: 0,2,4,6", "stage 1 of 2: 1,3,5,7");
    }

    @Test
    void oneKindOfGroupIsDataParallel() {
        undescribed(layout("dp", 4, "replica", 1));
        JobShape shape = builder.build(null);
        assertThat(groups(shape)).contains("world 0-3");
        assertThat(shape.topology().dimensions()).containsExactly(new Dimension("dp", 4));
        assertThat(peers(shape)).containsExactly("all ranks: 0-3");
    }

    @Test
    void neighboursAloneAreDataParallelToo() {
        for (int r = 0; r < 4; r++) {
            rank(r, 8, List.of(), use("g", r < 2 ? "[0, 1]" : "[2, 3]", 2, false));
        }
        assertThat(groups(builder.build(null))).containsExactly("dp 0-1", "dp 2-3");
    }

    @Test
    void descriptionsWinOverGuesses() {
        for (int r = 0; r < 8; r++) {
            RankSet tp = TP2_DP2_PP2.group(r, "tp");
            RankSet dp = TP2_DP2_PP2.group(r, "dp");
            RankSet pp = TP2_DP2_PP2.group(r, "pp");
            rank(
                    r,
                    8,
                    List.of(
                            declared("1", "DATA_PARALLEL_GROUP_WITH_CP", dp),
                            declared("2", "TENSOR_MODEL_PARALLEL_GROUP", tp),
                            declared("3", "PIPELINE_MODEL_PARALLEL_GROUP", pp),
                            declared("4", "EXPERT_MODEL_PARALLEL_GROUP", RankSet.of(r, r ^ 1 ^ 2))),
                    use("1", "", 2, false),
                    use("2", "", 2, false),
                    use("3", "", 2, false),
                    use("4", "", 2, false));
        }
        JobShape shape = builder.build(null);
        assertThat(shape.topology()).isEqualTo(new Topology(TP2_DP2_PP2.dimensions(), "distributedInfo"));
        assertThat(groups(shape))
                .contains("tp 0-1", "dp 0,2", "pp 3,7", "ep 0,3")
                .hasSize(16);
    }

    @ParameterizedTest
    @CsvSource({
        "TENSOR_MODEL_PARALLEL_GROUP, tp",
        "PIPELINE_MODEL_PARALLEL_GROUP, pp",
        "DATA_PARALLEL_GROUP, dp",
        "DATA_PARALLEL_GROUP_WITH_CP, dp",
        "INTRA_PARTIAL_DATA_PARALLEL_GROUP_WITH_CP, dp",
        "CONTEXT_PARALLEL_GROUP, cp",
        "EXPERT_MODEL_PARALLEL_GROUP, ep",
        "EXPERT_DATA_PARALLEL_GROUP, edp",
        "MODEL_PARALLEL_GROUP, tp-pp",
        "TENSOR_AND_DATA_PARALLEL_GROUP, tp-dp",
        "TENSOR_AND_CONTEXT_PARALLEL_GROUP, tp-cp",
        "TENSOR_AND_EXPERT_PARALLEL_GROUP, tp-ep",
        "EXPERT_TENSOR_PARALLEL_GROUP, etp",
        "EXPERT_TENSOR_AND_MODEL_PARALLEL_GROUP, etp-ep",
        "EXPERT_TENSOR_MODEL_PIPELINE_PARALLEL_GROUP, etp-ep-pp",
        "EMBEDDING_GROUP, embedding",
        "POSITION_EMBEDDING_GROUP, embedding",
        "mesh_dp_shard, dp",
        "mesh_tp, tp",
        "mesh_dp_cp, dp-cp",
        "default_pg, ''",
        "undefined, ''",
    })
    void descriptionsOfFrameworks(String description, String dimension) {
        ProcessGroup group = declared("1", description, RankSet.of(0, 1));
        assertThat(GroupDimensions.declared(group, false, false)).isEqualTo(dimension);
    }

    @Test
    void withoutADescriptionTheUseTells() {
        assertThat(GroupDimensions.declared(null, false, true)).isEqualTo(GroupDimensions.POINT_TO_POINT);
        assertThat(GroupDimensions.declared(null, true, false)).isEqualTo("world");
        assertThat(GroupDimensions.declared(null, false, false)).isEmpty();
    }

    @Test
    void groupsOverSeveralDimensionsDoNotHideTheLayout() {
        Topology t = layout("tp", 2, "cp", 2, "pp", 2, "dp", 4);
        for (int r = 0; r < 32; r++) {
            RankSet cp = t.group(r, "cp");
            RankSet tpCp = cp.union(RankSet.of(cp.stream().map(c -> c ^ 1).toArray()));
            RankSet model = t.group(r, "tp").union(t.group(r ^ 4, "tp"));
            rank(
                    r,
                    32,
                    List.of(
                            declared("1", "TENSOR_AND_CONTEXT_PARALLEL_GROUP", tpCp),
                            declared("2", "MODEL_PARALLEL_GROUP", model),
                            declared("3", "TENSOR_MODEL_PARALLEL_GROUP", t.group(r, "tp")),
                            declared("4", "CONTEXT_PARALLEL_GROUP", cp),
                            declared("5", "PIPELINE_MODEL_PARALLEL_GROUP", t.group(r, "pp"))),
                    use("1", "", 4, false),
                    use("2", "", 4, false),
                    use("3", "", 2, false),
                    use("4", "", 2, false),
                    use("5", "", 2, true));
        }
        JobShape shape = builder.build(null);
        assertThat(shape.topology()).isEqualTo(new Topology(t.dimensions(), "distributedInfo"));
        assertThat(groups(shape)).contains("tp-cp 0-3", "tp-pp 0-1,4-5");
    }

    @Test
    void ofNamesForOneSetTheMostTellingCounts() {
        for (int r = 0; r < 4; r++) {
            RankSet tp = RankSet.of(r, r ^ 1);
            RankSet pp = RankSet.of(r, r ^ 2);
            rank(
                    r,
                    4,
                    List.of(
                            declared("1", "EMBEDDING_GROUP", pp),
                            declared("2", "TENSOR_AND_CONTEXT_PARALLEL_GROUP", tp),
                            declared("3", "TENSOR_MODEL_PARALLEL_GROUP", tp),
                            declared("4", "PIPELINE_MODEL_PARALLEL_GROUP", pp),
                            declared("5", "MODEL_PARALLEL_GROUP", RankSet.range(0, 3))),
                    use("0", "", 4, false),
                    use("1", "", 2, false),
                    use("2", "", 2, false),
                    use("3", "", 2, false),
                    use("4", "", 2, true),
                    use("5", "", 4, true));
        }
        JobShape shape = builder.build(null);
        assertThat(groups(shape)).containsExactlyInAnyOrder("tp-pp 0-3", "tp 0-1", "tp 2-3", "pp 0,2", "pp 1,3");
        assertThat(peers(shape)).containsExactly("stage 0 of 2: 0-1", "stage 1 of 2: 2-3");
    }

    @Test
    void aPipelineOverTheWholeWorldIsOne() {
        for (int r = 0; r < 4; r++) {
            ProcessGroup pp = declared("1", "PIPELINE_MODEL_PARALLEL_GROUP", RankSet.range(0, 3));
            rank(r, 4, List.of(pp), use("0", "", 4, false), use("1", "", 4, true));
        }
        JobShape shape = builder.build(null);
        assertThat(groups(shape)).containsExactly("pp 0-3");
        assertThat(shape.topology().dimensions()).containsExactly(new Dimension("pp", 4));
    }

    @Test
    void aFewMessagesOverTheWholeWorldMakeNoPipeline() {
        for (int r = 0; r < 4; r++) {
            rank(r, 4, List.of(), use("0", "", 4, r == 3));
        }
        assertThat(groups(builder.build(null))).containsExactly("world 0-3");
    }

    @Test
    void neighboursOnTwoHostsAreNotTensorParallel() {
        for (int r = 0; r < 4; r++) {
            List<GroupUse> uses = List.of(
                    use("near" + r / 2, print(RankSet.of(r, r ^ 1)), 2, false),
                    use("far" + r % 2, print(RankSet.of(r, r ^ 2)), 2, false));
            builder.add(r, new TraceHeader(r, 4, "host" + r, "", List.of(), "", 1, ""), trace(uses, 1, 0));
        }
        assertThat(groups(builder.build(null))).containsExactlyInAnyOrder("dp 0-1", "dp 0,2", "dp 1,3", "dp 2-3");
    }

    @Test
    void withoutALayoutThePlaceInThePipelineIsTheStage() {
        for (int r = 0; r < 6; r++) {
            rank(r, 7, List.of(), use("pp" + r % 3, print(RankSet.of(r % 3, r % 3 + 3)), 2, true));
        }
        JobShape shape = builder.build(null);
        assertThat(shape.topology()).isEqualTo(Topology.UNKNOWN);
        assertThat(peers(shape)).containsExactly("stage 0 of 2: 0-2", "stage 1 of 2: 3-5");
    }

    @Test
    void aCutListIsNotTakenFromARankOfAnotherGroup() {
        rank(0, 64, List.of(declared("7", "", RankSet.range(0, 31))), use("7", "", 32, false));
        rank(33, 64, List.of(), use("7", "[32, 33, ..., 63]", 32, false));
        assertThat(builder.build(null).groupIndex(33, names.id("7"))).isEqualTo(-1);
    }

    @Test
    void pairsOfAPipelineAndAWholeWorldAgreeWithALayout() {
        Topology given = layout("dp", 2, "pp", 4);
        for (int r = 0; r < 8; r++) {
            rank(
                    r,
                    8,
                    List.of(),
                    use("w", "", 8, true),
                    use("pair" + r / 4 + r % 2, print(RankSet.of(r & ~2, r | 2)), 2, true));
        }
        assertThat(builder.build(given).topology()).isEqualTo(given);
        assertThat(builder.notes()).isEmpty();
    }

    /** K12: times of the CPU and of a GPU are not held against each other. */
    @Test
    void ranksWithoutGpuEventsAreNoPeersOfThoseWithThem() {
        for (int r = 0; r < 4; r++) {
            AssembledTrace t = trace(List.of(use("w", "", 4, false)), 1, r);
            AssembledTrace cpu = new AssembledTrace(
                    t.devices(), t.steps(), t.stepSource(), false, t.groups(), t.trails(), 0, 0, 1, 2, Map.of());
            builder.add(r, new TraceHeader(r, 4, "", "nccl", List.of(), "H100", 8, ""), r == 1 ? cpu : t);
        }
        JobShape shape = builder.build(null);
        assertThat(shape.peerSets()).containsExactly(RankSet.of(0, 2, 3), RankSet.of(1));
        assertThat(shape.peerLabels().get(1)).contains("without GPU events");
    }

    @Test
    void anImplausibleWorldIsNotBelieved() {
        rank(0, Integer.MAX_VALUE, List.of());
        rank(1, 2, List.of());
        assertThat(builder.build(null).worldSize()).isEqualTo(2);
        assertThat(builder.notes())
                .singleElement()
                .asString()
                .contains("2147483647")
                .contains("not believed");
    }

    @Test
    void pairsOfNeighboursAreChainedToOnePipeline() {
        for (int r = 0; r < 4; r++) {
            List<GroupUse> uses = new ArrayList<>();
            if (r > 0) {
                uses.add(use("up" + r, print(RankSet.of(r - 1, r)), 2, true));
            }
            if (r < 3) {
                uses.add(use("down" + r, print(RankSet.of(r, r + 1)), 2, true));
            }
            rank(r, 4, List.of(), uses.toArray(new GroupUse[0]));
        }
        assertThat(builder.build(null).topology().dimensions()).containsExactly(new Dimension("pp", 4));
        assertThat(builder.build(null).peerSets()).hasSize(4);
    }

    @Test
    void sendsOverTheGroupOfAllRanksMakeNoPipelineBesideOthers() {
        for (int r = 0; r < 4; r++) {
            int pair = r / 2;
            rank(
                    r,
                    4,
                    List.of(),
                    use("w", print(RankSet.range(0, 3)), 4, true),
                    use("t" + pair, print(RankSet.of(2 * pair, 2 * pair + 1)), 2, false));
        }
        assertThat(builder.build(null).peerSets()).containsExactly(RankSet.range(0, 3));
    }

    @Test
    void k24OneNameMeansDifferentSetsOnDifferentRanks() {
        JobBuilder job = new JobBuilder(0, names);
        for (int r = 0; r < 4; r++) {
            RankSet set = RankSet.of(r, r ^ 1);
            TraceHeader header = new TraceHeader(r, 4, "", "nccl", List.of(declared("1", "", set)), "", 8, "");
            job.add(r, header, trace(List.of(use("1", "", 2, false)), 1, r));
        }
        JobShape shape = job.build(null);
        int name = names.id("1");
        assertThat(shape.groups()).extracting(ParallelGroup::ranks).containsExactly(RankSet.of(0, 1), RankSet.of(2, 3));
        assertThat(shape.groupIndex(0, name))
                .isEqualTo(shape.groupIndex(1, name))
                .isNotEqualTo(shape.groupIndex(2, name));
        assertThat(shape.groupIndex(3, name)).isEqualTo(1);
        assertThat(shape.groupIndex(3, names.id("nobody's"))).isEqualTo(-1);
    }

    @Test
    void k28ACutListIsWhatAnotherRankDeclaresInFull() {
        RankSet half = RankSet.range(0, 31);
        RankSet other = RankSet.range(32, 63);
        rank(0, 64, List.of(declared("7", "", half)), use("7", "", 32, false));
        rank(1, 64, List.of(), use("7", "[0, 1, ..., 31]", 32, false));
        rank(32, 64, List.of(declared("7", "", other)), use("7", "", 32, false));
        rank(33, 64, List.of(), use("7", "[32, 33, ..., 63]", 32, false));
        JobShape shape = builder.build(null);
        int name = names.id("7");
        assertThat(shape.groups().get(shape.groupIndex(1, name)).ranks()).isEqualTo(half);
        assertThat(shape.groups().get(shape.groupIndex(33, name)).ranks()).isEqualTo(other);
    }

    @Test
    void k28CutListsOnEveryRankAreTheRanksThatPrintTheSame() {
        for (int r = 0; r < 64; r++) {
            String cut = r % 2 == 0 ? "[0, 2, 4, ..., 62]" : "[1, 3, 5, ..., 63]";
            rank(r, 64, List.of(), use("7", cut, 32, false));
        }
        JobShape shape = builder.build(null);
        assertThat(shape.groups()).extracting(g -> g.ranks().toString()).hasSize(2);
        assertThat(shape.groups().get(shape.groupIndex(4, names.id("7"))).ranks())
                .isEqualTo(RankSet.of(
                        RankSet.range(0, 63).stream().filter(r -> r % 2 == 0).toArray()));
    }

    @Test
    void k28ACutListOfTheWholeWorldNeedsNoOneElse() {
        rank(5, 64, List.of(), use("0", "[0, 1, ..., 63]", 64, false));
        JobShape shape = builder.build(null);
        assertThat(shape.groups()).containsExactly(new ParallelGroup("world", RankSet.range(0, 63)));
        assertThat(shape.worldSize()).isEqualTo(64);
        assertThat(shape.ranks()).isEqualTo(RankSet.of(5));
    }

    @Test
    void withoutEnoughRanksACutListStaysUnknown() {
        rank(0, 64, List.of(), use("7", "[0, 2, 4, ..., 62]", 32, false));
        rank(2, 64, List.of(), use("7", "[0, 2, 4, ..., 62]", 32, false));
        assertThat(builder.build(null).groupIndex(0, names.id("7"))).isEqualTo(-1);
    }

    @Test
    void withoutGroupsRanksWithTheSameKernelsArePeers() {
        IntUnaryOperator signature = r -> r < 3 ? 11 : 22;
        for (int r = 0; r < 5; r++) {
            builder.add(
                    r,
                    new TraceHeader(r, -1, "node" + r / 3, "", List.of(), "", -1, ""),
                    trace(List.of(), signature.applyAsInt(r), r % 3));
        }
        JobShape shape = builder.build(null);
        assertThat(peers(shape))
                .containsExactlyInAnyOrder("ranks with the same kernels: 0-2", "ranks with the same kernels: 3-4");
        assertThat(shape.worldSize()).isEqualTo(5);
        assertThat(shape.topology()).isEqualTo(Topology.UNKNOWN);
        assertThat(shape.hostOf(4)).isEqualTo("node1");
        assertThat(shape.hostCount()).isEqualTo(2);
        assertThat(shape.ranksOn("node1")).isEqualTo(RankSet.of(3, 4));
        assertThat(shape.gpuIndex()).containsEntry(4, 1);
    }

    @Test
    void hostsComeFromTheHeaderElseFromTheNumberOfGpus() {
        builder.add(0, new TraceHeader(0, 16, "a", "", List.of(), "", 8, ""), trace(List.of(), 1, 0));
        builder.add(9, new TraceHeader(9, 16, "", "", List.of(), "", 8, ""), trace(List.of(), 1, 1));
        builder.add(10, new TraceHeader(10, 16, "", "", List.of(), "", -1, ""), trace(List.of(), 1, 1));
        JobShape shape = builder.build(null);
        assertThat(shape.hosts()).isEqualTo(Map.of(0, "a", 9, "host1", 10, ""));
        assertThat(shape.hostCount()).isEqualTo(2);
        assertThat(shape.worldSize()).isEqualTo(16);
    }

    @Test
    void aLayoutGivenIsTakenWhenTheTracesAgree() {
        undescribed(TP2_DP2_PP2, "pp");
        JobShape shape = builder.build(TP2_DP2_PP2);
        assertThat(builder.notes()).isEmpty();
        assertThat(shape.topology()).isEqualTo(TP2_DP2_PP2);
    }

    @Test
    void aLayoutOfAnotherSizeIsIgnoredWithOneNote() {
        undescribed(TP2_DP2_PP2, "pp");
        JobShape shape = builder.build(layout("tp", 2, "dp", 8));
        assertThat(shape.topology().dimensions())
                .as("what the collectives show")
                .isEqualTo(TP2_DP2_PP2.dimensions());
        assertThat(builder.notes()).singleElement().asString().contains("16 ranks", "job has 8");
    }

    @Test
    void aGroupThatIsNoneOfTheLayoutGivesOneNote() {
        undescribed(TP2_DP2_PP2, "pp");
        builder.build(layout("tp", 4, "pp", 2));
        assertThat(builder.notes()).singleElement().asString().contains("contradicts", "0-1", "fastest first");
    }

    @Test
    void aLayoutInTheWrongOrderGivesOneNote() {
        undescribed(TP2_DP2_PP2, "pp");
        builder.build(layout("pp", 2, "dp", 2, "tp", 2));
        assertThat(builder.notes()).singleElement().asString().contains("contradicts", "fastest first");
    }
}
