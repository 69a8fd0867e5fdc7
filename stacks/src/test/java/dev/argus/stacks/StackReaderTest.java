package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.stacks.StackReader.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The walk over structures in our own memory: every layout, and what no interpreter would show. */
class StackReaderTest {
    private static final int ID = 4711;
    private final StackLosses losses = new StackLosses();

    @ParameterizedTest
    @MethodSource("dev.argus.stacks.Layouts#all")
    void readsNamesLinesAndTheHolderOfTheGil(PythonLayout layout) {
        try (FakePython python = new FakePython(layout)) {
            long outer = python.code("<module>", "/srv/app/train.py", 1, 9);
            long inner = python.code("Model.step", "/usr/lib/python3/dist-packages/torch/nn/x.py", 40, 9);
            long root = layout.minor() == 11 ? 0 : python.frame(0, 0, 0, 3);
            long first = python.frame(outer, 4, root, 0);
            long thread = python.thread(python.frame(inner, 2, first, 1), ID);
            python.word(python.gil, thread);
            python.word(python.gil + 8, 1);

            StackReader reader = reader(python);
            ThreadPlan plan = new ThreadPlan(thread, ID);
            assertThat(reader.read(plan, 0)).isEqualTo(Outcome.TAKEN);
            assertThat(reader.frames()).containsExactly("Model.step (torch/nn/x.py:42)", "<module> (app/train.py:5)");
            assertThat(reader.holdsGil()).isTrue();
            python.word(layout.gil() == PythonLayout.Gil.IN_RUNTIME ? python.gil : python.gil + 8, 0);
            long calls = python.foreign.calls();
            assertThat(reader.read(plan, 1_000)).isEqualTo(Outcome.TAKEN);
            assertThat(reader.holdsGil()).isFalse();
            assertThat(python.foreign.calls() - calls)
                    .as("one batch, and the first checks")
                    .isEqualTo(2);
        }
    }

    @Test
    void theSameStackAgainIsOneSystemCall() {
        try (FakePython python = new FakePython(layout(11))) {
            long thread = deep(python, 30);
            StackReader reader = reader(python);
            ThreadPlan plan = new ThreadPlan(thread, ID);
            long now = 0;
            for (int i = 0;
                    i < 2 * CodeCache.TRUSTED_AFTER;
                    i++, now += CodeCache.YOUNG_NANOS / CodeCache.TRUSTED_AFTER) {
                assertThat(reader.read(plan, now)).isEqualTo(Outcome.TAKEN);
            }
            reader.read(plan, now);
            long calls = python.foreign.calls();
            assertThat(reader.read(plan, now + 100)).isEqualTo(Outcome.TAKEN);
            assertThat(reader.frames()).hasSize(30);
            assertThat(python.foreign.calls() - calls).isEqualTo(1);
            assertThat(reader.read(plan, now + 100 + CodeCache.LATEST_CHECK_NANOS))
                    .isEqualTo(Outcome.TAKEN);
            assertThat(python.foreign.calls() - calls)
                    .as("the second brings the check of names")
                    .isEqualTo(3);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.argus.stacks.Layouts#all")
    void aDeepStackIsCut(PythonLayout layout) {
        try (FakePython python = new FakePython(layout)) {
            StackReader reader = reader(python);
            assertThat(reader.read(new ThreadPlan(deep(python, 256), ID), 0)).isEqualTo(Outcome.TAKEN);
            assertThat(reader.cut()).isFalse();
            assertThat(reader.read(new ThreadPlan(deep(python, 257), ID), 0)).isEqualTo(Outcome.TAKEN);
            assertThat(reader.cut()).isTrue();
            assertThat(reader.frames()).hasSize(256);
        }
    }

    @Test
    void codeAtAUsedAddressIsReadAnew() {
        try (FakePython python = new FakePython(layout(12))) {
            long code = python.code("before", "/a/b.py", 1, 9);
            long thread = python.thread(python.frame(code, 1, 0, 0), ID);
            StackReader reader = reader(python);
            ThreadPlan plan = new ThreadPlan(thread, ID);
            for (int i = 0; i < 40; i++) {
                assertThat(reader.read(plan, i)).isEqualTo(Outcome.TAKEN);
            }
            python.word(code + python.layout.codeQualname(), python.string("after"));
            assertThat(reader.read(plan, 41)).isEqualTo(Outcome.TAKEN);
            assertThat(reader.frames()).containsExactly("after (a/b.py:2)");
        }
    }

    @Test
    void aNameWrittenOverIsNoticedWithinAnEighthOfItsAge() {
        try (FakePython python = new FakePython(layout(11))) {
            long code = python.code("before", "/a/b.py", 1, 9);
            long thread = python.thread(python.frame(code, 1, 0, 0), ID);
            StackReader reader = reader(python);
            ThreadPlan plan = new ThreadPlan(thread, ID);
            for (int i = 0; i < 40; i++) {
                reader.read(plan, i * CodeCache.CHECK_NANOS / 2);
            }
            long name = python.memory.get(
                    java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED,
                    code + python.layout.codeQualname() - python.memory.address());
            python.octet(name + python.layout.asciiSize(), 'B');
            assertThat(reader.read(plan, 20 * CodeCache.CHECK_NANOS * 9 / 8)).isEqualTo(Outcome.TAKEN);
            assertThat(reader.frames()).containsExactly("Before (a/b.py:2)");
        }
    }

    @Test
    void framesThatCannotBeAreDroppedByReason() {
        try (FakePython python = new FakePython(layout(13))) {
            long code = python.code("f", "/a/b.py", 1, 9);
            long frame = python.frame(code, 1, 0, 0);
            python.word(frame + python.layout.framePrevious(), python.frame(code, 1, frame, 0));
            lost(python, frame, StackLoss.LOOP);
            lost(python, frame + 4, StackLoss.BROKEN_FRAME);
            lost(python, python.frame(code, 1, 0x7000_0000_0000L, 0), StackLoss.UNMAPPED);
            lost(python, python.frame(code, 1, -8, 0), StackLoss.BROKEN_FRAME);
            lost(python, python.frame(code + 4, 1, 0, 0), StackLoss.BROKEN_FRAME);
            lost(python, python.frame(code, 1, 0, 5), StackLoss.BROKEN_FRAME);
            lost(python, python.frame(code, 10, 0, 0), StackLoss.BROKEN_FRAME);
            lost(python, python.frame(python.string("no code"), 0, 0, 0), StackLoss.BROKEN_FRAME);
            lost(python, python.frame(code, 1, 0, PythonLayout.OWNED_BY_GENERATOR), StackLoss.CHANGING);
            long odd = python.code("g", "/a/b.py", 1, 9);
            python.word(odd + python.layout.codeLines(), python.string("no bytes"));
            lost(python, python.frame(odd, 1, 0, 0), StackLoss.BROKEN_CODE);
        }
    }

    private void lost(FakePython python, long frame, StackLoss why) {
        long before = losses.count(why);
        assertThat(reader(python).read(new ThreadPlan(python.thread(frame, ID), ID), 0))
                .isEqualTo(Outcome.LOST);
        assertThat(losses.count(why)).as(why + " of " + losses).isEqualTo(before + 1);
    }

    @Test
    void aThreadThatIsAnotherIsGone() {
        try (FakePython python = new FakePython(layout(12))) {
            long thread = deep(python, 3);
            assertThat(reader(python).read(new ThreadPlan(thread, ID + 1), 0)).isEqualTo(Outcome.THREAD_GONE);
            python.word(thread + python.layout.threadInterp(), 8);
            assertThat(reader(python).read(new ThreadPlan(thread, ID), 0)).isEqualTo(Outcome.THREAD_GONE);
            assertThat(reader(python).read(new ThreadPlan(0x7000_0000_0000L, ID), 0))
                    .isEqualTo(Outcome.THREAD_GONE);
            assertThat(losses.count(StackLoss.THREAD_GONE)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.argus.stacks.Layouts#all")
    void aThreadWithoutFramesIsEmptyAndNoLoss(PythonLayout layout) {
        try (FakePython python = new FakePython(layout)) {
            ThreadPlan plan = new ThreadPlan(python.thread(0, ID), ID);
            assertThat(reader(python).read(plan, 0)).isEqualTo(Outcome.EMPTY);
            assertThat(losses.total()).isZero();
        }
    }

    /** Random words written over a valid image: whatever comes out, it ends and it is counted. */
    @ParameterizedTest
    @MethodSource("dev.argus.stacks.Layouts#all")
    void survivesAnyMemory(PythonLayout layout) {
        SplittableRandom random = new SplittableRandom(20261129);
        int taken = 0;
        for (int round = 0; round < 300; round++) {
            try (FakePython python = new FakePython(layout)) {
                long thread = deep(python, 20);
                long end = python.take(16);
                StackReader reader = reader(python);
                ThreadList threads = new ThreadList(python.foreign, python.process(), losses);
                ThreadPlan plan = new ThreadPlan(thread, ID);
                for (int i = 0; i < 20; i++) {
                    taken += reader.read(plan, i) == Outcome.TAKEN ? 1 : 0;
                    threads.refresh();
                    long span = (end - python.interpreter - (1 << 14)) / 8;
                    long at = python.interpreter + (1 << 14) + 8 * random.nextLong(span);
                    python.word(at, value(random, python));
                }
                threads.close();
            }
        }
        assertThat(taken).isGreaterThan(300);
        assertThat(losses.total()).isGreaterThan(300);
    }

    private static long value(SplittableRandom random, FakePython python) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextLong(4096);
            case 2 -> -random.nextLong(4096);
            default -> python.memory.address() + 8 * random.nextLong(FakePython.SIZE / 8);
        };
    }

    @Test
    void walksTheThreadsAndKnowsThoseThatStayed() {
        try (FakePython python = new FakePython(layout(12))) {
            List<Long> made = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                made.add(python.thread(0, ID + i));
            }
            long oldest = python.take(python.layout.threadSpan());
            ThreadList threads = new ThreadList(python.foreign, python.process(), losses);
            assertThat(threads.refresh()).isZero();
            assertThat(threads.all()).hasSize(5);
            ThreadPlan known = threads.of(made.get(2));
            long calls = python.foreign.calls();
            threads.refresh();
            assertThat(python.foreign.calls() - calls).isEqualTo(1);
            assertThat(threads.of(made.get(2))).isSameAs(known);
            assertThat(threads.main()).isSameAs(threads.of(made.getFirst()));

            python.word(made.getFirst() + python.layout.threadNext(), made.getLast()); // a loop
            threads.refresh();
            assertThat(losses.count(StackLoss.BROKEN_THREADS)).isEqualTo(1);
            assertThat(threads.all()).hasSize(5);
            python.word(made.getFirst() + python.layout.threadNext(), oldest); // of another interpreter
            threads.refresh();
            assertThat(losses.count(StackLoss.BROKEN_THREADS)).isEqualTo(2);
            threads.close();
        }
    }

    @Test
    void looksAtNoMoreThreadsThanTheBound() {
        try (FakePython python = new FakePython(layout(12))) {
            for (int i = 0; i < ThreadList.MAX_THREADS + 1; i++) {
                python.thread(0, ID + i);
            }
            ThreadList threads = new ThreadList(python.foreign, python.process(), losses);
            threads.refresh();
            assertThat(threads.all()).hasSize(ThreadList.MAX_THREADS);
            assertThat(losses.count(StackLoss.TOO_MANY_THREADS)).isEqualTo(1);
            threads.close();
        }
    }

    private StackReader reader(FakePython python) {
        PythonProcess process = python.process();
        return new StackReader(python.foreign, process, new CodeCache(python.foreign, process), losses);
    }

    private static long deep(FakePython python, int depth) {
        long frame = 0;
        for (int i = 0; i < depth; i++) {
            frame = python.frame(python.code("f" + i, "/a/b.py", 10 * i, 3), i % 3, frame, 0);
        }
        return python.thread(frame, ID);
    }

    private static PythonLayout layout(int minor) {
        return Layouts.all().filter(l -> l.minor() == minor).findFirst().orElseThrow();
    }
}
