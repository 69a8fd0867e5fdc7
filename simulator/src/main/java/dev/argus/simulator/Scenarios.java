package dev.argus.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Draws scenarios: layouts, models, parameters, faults, noise and dialect all from one seed. */
public final class Scenarios {
    /** Ranks of a drawn job, at most. */
    public static final int MAX_WORLD = 64;

    private static final int ATTEMPTS = 60;
    private static final int TUNINGS = 7;

    private Scenarios() {}

    /** Draws a scenario of at most {@value #MAX_WORLD} ranks. */
    public static Scenario random(long seed, ScenarioKind kind, Severity severity) {
        return random(seed, kind, severity, MAX_WORLD);
    }

    /** Draws a scenario of one kind, see {@link #draw}. */
    public static Scenario random(long seed, ScenarioKind kind, Severity severity, int maxWorld) {
        return draw(Wish.of(seed, kind).severity(severity).maxRanks(maxWorld));
    }

    /**
     * Draws a scenario. Where no fault of the drawn job can cost what the severity asks for, the job is drawn anew.
     *
     * @throws IllegalArgumentException when the wish contradicts itself; the message says what is right
     * @throws IllegalStateException when dozens of jobs did not fit
     */
    public static Scenario draw(Wish wish) {
        WishCheck.check(wish);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Scenario> found = attempt(wish.seed * 1009 + attempt, wish);
            if (found.isPresent()) {
                return found.get().withDamage(wish.damage);
            }
        }
        throw new IllegalStateException("seed " + wish.seed + ": none of " + ATTEMPTS + " jobs had a place for "
                + wish.severity.word() + " " + wish.name());
    }

    /**
     * Draws the attempts of a job, as many as are asked for, or more where its kind takes more to show. What comes with new software begins
     * with the second.
     *
     * @throws IllegalArgumentException when the wish contradicts itself; the message says what is right
     * @throws IllegalStateException when dozens of jobs did not fit
     */
    public static List<Scenario> attempts(Wish wish, int count) {
        Scenario drawn = draw(wish);
        int all = Math.max(
                count,
                wish.kinds.stream().mapToInt(ScenarioKind::attempts).max().orElse(1));
        List<Scenario> attempts = new ArrayList<>();
        attempts.add(drawn.withFaults(drawn.faults().stream()
                .filter(f -> !(f instanceof Fault.NewVersion))
                .toList()));
        Scenario last = drawn;
        while (attempts.size() < all) {
            last = restarted(last, wish);
            attempts.add(last);
        }
        return attempts;
    }

    /** The next attempt of a drawn job: some minutes later, its ranks on other GPUs, the same GPU or host at fault. */
    public static Scenario restarted(Scenario before, Wish wish) {
        return Restart.after(before, wish);
    }

    private static Optional<Scenario> attempt(long seed, Wish wish) {
        ScenarioKind kind = wish.first();
        Draw draw = new Draw(seed * 31 + kind.ordinal());
        JobDraw job = new JobDraw(draw, kind, wish.maxRanks);
        Layout layout = wish.layout == null ? job.layout() : job.layout(wish.layout);
        JobModel model = job.model();
        int first = kind == ScenarioKind.WARM_UP ? 0 : draw.between(5, 400);
        first = wish.first(first);
        int last = wish.last(first, first + draw.between(7, 11));
        NoiseLevel noise = draw.of(List.of(NoiseLevel.QUIET, NoiseLevel.USUAL, NoiseLevel.USUAL, NoiseLevel.NOISY));
        Dialect dialect = dialect(draw);
        Scenario plain = Scenario.builder(layout, model)
                .name(wish.name())
                .seed(draw.seed())
                .steps(first, last)
                .noise(Objects.requireNonNullElse(wish.noise, noise))
                .dialect(Objects.requireNonNullElse(wish.dialect, dialect))
                .build();
        double step = typicalStep(plain);
        if (kind.needs().cpuBound()) {
            model = cpuBound(draw, plain, step);
            plain = plain.withModel(model);
            step = typicalStep(plain);
        }
        DisturbanceDraw disturbances = new DisturbanceDraw(draw, layout, model, first, step);
        FaultDraw faults = new FaultDraw(draw, layout, model, new FaultSteps(draw, first, last, wish), wish.rank);
        Scenario base = kind.faulty() ? plain.with(disturbances.background()) : plain;
        List<Fault> drawn = new ArrayList<>();
        for (ScenarioKind wanted : wish.kinds) {
            if (wanted.faulty()) {
                drawn.addAll(faults.of(wanted));
            } else {
                base = base.with(disturbances.of(wanted));
            }
        }
        return drawn.isEmpty() ? Optional.of(base) : strong(draw, base, drawn, wish);
    }

    private static double typicalStep(Scenario plain) {
        return Simulation.run(plain).stepNanos(Math.min(1, plain.stepCount() - 1));
    }

    private static Optional<Scenario> strong(Draw draw, Scenario base, List<Fault> drawn, Wish wish) {
        LinkIdentity identity = new LinkIdentity(base);
        if (drawn.stream().anyMatch(f -> LinkIdentity.concerns(f) && !identity.locatable(f))) {
            return Optional.empty();
        }
        double excess = wish.severity == Severity.MILD ? draw.between(0.035, 0.085) : 0;
        List<Fault> faults = drawn.stream().map(f -> given(f, excess, wish)).toList();
        return wish.strengthGiven() ? Optional.of(base.withFaults(faults)) : tune(base, faults, wish.severity);
    }

    private static Fault given(Fault fault, double excess, Wish wish) {
        if (fault.pauseNanos() > 0) {
            return wish.pauseNanos > 0 ? fault.scaled(wish.pauseNanos / (double) fault.pauseNanos()) : fault;
        }
        double wanted = wish.factor > 0 ? wish.factor - 1 : excess;
        return wanted > 0 ? fault.scaled(wanted / fault.severity()) : fault;
    }

    private static Dialect dialect(Draw draw) {
        return new Dialect(
                draw.chance(0.25),
                draw.chance(0.95),
                draw.chance(0.95),
                draw.chance(0.9),
                draw.chance(0.2),
                (long) draw.scale(1e4, 1e8),
                draw.between(0, 8.0));
    }

    /** Makes the launches of a job about as long as its work on the GPU. */
    private static JobModel cpuBound(Draw draw, Scenario plain, double step) {
        Program program = ProgramBuilder.build(plain.model(), plain.layout(), new ProgramBuilder.Role(0, true, 0, 0));
        double cpu = 0;
        for (Op op : program.ops) {
            cpu += op.onGpu()
                    ? plain.model().launchNanos() * (op.type().communicates() ? 2.9 : 1.16)
                    : op.nanos() * 1.1;
        }
        double by = draw.between(0.95, 1.15) * step / cpu;
        return plain.model().withCpu((long) (plain.model().launchNanos() * by), (long)
                (plain.model().layerPythonNanos() * by));
    }

    private static Optional<Scenario> tune(Scenario base, List<Fault> drawn, Severity severity) {
        List<Fault> faults = drawn;
        for (int i = 0; i < TUNINGS; i++) {
            Scenario scenario = base.withFaults(faults);
            SimulatedJob job = Simulation.run(scenario);
            boolean right = true;
            List<Fault> next = new ArrayList<>();
            for (Fault fault : faults) {
                double cost = FaultTruth.of(job, fault, Set.of()).costRatio();
                double by = correction(cost, severity);
                right &= by == 1;
                next.add(by == 1 ? fault : fault.scaled(by));
            }
            if (right) {
                return Optional.of(scenario);
            }
            faults = next;
        }
        return Optional.empty();
    }

    private static double correction(double cost, Severity severity) {
        if (cost < severity.least) {
            return Math.clamp(1.3 * severity.least / Math.max(cost, 1e-9), 1.2, 3);
        }
        return cost > severity.most ? Math.clamp(0.8 * severity.most / cost, 0.05, 0.85) : 1;
    }
}
