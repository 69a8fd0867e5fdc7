package dev.argus.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.DataProblem;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.TraceFacts;
import dev.argus.testkit.KinetoJob;
import dev.argus.testkit.KinetoTraceWriter;
import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import dev.argus.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From dumps of flight recorders to who is missing, alone and beside traces. */
class FlightRecorderDiagnosisTest {
    private static String dump(int rank, int called) {
        StringBuilder entries = new StringBuilder();
        for (int s = 41; s <= called; s++) {
            entries.append(s == 41 ? "" : ",")
                    .append(
                            "{'pg_id':0,'process_group':['0','default_pg'],'profiling_name':'nccl:all_reduce','is_p2p':false,")
                    .append("'state':'scheduled','time_created_ns':17000000000000000")
                    .append(s)
                    .append(",'collective_seq_id':")
                    .append(s)
                    .append("}");
        }
        return ("{'pg_config':{'0':{'name':'0','desc':'default_pg','ranks':'[0, 1, 2, 3, 4, 5, 6, 7]'},'" + (rank + 1)
                        + "':{'name':'" + (rank + 1) + "','desc':'own','ranks':'[" + rank + "]'}},"
                        + "'pg_status':{'0':{'last_enqueued_collective':" + called
                        + ",'last_completed_collective':40},'1':{'last_enqueued_collective':1,'last_completed_collective':1}},"
                        + "'entries':[" + entries + "]}")
                .replace('\'', '"');
    }

    private static void write(Path folder, int missing) throws IOException {
        for (int rank = 0; rank < 8; rank++) {
            Files.writeString(folder.resolve("flight" + rank), dump(rank, rank == missing ? 40 : 42));
        }
    }

    @Test
    void dumpsAlone(@TempDir Path folder) throws IOException {
        write(folder, 5);
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).as(d.failure()).isTrue();
        assertThat(d.verdict().incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.HANG);
            assertThat(i.ranks()).isEqualTo(RankSet.of(5));
            assertThat(i.summary()).endsWith("7 of 8 members wait.");
        });
        assertThat(d.verdict().job().ranks()).isEqualTo(8);
        assertThat(d.verdict().quality().ranksRead()).isEqualTo(8);
        assertThat(d.verdict().traces()).hasSize(8).allSatisfy(t -> {
            assertThat(t.format()).isEqualTo("flight-recorder");
            assertThat(t.kernels()).isZero();
        });
    }

    @Test
    void nobodyMissing(@TempDir Path folder) throws IOException {
        write(folder, -1);
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isTrue();
        assertThat(d.verdict().incidents()).isEmpty();
        assertThat(d.verdict().notes()).anyMatch(n -> n.contains("no rank is missing"));
    }

    /** Traces of the time before, dumps of the end: both are judged, and a rank with both is no conflict. */
    @Test
    void besideTraces(@TempDir Path folder) throws IOException {
        KinetoTraceWriter.write(
                folder, KinetoJob.of(8).withSteps(21, 8).withLayers(3, 6).withSlowRank(3, 1.4, 23));
        write(folder, 5);
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().incidents())
                .extracting(Incident::kind)
                .containsExactly(IncidentKind.HANG, IncidentKind.COMPUTE_STRAGGLER);
        assertThat(d.verdict().incidents()).extracting(Incident::ranks).containsExactly(RankSet.of(5), RankSet.of(3));
        assertThat(d.verdict().quality().problems())
                .extracting(DataProblem::kind)
                .doesNotContain("duplicate-rank");
        assertThat(d.verdict().traces()).extracting(TraceFacts::format).contains("kineto", "flight-recorder");
    }

    @Test
    void aRefusedPickleAmongThemIsNamed(@TempDir Path folder) throws IOException {
        write(folder, 5);
        Files.write(folder.resolve("flight9"), new byte[] {(byte) 0x80, 2, 'c', 'o', 's', '\n', 'x', '\n', '.'});
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().incidents()).hasSize(1);
        assertThat(d.verdict().quality().problems())
                .filteredOn(p -> p.kind().equals("unreadable-file"))
                .singleElement()
                .satisfies(p -> assertThat(p.detail()).contains("flight9").contains("GLOBAL"));
    }

    @Test
    void partialDumpsDoNotClearTheOthers(@TempDir Path folder) throws IOException {
        write(folder, -1);
        for (int rank = 3; rank < 8; rank++) {
            Files.delete(folder.resolve("flight" + rank));
        }
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().notes())
                .noneMatch(n -> n.contains("no rank is missing") || n.contains("nobody is missing"))
                .anyMatch(n -> n.contains("nothing tells of ranks 3-7, which may be missing"));
    }

    @Test
    void dumpsOfTwoJobsAreRefusedByName(@TempDir Path folder) throws IOException {
        write(folder, 5);
        Files.writeString(
                folder.resolve("other9"),
                dump(1, 42).replace("[0, 1, 2, 3, 4, 5, 6, 7]", "[0, 1, 2, 3]").replace("[1]", "[1]"));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isFalse();
        assertThat(d.failure())
                .contains("different jobs")
                .contains("of 4 ranks (other9)")
                .contains("of 8 ranks (flight0, flight1, flight2 and 5 more)");
    }

    /** Two jobs of one size are told apart by the groups inside: of tensor parallelism over four ranks, and over two. */
    @Test
    void dumpsOfTwoJobsOfOneSizeAreToldApartByTheirGroups(@TempDir Path folder) throws IOException {
        for (int rank = 0; rank < 8; rank++) {
            String four = rank < 4 ? "[0, 1, 2, 3]" : "[4, 5, 6, 7]";
            String two = "[" + (rank - rank % 2) + ", " + (rank - rank % 2 + 1) + "]";
            boolean other = rank % 2 == 1;
            Files.writeString(folder.resolve("flight" + rank), with(dump(rank, 42), 20, other ? two : four));
        }
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isFalse();
        assertThat(d.failure())
                .contains("different jobs: group tp of rank ")
                .contains("ranks 0-3 (flight0)")
                .contains("ranks 0-1 (flight1)");
    }

    /** A rank that stopped before it made its second group of a name contradicts nobody. */
    @Test
    void aRankThatHasNotMadeAGroupYetIsOfTheSameJob(@TempDir Path folder) throws IOException {
        for (int rank = 0; rank < 8; rank++) {
            String four = rank < 4 ? "[0, 1, 2, 3]" : "[4, 5, 6, 7]";
            String two = "[" + (rank - rank % 2) + ", " + (rank - rank % 2 + 1) + "]";
            String first = with(dump(rank, rank == 5 ? 41 : 42), 20, four);
            Files.writeString(folder.resolve("flight" + rank), rank == 5 ? first : with(first, 21, two));
        }
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).as(d.failure()).isTrue();
        assertThat(d.verdict().incidents()).extracting(Incident::ranks).containsExactly(RankSet.of(5));
    }

    /** With one group more, made last. */
    private static String with(String dump, int name, String ranks) {
        String group = "\"" + name + "\":{\"name\":\"" + name + "\",\"desc\":\"tp\",\"ranks\":\"" + ranks + "\"}";
        return dump.replace("}},\"pg_status\"", "}," + group + "},\"pg_status\"");
    }

    /** Half of the ranks dumped an hour before the others: an earlier attempt, or another job of the same size. */
    @Test
    void dumpsOfAnotherTimeAreNotJoined(@TempDir Path folder) throws IOException {
        write(folder, 5);
        for (int rank = 0; rank < 3; rank++) {
            Files.writeString(
                    folder.resolve("flight" + rank), dump(rank, 41).replace("17000000000000000", "16999960000000000"));
        }
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().quality().problems())
                .filteredOn(p -> p.kind().equals("older-dumps"))
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.ranks()).isEqualTo(RankSet.range(0, 2));
                    assertThat(p.detail())
                            .contains("flight0, flight1, flight2")
                            .contains("minutes before")
                            .contains("another job");
                });
        assertThat(d.verdict().incidents()).extracting(Incident::ranks).allMatch(r -> !r.contains(0) && !r.contains(1));
    }

    @Test
    void aRankBeyondTheWorldOfTheOthersIsOfAnotherJob(@TempDir Path folder) throws IOException {
        write(folder, 5);
        Files.writeString(folder.resolve("rank12"), dump(12, 42).replaceAll("\"pg_config\":\\{.*?\\}\\},", ""));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.analysed()).isFalse();
        assertThat(d.failure()).contains("of 8 ranks (").contains("of more than 12 ranks (rank12)");
    }

    @Test
    void aRankWithTwoDumpsOfOneTimeIsNotGuessed(@TempDir Path folder) throws IOException {
        write(folder, 5);
        Files.writeString(folder.resolve("again5"), dump(5, 42));
        Files.writeString(folder.resolve("copy4"), dump(4, 42));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().quality().problems())
                .filteredOn(p -> p.kind().equals("duplicate-rank"))
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.ranks()).as("a copy is no conflict").isEqualTo(RankSet.of(5));
                    assertThat(p.detail()).contains("again5").contains("flight5");
                });
    }

    @Test
    void anOlderDumpOfARankIsLeftOutByName(@TempDir Path folder) throws IOException {
        write(folder, 5);
        Files.writeString(folder.resolve("old3"), dump(3, 41).replace("17000000000000000", "16000000000000000"));
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().incidents()).extracting(Incident::ranks).containsExactly(RankSet.of(5));
        assertThat(d.verdict().quality().problems())
                .filteredOn(p -> p.kind().equals("older-dumps"))
                .singleElement()
                .satisfies(p -> assertThat(p.detail()).contains("old3 end ", "days before"));
    }

    @Test
    void dumpsOfAnotherJobBesideTracesAreNotUsed(@TempDir Path folder) throws IOException {
        KinetoTraceWriter.write(folder, KinetoJob.of(4).withSteps(21, 8).withLayers(3, 6));
        write(folder, 5);
        Diagnosis d = Diagnosing.of(folder);
        assertThat(d.verdict().incidents()).isEmpty();
        assertThat(d.verdict().quality().problems())
                .filteredOn(p -> p.kind().equals("foreign-dumps"))
                .singleElement()
                .satisfies(p -> assertThat(p.detail())
                        .contains("flight0, flight1, flight2 and 5 more")
                        .contains("job of 8 ranks")
                        .contains("one of 4"));
    }

    // ---------------------------------------------------------------- real dumps

    @Requires(Need.SHARED)
    @ParameterizedTest
    @ValueSource(strings = {"pickle", "json"})
    void aLockedInterpreter(String form) {
        Diagnosis d = Diagnosing.of(Shared.path("data/nvrx_flight_recorder/lock_gil_1st/" + form));
        assertThat(d.verdict().incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.HANG);
            assertThat(i.ranks()).isEqualTo(RankSet.of(9, 14));
            assertThat(i.groups().getFirst().ranks()).isEqualTo(RankSet.range(8, 15));
            assertThat(i.summary()).contains("all_to_all number 45265 (2048x5120 BFloat16)");
        });
        assertThat(d.verdict().quality().problems())
                .filteredOn(p -> p.kind().equals("empty-dump"))
                .extracting(DataProblem::ranks)
                .containsExactlyInAnyOrder(RankSet.of(9), RankSet.of(14));
        assertThat(d.verdict().job().topology().size("tp")).isEqualTo(4);
        assertThat(d.verdict().job().topology().size("pp")).isEqualTo(2);
    }

    /** Errors of two GPUs: one is missing in calls already, the other sees no collective end. */
    @Requires(Need.SHARED)
    @ParameterizedTest
    @CsvSource({"pickle", "json", "''"})
    void failingGpus(String form) {
        Diagnosis d = Diagnosing.of(Shared.path("data/nvrx_flight_recorder/gpu_error_1st/" + form));
        assertThat(d.verdict().incidents()).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.HANG);
            assertThat(i.ranks()).isEqualTo(RankSet.of(12, 14));
            assertThat(i.summary()).startsWith("rank 12 has not called all_to_all number 20537 (4027x5120 BFloat16)");
        });
    }
}
