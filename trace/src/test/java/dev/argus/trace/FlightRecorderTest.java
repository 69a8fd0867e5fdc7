package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.CollectiveOp;
import dev.argus.model.FlightRecord;
import dev.argus.model.FlightRecord.Call;
import dev.argus.model.RankSet;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dumps of flight recorders, whole and not. */
class FlightRecorderTest {
    private static final String GROUPS = "'pg_config':{'0':{'name':'0','desc':'default_pg','ranks':'[0, 1, 2, 3]'},"
            + "'7':{'name':'7','desc':'DATA','ranks':[3,1]},'9':{'name':'9','desc':'','ranks':'[1]'}}";
    private static final String STATUS =
            "'pg_status':{'0':{'last_enqueued_collective':12,'last_started_collective':-1,'last_completed_collective':10},"
                    + "'2':{'last_enqueued_collective':5,'last_started_collective':-1,'last_completed_collective':5}}";

    private static String entry(String more) {
        return "{'record_id':1,'pg_id':0,'process_group':['0','default_pg'],'p2p_seq_id':0,'profiling_name':'nccl:all_reduce',"
                + "'time_created_ns':1700000000000000000,'input_sizes':[[2,3]],'input_dtypes':['Half'],'is_p2p':false,"
                + more
                + "}";
    }

    private static String dump(String... entries) {
        return "{'version':'2.9'," + GROUPS + "," + STATUS + ",'entries':[" + String.join(",", entries) + "]}";
    }

    private static FlightRecord record(Reading read) {
        assertThat(read.outcome.problems()).isEmpty();
        return (FlightRecord) read.outcome.records().getFirst();
    }

    @Test
    void aDumpInJson() {
        Reading read = Reading.of(
                "whatever",
                Reading.bytes(dump(
                        entry("'collective_seq_id':10,'state':'completed'"),
                        entry("'collective_seq_id':11,'state':'started'"),
                        entry("'collective_seq_id':12,'state':'scheduled'"))));
        assertThat(read.outcome.format()).isEqualTo("flight-recorder");
        assertThat(read.outcome.status()).isEqualTo(Status.COMPLETE);
        assertThat(read.header().rank())
                .as("what all its groups have in common")
                .isEqualTo(1);
        assertThat(read.header().worldSize()).isEqualTo(4);
        FlightRecord record = record(read);
        assertThat(record.entries()).isEqualTo(3);
        assertThat(record.firstNanos()).isEqualTo(1_700_000_000_000_000_000L);
        assertThat(record.groups())
                .extracting(g -> read.names.name(g.label()))
                .containsExactly("default_pg", "DATA", "group 9");
        assertThat(record.groups().get(1).members()).isEqualTo(RankSet.of(1, 3));
        assertThat(record.statuses())
                .containsExactly(
                        new FlightRecord.Status(0, 0, 10, 12, 10, false),
                        new FlightRecord.Status(2, -1, -1, 5, 5, false));
        assertThat(record.calls()).extracting(Call::sequence).containsExactly(11L, 12L);
        Call open = record.calls().getFirst();
        assertThat(open.op()).isEqualTo(CollectiveOp.ALL_REDUCE);
        assertThat(open.started()).isTrue();
        assertThat(read.names.name(open.shape())).isEqualTo("2x3 Half");
    }

    /** Peers are numbered within the group, in the order in which it lists its ranks. */
    @Test
    void sendsAndReceivesNameGlobalRanks() {
        String pair = "{'pg_id':2,'process_group':['7','DATA'],'collective_seq_id':5,'p2p_seq_id':8,'is_p2p':true,"
                + "'profiling_name':'nccl:recv 1<-0','state':'scheduled'}";
        FlightRecord record = record(Reading.of("x", Reading.bytes(dump(pair))));
        Call call = record.calls().getFirst();
        assertThat(call.op()).isEqualTo(CollectiveOp.RECV);
        assertThat(call.peer()).isEqualTo(3);
        assertThat(call.sequence()).isEqualTo(8);
        assertThat(record.statuses().getLast().pointToPoint()).isTrue();
    }

    /** Older versions: one count, no status. */
    @Test
    void entriesAloneTellHowFarItCame() {
        String[] entries = {
            entry("'seq_id':4,'state':'completed'"),
            entry("'seq_id':5,'state':'completed'"),
            entry("'seq_id':6,'state':'scheduled'")
        };
        Reading read = Reading.of(
                "nccl_trace_rank_1", Reading.bytes("{'entries':[" + String.join(",", entries) + "],'version':'1.0'}"));
        FlightRecord record = record(read);
        assertThat(record.statuses()).containsExactly(new FlightRecord.Status(0, 0, 4, 6, 5, false));
        assertThat(record.groups().getFirst().members()).isEqualTo(RankSet.EMPTY);
    }

    @Test
    void anEmptyRingIsReported() {
        Reading read = Reading.of("dump_1", Reading.bytes(dump()));
        assertThat(read.problems()).containsExactly("empty-dump");
        assertThat(read.outcome.problems().getFirst().ranks()).isEqualTo(RankSet.of(1));
        assertThat(read.outcome.records()).hasSize(1);
    }

    @Test
    void contentWinsOverTheName() {
        Reading read = Reading.of("_dump_3", Reading.bytes(dump(entry("'collective_seq_id':12,'state':'scheduled'"))));
        assertThat(read.header().rank()).isEqualTo(1);
        assertThat(read.problems()).containsExactly("rank-mismatch");
    }

    @Test
    void withoutRankItIsOfNoUse() {
        String noGroups = "{'pg_status':{},'entries':[" + entry("'collective_seq_id':12,'state':'scheduled'") + "]}";
        Reading read = Reading.of("dump", Reading.bytes(noGroups));
        assertThat(read.outcome.status()).isEqualTo(Status.FAILED);
        assertThat(read.outcome.problems().getFirst().detail()).contains("rank of this dump is unknown");
        assertThat(Reading.of("dump_2.pkl", Reading.bytes(noGroups)).header().rank())
                .isEqualTo(2);
    }

    /** A rank must not look late because its file is cut. */
    @Test
    void cutItIsNotUsed() {
        byte[] whole = Reading.bytes(dump(
                entry("'collective_seq_id':11,'state':'scheduled'"),
                entry("'collective_seq_id':12,'state':'scheduled'")));
        for (int n = GROUPS.length(); n < whole.length - 1; n += 7) {
            Reading cut = Reading.of("dump_1", Arrays.copyOf(whole, n));
            assertThat(cut.outcome.records()).as("%d bytes", n).isEmpty();
            assertThat(cut.outcome.status()).as("%d bytes", n).isEqualTo(Status.FAILED);
        }
    }

    @Test
    void unusableEntriesAreCounted() {
        Reading read = Reading.of(
                "x",
                Reading.bytes(dump("7", "{'state':'scheduled'}", entry("'collective_seq_id':-4,'state':'scheduled'"))));
        assertThat(read.problems()).containsExactly("unusable-entries");
        assertThat(read.outcome.problems().getFirst().detail()).contains("3 entries");
    }

    /** What is left out makes a group incomplete: nobody may be called missing from it, or whole. */
    @Test
    void membersThatAreNoRanksMakeTheirGroupIncomplete() {
        for (String ranks : List.of("[0, 1, 1048576]", "[0,1,4294967297]", "'[0, 1, 99999999999]'")) {
            Reading read = Reading.of(
                    "dump_1",
                    Reading.bytes("{'pg_config':{'0':{'name':'0','desc':'default_pg','ranks':" + ranks
                            + "}},'pg_status':{},'entries':["
                            + entry("'collective_seq_id':12,'state':'scheduled'")
                                    .replace("'7'", "'0'") + "]}"));
            FlightRecord record = (FlightRecord) read.outcome.records().getFirst();
            FlightRecord.Group group = record.groups().getFirst();
            assertThat(group.members()).as(ranks).isEqualTo(RankSet.of(0, 1));
            assertThat(group.complete()).as(ranks).isFalse();
            assertThat(read.problems()).as(ranks).contains("members-beyond");
        }
    }

    /** Cut to 32 bits the id would be that of another group. */
    @Test
    void idsBeyondTheirRangeAreNobodyElses() {
        String status = "'pg_status':{'4294967296':{'last_enqueued_collective':99,'last_completed_collective':99}}";
        Reading read = Reading.of("dump_1", Reading.bytes("{" + status + ",'entries':[]}"));
        assertThat(((FlightRecord) read.outcome.records().getFirst()).statuses())
                .isEmpty();
    }

    @Test
    void aPickleOfAnotherKind() {
        byte[] plain = {(byte) 0x80, 2, 'K', 1, '.'};
        assertThat(Reading.of("x", plain).outcome.status()).isEqualTo(Status.IGNORED);
        byte[] code = {(byte) 0x80, 2, 'c', 'o', 's', '\n', 's', 'y', 's', '\n', '.'};
        Reading read = Reading.of("x", code);
        assertThat(read.outcome.status()).isEqualTo(Status.FAILED);
        assertThat(read.outcome.problems().getFirst().detail())
                .contains("at byte 2")
                .contains("refused");
    }

    @Test
    void otherJsonWithEntriesIsIgnored() {
        assertThat(Reading.of("{'entries':[{'a':1}]}").outcome.status()).isEqualTo(Status.IGNORED);
        assertThat(Reading.of("{'entries':7,'traceEvents':[]}").outcome.status())
                .isEqualTo(Status.IGNORED);
    }

    /** Members of a trace may be called like those of other formats. */
    @Test
    void aTraceStaysATrace() {
        String kernel = Reading.kernel("1700000000000000", "5", "");
        for (String member : new String[] {
            "'entries':[{'a':{'profiling_name':1}}]",
            "'shared':{},'profiles':[{'samples':3}]",
            "'data':{'resultType':'x'}"
        }) {
            Reading read = Reading.of(Reading.trace(member, kernel));
            assertThat(read.kernels()).as(member).hasSize(1);
            assertThat(read.bytesTold).isEqualTo(read.outcome.bytes());
        }
    }
}
