package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Samples of real processes: many threads, odd code, and processes that end. */
@Requires(Need.PYTHON)
class StackSamplerTest {
    private static final long TICK = 50_000_000L;

    private static final String THREADS = """
            import threading, time
            def busy(i):
                while True:
                    sum(range(100)); time.sleep(0.001 * (i % 5))
            for i in range(63): threading.Thread(target=busy, args=(i,), daemon=True).start()
            print('ready')
            busy(0)
            """;

    private static final String SLEEPERS = """
            import threading, time
            def wait(): threading.Event().wait()
            def rarely():
                while True: time.sleep(0.2)
            for target in (wait, wait, rarely): threading.Thread(target=target, daemon=True).start()
            print('ready')
            wait()
            """;

    /** Who has not run has the stack it had; who runs now and then is read anew. */
    @Test
    void whoHasNotRunIsNotReadAgain() throws Exception {
        try (Target target = Target.of(SLEEPERS);
                StackSampler sampler = StackSampler.attach(target.pid())) {
            List<SampledStack> all = new ArrayList<>();
            for (long i = 0; i < 10; i++) {
                sampler.sampleOnce(i * 1_000_000_000L, all::add);
                LockSupport.parkNanos(300_000_000L);
            }
            List<SampledStack> others = all.stream().filter(s -> !s.main()).toList();
            assertThat(others).hasSizeBetween(27, 30);
            assertThat(sampler.unmoved())
                    .as("two threads, but for their first samples")
                    .isBetween(14L, 20L);
            assertThat(others.stream().filter(s -> s.frames().toString().contains("rarely")))
                    .hasSizeBetween(9, 10);
            assertThat(others.stream().filter(s -> s.frames().toString().contains("wait (<string>")))
                    .hasSizeBetween(18, 20);
        }
    }

    @Test
    void samplesSixtyFourThreadsTenThousandTimes() throws Exception {
        Set<Integer> threads = new HashSet<>();
        int[] holders = {0};
        long[] weight = {0, 0};
        try (Target target = Target.of(THREADS);
                StackSampler sampler = StackSampler.attach(target.pid())) {
            for (long i = 0; sampler.taken() < 10_000 && i < 100_000; i++) {
                sampler.sampleOnce(i * TICK, stack -> {
                    threads.add(stack.thread());
                    holders[0] += stack.holdsGil() ? 1 : 0;
                    weight[stack.main() ? 0 : 1] += stack.weight();
                    assertThat(stack.frames()).isNotEmpty();
                    assertThat(stack.active() || !stack.holdsGil()).isTrue();
                });
            }
            assertThat(sampler.taken()).isGreaterThanOrEqualTo(10_000);
            assertThat(sampler.ended()).isFalse();
            assertThat(threads).hasSize(64);
            assertThat(holders[0]).isPositive();
            assertThat((double) weight[1] / weight[0])
                    .as("63 others, each as often as the main thread")
                    .isBetween(50.0, 70.0);
            assertThat(target.process.isAlive()).isTrue();
        }
    }

    private static final String ODD = """
            import sys, threading
            from concurrent.futures import ThreadPoolExecutor
            sys.setrecursionlimit(10000)
            evil = {}
            exec(compile('def spin(n):\\n for i in range(n): pass', '/x/\\x1b[2J\\n\\u202e' + 'A' * 9000, 'exec'), evil)
            spin = evil['spin']
            spin.__code__ = spin.__code__.replace(co_name='n\\x00\\u2603' + 'B' * 9000, co_qualname='Q\\x00\\U0001f600' + 'C' * 9000)
            def gen(n):
                if n: yield from gen(n - 1)
                else: spin(2000); yield 1
            def deep(n): return deep(n - 1) if n else spin(20000)
            class Key:
                def __lt__(self, other): spin(50); return False
            async def co(n):
                return await co(n - 1) if n else spin(3000)
            def main():
                print('ready')
                while True:
                    for x in gen(30): pass
                    deep(3000)
                    sorted([Key() for i in range(20)])
                    [*map(lambda v: spin(500), range(5))]
                    try: co(20).send(None)
                    except StopIteration: pass
            main()
            """;

    @Test
    void readsGeneratorsCCallsDeepStacksAndHostileNames() throws Exception {
        Set<String> frames = new HashSet<>();
        int[] cut = {0};
        int[] deepest = {0};
        try (Target target = Target.of(ODD);
                StackSampler sampler = StackSampler.attach(target.pid())) {
            sampler.rate(1000);
            while (sampler.taken() < 3_000) {
                Pace.next(sampler);
                sampler.sampleOnce(System.nanoTime(), stack -> {
                    frames.addAll(stack.frames());
                    cut[0] += stack.cut() ? 1 : 0;
                    deepest[0] = Math.max(deepest[0], stack.frames().size());
                    if (!stack.cut()) {
                        assertThat(stack.frames().getLast()).startsWith("<module> ");
                    }
                });
            }
            // what is caught between two states is dropped, and on a busy machine that is much; it is less than what is
            // read
            assertThat(sampler.losses().total()).as(sampler.losses().toString()).isLessThan(3_000);
        }
        assertThat(cut[0]).isPositive();
        assertThat(deepest[0]).isEqualTo(StackReader.MAX_DEPTH);
        assertThat(frames).anyMatch(f -> f.startsWith("gen ")).anyMatch(f -> f.startsWith("Key.__lt__ "));
        assertThat(frames)
                .anyMatch(f -> f.startsWith("main.<locals>.<lambda> "))
                .anyMatch(f -> f.startsWith("co "));
        assertThat(frames).anyMatch(f -> f.startsWith("Q\0\uD83D\uDE00CCC"));
        assertThat(frames).allMatch(f -> f.length() < 900);
    }

    @Test
    void endsWithItsProcessWithoutAnError() throws Exception {
        for (int round = 0; round < 5; round++) {
            try (Target target = Target.of(THREADS);
                    StackSampler sampler = StackSampler.attach(target.pid())) {
                long i = 0;
                for (; i < 200; i++) {
                    sampler.sampleOnce(i * TICK, stack -> {});
                }
                Thread killer = new Thread(target.process::destroyForcibly);
                killer.start();
                while (!sampler.ended()) {
                    sampler.sampleOnce(i++ * TICK, stack -> {});
                }
                killer.join();
                assertThat(sampler.sampleOnce(i * TICK, stack -> {})).isZero();
                assertThat(sampler.losses().count(StackLoss.PROCESS_GONE)).isPositive();
            }
        }
    }

    @Test
    void aProcessWithTheSamePidIsAnother() throws Exception {
        Path last = Path.of("/proc/sys/kernel/ns_last_pid");
        Target first = Target.of("print('ready'); import time; time.sleep(100)");
        int pid = first.pid();
        ProcessIdentity before = ProcessIdentity.of(pid);
        try (StackSampler sampler = StackSampler.attach(pid)) {
            assertThat(sampler.identity()).isEqualTo(before);
            assertThat(sampler.sampleOnce(0, stack -> {})).isEqualTo(1);
            first.close();
            Target second = null;
            for (int i = 0; i < 50 && (second == null || second.pid() != pid); i++) {
                if (second != null) {
                    second.close();
                }
                if (!Files.isWritable(last) || !tell(last, pid - 1)) {
                    break; // only root may say which pid comes next
                }
                second = Target.of("print('ready'); import time; time.sleep(100)");
            }
            assertThat(sampler.sampleOnce(TICK, stack -> {})).isZero();
            assertThat(sampler.ended()).isTrue();
            if (second != null && second.pid() == pid) {
                assertThat(ProcessIdentity.of(pid)).isNotEqualTo(before);
            }
            if (second != null) {
                second.close();
            }
        }
    }

    private static boolean tell(Path file, int pid) {
        try {
            Files.writeString(file, Integer.toString(pid));
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void findsNewThreadsAndTheirNames() throws Exception {
        String program = """
                import sys, threading, time
                def wait(): time.sleep(1000)
                print('ready')
                sys.stdin.readline()
                t = threading.Thread(target=wait, daemon=True); t.start()
                open('/proc/self/task/%d/comm' % t.native_id, 'w').write('my loader) R')
                print('started')
                wait()
                """;
        List<SampledStack> stacks = new ArrayList<>();
        try (Target target = Target.of(program);
                StackSampler sampler = StackSampler.attach(target.pid())) {
            sampler.sampleOnce(0, stacks::add);
            assertThat(stacks).hasSize(1);
            assertThat(stacks.getFirst().threadName()).isEqualTo("MainThread");
            for (int i = 1; i < 10_000 && stacks.getLast().active(); i++) {
                sampler.sampleOnce(i * TICK, stacks::add);
                LockSupport.parkNanos(100_000);
            }
            assertThat(stacks.getLast().active()).as("it waits for input").isFalse();
            target.process.getOutputStream().write('\n');
            target.process.getOutputStream().flush();
            assertThat(target.line()).isEqualTo("started");
            stacks.clear();
            for (int i = 10_020; i < 20_000 && stacks.stream().allMatch(s -> s.main() || s.active()); i++) {
                sampler.sampleOnce(i * TICK, stacks::add);
                LockSupport.parkNanos(100_000); // on a busy host it begins to wait a little later
            }
            assertThat(stacks)
                    .anyMatch(s -> s.threadName().equals("my loader) R")
                            && !s.active()
                            && !s.main()
                            && s.weight() == 20
                            && s.frames().getFirst().startsWith("wait ("));
        }
    }

    @Test
    void refusesWhatIsNoPython() throws Exception {
        assertThatThrownBy(
                        () -> StackSampler.attach((int) ProcessHandle.current().pid()))
                .isInstanceOf(StackAccessException.class)
                .hasMessageContaining("has no Python");
        Process sleep = new ProcessBuilder("sleep", "100").start();
        int pid = (int) sleep.pid();
        sleep.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        assertThatThrownBy(() -> StackSampler.attach(pid))
                .isInstanceOf(StackAccessException.class)
                .hasMessageContaining("no process " + pid);
    }

    @Test
    void refusesRatesThatAreNone() throws Exception {
        try (Target target = Target.of("print('ready'); import time; time.sleep(100)");
                StackSampler sampler = StackSampler.attach(target.pid())) {
            for (double rate : new double[] {0, -1, 1001, Double.NaN}) {
                assertThatThrownBy(() -> sampler.rate(rate)).isInstanceOf(IllegalArgumentException.class);
            }
            sampler.sampleOnce(0, stack -> {});
            assertThat(sampler.nextNanos()).isEqualTo(TICK);
            sampler.rate(100);
            assertThat(sampler.sampleOnce(TICK - 1, stack -> {})).isZero();
            sampler.sampleOnce(TICK, stack -> {});
            assertThat(sampler.nextNanos()).isEqualTo(TICK + 10_000_000);
            sampler.sampleOnce(10 * TICK, stack -> {});
            assertThat(sampler.nextNanos()).as("missed samples are missed").isEqualTo(10 * TICK + 10_000_000);
        }
    }
}
