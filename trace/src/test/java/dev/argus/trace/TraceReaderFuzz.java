package dev.argus.trace;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.argus.testkit.Fuzzed;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes as a file of a trace, stored or compressed: never an exception, never a hang, never much memory for a small file. */
@Fuzzed
class TraceReaderFuzz {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The documented 1 MiB a reading, twice where it is read twice, and what a small file may hold. */
    private static final long MOST_BYTES = 8 << 20;

    private static Path folder = Path.of("");

    @BeforeAll
    static void open() throws IOException {
        folder = Files.createTempDirectory("argus-fuzz");
    }

    @AfterAll
    static void close() throws IOException {
        Files.deleteIfExists(folder.resolve("rank1.json"));
        Files.delete(folder);
    }

    static Stream<byte[]> seeds() {
        String kernel =
                Reading.kernel("1700000000000000", "5", "'Collective name':'send','dtype':'Half','In msg nelems':7");
        String call = Reading.event("cuda_runtime", "cudaLaunchKernel", "1700000000000001", "2.5");
        String groups =
                "'schemaVersion':1,'baseTimeNanoseconds':5,'distributedInfo':{'rank':1,'pg_config':[{'ranks':'[0, 1]'}]}";
        String step = Reading.event("user_annotation", "ProfilerStep#3 \\u00e9\\n", "1", "1e3");
        byte[] healthy = Reading.bytes(Reading.trace(groups, kernel, call, step));
        return Stream.of(
                healthy,
                Reading.gzip(healthy),
                com.github.luben.zstd.Zstd.compress(healthy),
                Reading.bytes("[" + kernel + "," + call + "]"),
                Reading.bytes(
                        Reading.trace("", "{'ph':'X','cat':'cpu_op','name':'a','ts':-1,'dur':NaN}", "null", "7", "")),
                Reading.bytes(
                        "{'pg_config':{'0':{'name':'0','desc':'d','ranks':'[0, 1]'}},'pg_status':{'0':{'last_enqueued_collective':2}},"
                                + "'entries':[{'pg_id':0,'process_group':['0','d'],'collective_seq_id':1,'profiling_name':'nccl:recv 0<-1',"
                                + "'is_p2p':true,'input_sizes':[[2]],'state':'scheduled'}]}"),
                Reading.bytes(
                        "{'shared':{'frames':[{'name':'a','line':3}]},'profiles':[{'unit':'seconds','samples':[[0]],'weights':[1]},"
                                + "{'events':[{'type':'O','frame':0,'at':0}],'endValue':9}]}"),
                Reading.bytes(
                        "{'status':'success','data':{'resultType':'vector','result':[{'metric':{'__name__':'DCGM_FI_A','gpu':'0'},"
                                + "'value':[1.5,'29']}]}}"),
                Reading.bytes("[{'pid':1,'thread_name':'MainThread','frames':[{'name':'f','line':2}]}]"),
                Reading.bytes("Thread 7 (idle): 'MainThread'\n    f (a.py:1)\n"),
                Reading.bytes("a;b;c 1\na;b 5\n# x\n"),
                Reading.bytes("DCGM_FI_A{gpu='0',UUID='G'} 3 17\n"),
                Reading.bytes("[2026-05-11 02:59:22.9] iteration 1/ 2 | elapsed time per iteration (ms): 2.5 |\n"),
                new byte[] {(byte) 0x80, 2, '}', 'q', 0, '(', 'X', 1, 0, 0, 0, 'a', 'K', 1, 'u', '.'},
                Reading.bytes("{'traceEvents':[],'a':[[{}],true,false,-0.5E+3,'\\\\ud83d\\\\ude00']}"));
    }

    @MethodSource("seeds")
    @FuzzTest(maxExecutions = 4_000)
    void anythingAtAllIsSurvived(byte[] bytes) throws IOException {
        Path file = folder.resolve("rank1.json");
        Files.write(file, bytes);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        Reading read = Reading.of(file);
        long used = THREADS.getCurrentThreadAllocatedBytes() - before;
        if (used > MOST_BYTES && allocatedBytes(file) > MOST_BYTES) {
            throw new AssertionError(used + " bytes allocated for a file of " + bytes.length);
        }
        if (read.outcome.status() != Status.COMPLETE && read.outcome.problems().isEmpty()) {
            throw new AssertionError(read.outcome.status() + " without saying why");
        }
        if (read.bytesTold > bytes.length) {
            throw new AssertionError(read.bytesTold + " bytes told of a file of " + bytes.length);
        }
    }

    /** What reading once more allocates; the first time may have loaded classes, which the fuzzer rewrites. */
    private static long allocatedBytes(Path file) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        Reading.of(file);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
