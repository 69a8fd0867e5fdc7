package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.testkit.Need;
import dev.argus.testkit.PythonPrograms;
import dev.argus.testkit.Requires;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Samples against what the sampled programs know of themselves. */
@Requires(Need.PYTHON)
class SamplerTruthTest {

    @Test
    void proportionsAreThoseOfTheProgram() throws Exception {
        Map<String, Long> sampled = new HashMap<>();
        StackLosses losses;
        try (Target target = Target.of(PythonPrograms.PROPORTIONS);
                StackSampler sampler = StackSampler.attach(target.pid())) {
            sampler.rate(1000);
            while (sampler.taken() < 6000) {
                Pace.next(sampler);
                sampler.sampleOnce(System.nanoTime(), stack -> {
                    if (stack.main()) {
                        String outer = stack.frames().size() < 3
                                ? "main"
                                : stack.frames().get(stack.frames().size() - 3);
                        sampled.merge(outer.split(" ", 2)[0], 1L, Long::sum);
                    }
                });
            }
            target.finish();
            losses = sampler.losses();
            Map<String, Double> truth = new HashMap<>();
            for (String line = target.line(); line != null && !line.equals("end"); line = target.line()) {
                String[] words = line.split(" ", -1);
                truth.put(words[0], Double.valueOf(words[1]));
            }
            // How long it sleeps is left out: where all CPUs are busy, a sampler gets one when its target sleeps.
            truth.remove("sleeping");
            sampled.keySet().retainAll(truth.keySet());
            double nanos = truth.values().stream().mapToDouble(v -> v).sum();
            double stacks = sampled.values().stream().mapToDouble(v -> v).sum();
            assertThat(truth).hasSize(4);
            truth.forEach((name, own) -> assertThat(sampled.getOrDefault(name, 0L) / stacks)
                    .as("%s of %s, truth %s, losses %s", name, sampled, truth, losses)
                    .isBetween(own / nanos - 0.03, own / nanos + 0.03));
        }
        assertThat(losses.total()).isLessThan(300);
    }

    /** Code that is made, run once and freed, in an order that keeps no time with the sampler, half of it long enough to be read whole on a CPU of its own; each name says on which line its only call stands. */
    private static final String MADE_CODE = """
            import random, sys
            def spin(n):
                for i in range(n): pass
            print('ready')
            random.seed(1)
            while True:
                n = random.randrange(500)
                code = 'def f_%d():' % n + chr(10) * (n + 1) + ' spin(%d)' % (20000 if n % 2 else 50) + chr(10) + 'f_%d()' % n
                exec(compile(code, '/made/up/%d.py' % n, 'exec'), {'spin': spin})
            """;

    private static final Pattern MADE = Pattern.compile("f_(\\d+) \\(up/(\\d+)\\.py:(\\d+)\\)");

    @Test
    void codeThatComesAndGoesIsNeverMixedUp() throws Exception {
        Set<String> seen = new HashSet<>();
        int[] made = {0};
        try (Target target = Target.of(MADE_CODE);
                StackSampler sampler = StackSampler.attach(target.pid())) {
            sampler.rate(1000);
            while (sampler.taken() < 5_000) {
                Pace.next(sampler);
                sampler.sampleOnce(System.nanoTime(), stack -> {
                    for (String frame : stack.frames()) {
                        Matcher matcher = MADE.matcher(frame);
                        if (matcher.matches()) {
                            made[0]++;
                            seen.add(frame);
                            int n = Integer.parseInt(matcher.group(1));
                            int line = Integer.parseInt(matcher.group(3));
                            assertThat(Integer.parseInt(matcher.group(2)))
                                    .as(frame)
                                    .isEqualTo(n);
                            assertThat(line).as(frame).isIn(1, n + 2);
                        } else {
                            assertThat(frame).doesNotStartWith("f_");
                        }
                    }
                });
            }
            assertThat(seen).as(sampler.losses().toString()).hasSizeGreaterThan(100);
            assertThat(made[0]).isGreaterThan(500);
            assertThat(sampler.knownCodes()).isLessThan(5_000);
        }
    }
}
