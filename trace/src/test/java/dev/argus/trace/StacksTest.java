package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.StackRecord;
import dev.argus.model.StackRecord.Stack;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dumps and profiles of call stacks. */
class StacksTest {
    private static final String DUMP = """
            Process 4711: python3 train.py --rank 3
            Python v3.11.4 (/usr/bin/python3.11)

            Thread 4711 (active+gil): "MainThread"
                wait (threading.py:306)
                    Arguments:
                        self: <Condition at 0x7f>
                get (queue.py:179)
                <module> (train.py:12)
            Thread 0x7F00AA (idle): "pin_memory (worker)"
                poll (selectors.py:415)
            """;

    private static Reading read(String name, String text) {
        return Reading.of(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<StackRecord> records(Reading read) {
        return read.outcome.records().stream().map(r -> (StackRecord) r).toList();
    }

    private static List<String> frames(Reading read, Stack stack) {
        return IntStream.of(stack.frames()).mapToObj(read.names::name).toList();
    }

    // ---------------------------------------------------------------- py-spy

    @Test
    void aDumpOfOneProcess() {
        Reading read = read("stack_rank3.txt", DUMP);
        assertThat(read.outcome.format()).isEqualTo("py-spy");
        assertThat(read.problems()).isEmpty();
        StackRecord record = records(read).getFirst();
        assertThat(record.rank()).isEqualTo(3);
        assertThat(record.sampled()).isFalse();
        assertThat(record.samples()).as("threads").isEqualTo(2);
        assertThat(record.stacks()).extracting(Stack::active).containsExactly(true, false);
        assertThat(frames(read, record.stacks().getFirst()))
                .as("innermost first, without arguments")
                .containsExactly("wait (threading.py:306)", "get (queue.py:179)", "<module> (train.py:12)");
    }

    /** Processes one after the other, and such whose first lines were cut away: each main thread is one. */
    @Test
    void aDumpOfSeveral() {
        Reading named = read("rank3.txt", DUMP + "\n" + DUMP.replace("4711", "4712"));
        assertThat(records(named))
                .hasSize(2)
                .allSatisfy(r -> assertThat(r.rank()).isEqualTo(-1));
        assertThat(records(named))
                .extracting(r -> named.names.name(r.process()))
                .containsExactly("rank3.txt#4711", "rank3.txt#4712");
        String bare = DUMP.substring(DUMP.indexOf("Thread"));
        Reading cut = read("x", bare + bare.replace("4711", "4712").replace("306", "307"));
        assertThat(records(cut)).extracting(r -> cut.names.name(r.process())).containsExactly("x#4711", "x#4712");
    }

    @Test
    void cutAnywhereItGivesWhatIsThere() {
        for (int n = DUMP.indexOf("wait"); n < DUMP.length(); n++) {
            Reading read = read("rank3.txt", DUMP.substring(0, n));
            assertThat(records(read)).as("%d characters", n).hasSize(1);
        }
    }

    @Test
    void aDumpInJson() {
        Reading read = Reading.of(
                "rank1.json",
                Reading.bytes(
                        "[{'pid':9,'thread_id':1,'thread_name':'MainThread','os_thread_id':9,'active':false,'owns_gil':false,"
                                + "'frames':[{'name':'wait','filename':'/usr/lib/threading.py','short_filename':'threading.py','line':306},"
                                + "{'name':'main','filename':'t.py','line':0}]},{'pid':10,'thread_name':'MainThread','frames':[]}]"));
        assertThat(read.outcome.format()).isEqualTo("py-spy-json");
        assertThat(records(read)).hasSize(2);
        Stack stack = records(read).getFirst().stacks().getFirst();
        assertThat(frames(read, stack)).containsExactly("wait (threading.py:306)", "main (t.py)");
        assertThat(stack.active()).isFalse();
        byte[] broken = Reading.bytes("[{'thread_name':'MainThread','frames':[{'name'");
        assertThat(Reading.of("rank1.json", broken).outcome.status()).isEqualTo(Status.FAILED);
    }

    // ---------------------------------------------------------------- collapsed

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void collapsedStacks(String end) {
        Reading read = read(
                "rank2.txt", String.join(end, "# c", "// d", "a;b;c 1", "a;b;d 4", "a;b;c 4", "a 5", "", "odd line"));
        assertThat(read.outcome.format()).isEqualTo("collapsed");
        assertThat(read.problems()).containsExactly("invalid-lines");
        StackRecord record = records(read).getFirst();
        assertThat(record.rank()).isEqualTo(2);
        assertThat(record.samples()).isEqualTo(14);
        assertThat(record.stacks())
                .extracting(Stack::weight)
                .as("heaviest first")
                .containsExactly(5L, 5L, 4L);
        assertThat(frames(read, record.stacks().getFirst())).containsExactly("c", "b", "a");
    }

    @Test
    void textsOfOtherKindsAreIgnored() {
        for (String text :
                List.of("", "hello world 7\n", "a;b;c\n", "x = 3; y = 4\nz 1\n", "step 12 done\nloss; 3\n\n")) {
            assertThat(read("notes", text).outcome.records()).as(text).isEmpty();
        }
        assertThat(Reading.of("x", new byte[] {'a', ';', 'b', ' ', '1', 0, 0})
                        .outcome
                        .records())
                .isEmpty();
    }

    /** A line of a million frames, a count beyond all numbers. */
    @Test
    void hostileStacksAreBounded() {
        String deep = "f;".repeat(20_000) + "g 1\n";
        Reading read = read("x", deep + "a;b 999999999999999\n".repeat(20_000) + "a;b 99999999999999999999\n");
        StackRecord record = records(read).getFirst();
        assertThat(record.samples()).isPositive();
        assertThat(record.stacks())
                .allSatisfy(s -> assertThat(s.frames().length).isLessThanOrEqualTo(StackCollector.MAX_FRAMES));
    }

    // ---------------------------------------------------------------- speedscope

    private static String profile(String profiles) {
        return "{'$schema':'https://www.speedscope.app/file-format-schema.json','profiles':[" + profiles
                + "],'shared':{'frames':[{'name':'a','file':'x.py','line':3},{'name':'b'},{'name':'c'}]}}";
    }

    @Test
    void sampledAndEventedProfiles() {
        Reading sampled = Reading.of(
                profile(
                        "{'type':'sampled','unit':'milliseconds','name':'t','samples':[[0,1],[0,1,2],[0,1],[9]],'weights':[1,5,1.5,0.1]}"));
        assertThat(sampled.outcome.format()).isEqualTo("speedscope");
        StackRecord record = records(sampled).getFirst();
        assertThat(record.samples()).as("microseconds").isEqualTo(7600);
        assertThat(frames(sampled, record.stacks().getFirst())).containsExactly("c", "b", "a (x.py:3)");
        Reading evented = Reading.of(profile("{'type':'evented','unit':'none','startValue':0,'endValue':14,'events':["
                + "{'type':'O','frame':0,'at':0},{'type':'O','frame':1,'at':2},{'type':'C','frame':1,'at':12},"
                + "{'type':'C','frame':2,'at':13}]}"));
        assertThat(evented.problems())
                .as("closes what was not open, leaves one open")
                .containsExactly("unbalanced-events");
        assertThat(records(evented).getFirst().samples()).isEqualTo(14);
        assertThat(records(evented).getFirst().stacks().getFirst().weight()).isEqualTo(10);
    }

    @Test
    void profilesThatAreNone() {
        assertThat(Reading.of("{'profiles':[1,2]}").outcome.status()).isEqualTo(Status.IGNORED);
        assertThat(Reading.of(profile("")).outcome.status()).isEqualTo(Status.FAILED);
        byte[] whole = Reading.bytes(profile("{'type':'sampled','samples':[[0,1]],'weights':[1]}"));
        for (int n = 70; n < whole.length - 1; n++) {
            assertThat(Reading.of("x.json", Arrays.copyOf(whole, n)).outcome.records())
                    .isEmpty();
        }
    }

    /** Names made to have one hash: a tree of texts, not a list to be walked for every line. */
    @Test
    @Timeout(30)
    void collidingNamesCostNoQuadraticTime() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 1 << 16; i++) {
            text.append("main;");
            for (int bit = 0; bit < 16; bit++) {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            text.append(" 1\n");
        }
        Reading read = read("rank3.txt", text.toString());
        assertThat(records(read).getFirst().samples()).isEqualTo(1 << 16);
    }

    /** Equal texts in other frames are other stacks. */
    @Test
    void whereFramesEndMatters() {
        Reading read = read("rank3.txt", "a;b;c 1\na;bc 1\na;1:b 1\n");
        assertThat(records(read).getFirst().stacks()).hasSize(3);
    }
}
