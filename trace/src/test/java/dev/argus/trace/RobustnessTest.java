package dev.argus.trace;

import static dev.argus.trace.Reading.event;
import static dev.argus.trace.Reading.kernel;
import static dev.argus.trace.Reading.trace;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hostile and damaged content: no exception, bounded memory, and the loss is named. */
@Timeout(120)
class RobustnessTest {
    private static final String TS = "1700000000000000";
    private static final byte[] GOOD = Reading.bytes(trace("'distributedInfo':{'rank':0}", kernel(TS, "5", "")));

    @Test
    void compressionIsToldByContent() {
        for (byte[] stored : new byte[][] {GOOD, Reading.gzip(GOOD), Zstd.compress(GOOD)}) {
            for (String name : new String[] {"rank0.json", "rank0.json.gz", "rank0.json.zst"}) {
                assertThat(Reading.of(name, stored).kernelNanos()).isEqualTo(5_000);
            }
        }
    }

    @Test
    void byteOrderMarkIsSkipped() {
        assertThat(Reading.of("rank0.json", join(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}, GOOD))
                        .kernels())
                .hasSize(1);
    }

    @Test
    void membersOfGzipAreJoinedAndGarbageBehindThemIsNot() {
        byte[] two =
                join(Reading.gzip(Arrays.copyOf(GOOD, 30)), Reading.gzip(Arrays.copyOfRange(GOOD, 30, GOOD.length)));
        assertThat(Reading.of("rank0.json.gz", two).outcome.status()).isEqualTo(Status.COMPLETE);
        byte[] garbage = join(Reading.gzip(GOOD), "garbage behind the end".getBytes(StandardCharsets.UTF_8));
        Reading read = Reading.of("rank0.json.gz", garbage);
        assertThat(read.outcome.status()).isEqualTo(Status.COMPLETE);
        assertThat(read.kernels()).hasSize(1);
    }

    @Test
    void damagedChecksumIsSaid() {
        byte[] stored = Reading.gzip(GOOD);
        stored[stored.length - 6] ^= 1;
        assertThat(Reading.of("rank0.json.gz", stored).problems()).contains("damaged-file");
    }

    @Test
    void junkFailsOrIsIgnoredByWhatItClaimsToBe() {
        byte[] junk = {0x7F, 'E', 'L', 'F', 0, 0, 1};
        assertThat(Reading.of("rank0.json", junk).outcome.status()).isEqualTo(Status.FAILED);
        assertThat(Reading.of("core", junk).outcome.status()).isEqualTo(Status.IGNORED);
        byte[] zstd = Arrays.copyOf(Zstd.compress(GOOD), 20);
        assertThat(Reading.of("rank0.json.zst", zstd).outcome.status()).isEqualTo(Status.FAILED);
    }

    @Test
    void nestingIsNoDanger() {
        String deep = "[".repeat(200_000);
        Reading args = Reading.of(trace("", kernel(TS, "5", "'x':" + deep + "]".repeat(200_000))));
        assertThat(args.outcome.status()).isEqualTo(Status.COMPLETE);
        Reading open = Reading.of(trace("", kernel(TS, "5", "")).replace("]}", "," + deep));
        assertThat(open.outcome.status()).isEqualTo(Status.PARTIAL);
        Reading header = Reading.of(trace("'distributedInfo':" + deep + "]".repeat(200_000), kernel(TS, "5", "")));
        assertThat(header.problems()).contains("unreadable-header");
        assertThat(header.kernels()).hasSize(1);
    }

    @Test
    void oddTokensAreTolerated() {
        String odd = "'a':NaN,'b':-Infinity,'memory bandwidth (GB/s)':inf,'c':[1,2,],";
        Reading read = Reading.of(trace("", kernel(TS, "5", odd), "{'ph':'X','cat':'kernel'}", "null", "7", ""));
        assertThat(read.outcome.status()).isEqualTo(Status.COMPLETE);
        assertThat(read.kernels()).hasSize(1);
    }

    @Test
    void whatIsNoValueEndsTheFileAndNeverLoops() {
        for (String bad : new String[] {"[:,1]", "[1}", "]", ":", "[1,:]"}) {
            Reading read = Reading.of(trace("", kernel(TS, "5", ""), kernel(TS, "6", "'grid':" + bad)));
            assertThat(read.outcome.status()).as(bad).isEqualTo(Status.PARTIAL);
            assertThat(read.kernelNanos()).as(bad).isEqualTo(5_000);
        }
    }

    @Test
    void unreadableNumbersAreCounted() {
        Reading read = Reading.of(trace("", kernel("null", "5", ""), kernel(TS, "NaN", ""), kernel("1e99", "1", "")));
        assertThat(read.quarantined).containsEntry("missing-time", 2).containsEntry("impossible-time", 1);
        assertThat(read.kernels()).isEmpty();
    }

    @Test
    void lastOfEqualKeysCounts() {
        String twice = "{'ph':'X','cat':'cpu_op','cat':'kernel','name':'a','name':'b','ts':1,'ts':2,'dur':9,'dur':3}";
        Reading read = Reading.of(trace("", kernel(TS, "1", ""), twice));
        assertThat(read.names.name(read.kernels().getLast().name())).isEqualTo("b");
        assertThat(read.kernels().getLast().durationNanos()).isEqualTo(3_000);
    }

    @Test
    void escapesAndNullsMeanWhatTheySay() {
        String escaped =
                "{'\\u0070h':'\\u0058','cat':'\\u006bernel','name':'a\\u0062','pid':0,'tid':'stream \\u0039','ts':" + TS
                        + ",'dur':2,'args':{'device':null,'stream':[7],'Collective name':null}}";
        Reading read = Reading.of(trace("", escaped, "{'ph':'X','cat':'kernel','name':null,'ts':1,'dur':1}"));
        assertThat(read.kernels()).hasSize(1);
        assertThat(read.names.name(read.kernels().getFirst().name())).isEqualTo("ab");
        assertThat(read.kernels().getFirst().device()).isZero();
        assertThat(read.kernels().getFirst().stream()).isEqualTo(9);
        assertThat(read.kernels().getFirst().collective()).isNull();
    }

    @Test
    void aShortCallWhoseNameHasEscapesIsKept() {
        Reading read = Reading.of(trace("", kernel(TS, "5", ""), event("cpu_op", "nccl\\u003aall_reduce", TS, "9")));
        assertThat(read.spans).hasSize(1);
    }

    @Test
    void timesThatEndBeyond64BitsAreSetAside() {
        Reading read =
                Reading.of(trace("", kernel("9223372036854774", "1", ""), kernel("9223372036854774", "2e6", "")));
        assertThat(read.kernels()).hasSize(1);
        assertThat(read.quarantined).containsEntry("impossible-time", 1);
    }

    @Test
    void aBaseOfTimeWithAnExponentIsTheWholeNumber() {
        String events = trace("", kernel("5", "1", ""));
        for (String base : new String[] {"1.7e18", "1700000000000000000.0", "17E+17", "'1700000000000000000'"}) {
            String behind = events.replace("]}", "],'baseTimeNanoseconds': " + base + "}");
            String before = events.replace("{'traceEvents'", "{'baseTimeNanoseconds':" + base + ",'traceEvents'");
            for (String file : new String[] {behind, before}) {
                Reading read = Reading.of(file);
                assertThat(read.kernels().getFirst().startNanos()).as(file).isEqualTo(1_700_000_000_000_005_000L);
                assertThat(read.problems()).as(file).doesNotContain("time-base", "relative-time");
            }
        }
    }

    @Test
    void membersOfGzipMayBeCutAnywhereAndBeEmpty() {
        for (int at = 1; at < GOOD.length; at += 7) {
            byte[] members = join(
                    join(Reading.gzip(Arrays.copyOf(GOOD, at)), Reading.gzip(new byte[0])),
                    join(Reading.gzip(Arrays.copyOfRange(GOOD, at, GOOD.length)), Reading.gzip(new byte[0])));
            Reading read = Reading.of("rank0.json", members);
            assertThat(read.kernelNanos()).as("cut at %d", at).isEqualTo(5_000);
            assertThat(read.problems()).isEmpty();
        }
    }

    @Test
    void argumentsMayComeFirst() {
        String event = "{'args':{'stream':3,'device':1,'correlation':18446744073709551615},'dur':2,'ts':1,'tid':9,"
                + "'name':'k','cat':'kernel','ph':'X'}";
        Reading read = Reading.of(trace("", event));
        assertThat(read.kernels().getFirst().stream()).isEqualTo(3);
        assertThat(read.kernels().getFirst().correlation()).isEqualTo(-1);
    }

    @Test
    void metadataMayComeLast() {
        String file = "{'traceEvents':[" + kernel("5", "1", "") + "],'host_name':'n17','baseTimeNanoseconds':"
                + "1700000000000000000,'distributedInfo':{'rank':6,'world_size':8},'job_name':'llama'}";
        Reading read = Reading.of("profile.json", Reading.bytes(file));
        assertThat(read.header().rank()).isEqualTo(6);
        assertThat(read.header().host()).isEqualTo("n17");
        assertThat(read.header().jobName()).isEqualTo("llama");
        assertThat(read.kernels().getFirst().startNanos()).isEqualTo(1_700_000_000_000_005_000L);
    }

    @Test
    void namesAreExact() {
        String name = "\\u00e9\\ud83d\\ude00 \\\"q\\\" \\\\ \\/ C:\\Users ü";
        Reading read = Reading.of(trace("", kernel(TS, "1", ""), event("kernel", name, TS, "1")));
        assertThat(read.names.name(read.kernels().getLast().name())).isEqualTo("é😀 \"q\" \\ / C:\\Users ü");
    }

    @Test
    void invalidTextIsReplacedAndCounted() {
        byte[] file =
                trace("", event("kernel", "a?b", TS, "1")).replace('\'', '"').getBytes(StandardCharsets.ISO_8859_1);
        file[new String(file, StandardCharsets.ISO_8859_1).indexOf('?')] = (byte) 0xFF;
        Reading read = Reading.of("rank0.json", file);
        assertThat(read.names.name(read.kernels().getFirst().name())).isEqualTo("a\uFFFDb");
        assertThat(read.problems()).contains("invalid-text");
    }

    @Test
    void longNamesAreKeptAndHugeOnesCut() {
        String kept = "k".repeat(1_500_000);
        String cut = "c".repeat(5 << 20);
        Reading read = Reading.of(trace(
                "", event("kernel", kept, TS, "1"), event("kernel", cut, TS, "1"), event("kernel", kept, TS, "2")));
        assertThat(read.names.name(read.kernels().get(0).name())).isEqualTo(kept);
        assertThat(read.kernels().get(2).name()).isEqualTo(read.kernels().get(0).name());
        assertThat(read.names.name(read.kernels().get(1).name())).hasSize(JsonScanner.MAX_TEXT);
        assertThat(read.kernels().get(1).durationNanos()).isEqualTo(1_000);
        assertThat(read.problems()).contains("cut-name");
    }

    @Test
    void missingQuoteEndsTheFileThere() {
        String good = trace("", kernel(TS, "5", "")).replace("]}", ",");
        Reading read = Reading.of(good + "{'ph':'X','name':'open" + "x".repeat(100_000));
        assertThat(read.outcome.status()).isEqualTo(Status.PARTIAL);
        assertThat(read.problems()).contains("cut-file");
    }

    @Test
    void zerosInsteadOfDataEndTheFileThere() {
        byte[] file = Arrays.copyOf(Reading.bytes(trace("", kernel(TS, "5", "")).replace("]}", ",")), 70_000);
        assertThat(Reading.of("rank0.json", file).outcome.status()).isEqualTo(Status.PARTIAL);
    }

    @Test
    void bytesToldAddUpToTheFile() {
        byte[] stored = Reading.gzip(GOOD);
        assertThat(Reading.of("rank0.json.gz", stored).bytesTold).isEqualTo(stored.length);
    }

    private static byte[] join(byte[] a, byte[] b) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(a);
        out.writeBytes(b);
        return out.toByteArray();
    }
}
