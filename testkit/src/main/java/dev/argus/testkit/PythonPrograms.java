package dev.argus.testkit;

/** Programs in Python that know the truth about themselves. */
public final class PythonPrograms {
    /**
     * Spends time in five ways, in slices of a millisecond or so, until its input ends; then prints for each how long that was by its own clock, in nanoseconds, and
     * {@code end}.
     */
    public static final String PROPORTIONS = """
            import random, sys, threading, time
            clock = time.monotonic_ns
            total = {}
            stop = threading.Event()
            threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
            def tiny(x): return x + 1
            def plain(until):
                x = 0
                while clock() < until:
                    for i in range(200): x += i
            def calling(until):
                while clock() < until:
                    for i in range(100): tiny(i)
            def inside(n):
                for i in range(n): yield tiny(i)
            def generating(until):
                while clock() < until:
                    for i in inside(50): pass
            def native(until):
                while clock() < until: sorted(range(3000), key=lambda v: -v)
            def sleeping(until): time.sleep(max(0, until - clock()) / 1e9)
            work = [(plain, 5), (calling, 4), (generating, 3), (native, 2), (sleeping, 6)]
            random.seed(1)
            def main():
                print('ready')
                while not stop.is_set():
                    for f, weight in random.sample(work, len(work)):
                        begin = clock()
                        f(begin + int(weight * 2e5 * (0.5 + random.random())))
                        total[f.__name__] = total.get(f.__name__, 0) + clock() - begin
                for name, nanos in total.items(): print(name, nanos)
                print('end')
            main()
            """;

    private PythonPrograms() {}
}
