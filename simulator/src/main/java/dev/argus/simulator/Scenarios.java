package dev.argus.simulator;

import java.util.ArrayList;
import java.util.List;
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

    /**
     * Draws a scenario. Where no fault of the drawn job can cost what the severity asks for, the job is drawn anew.
     *
     * @throws IllegalArgumentException when the kind cannot be of the severity
     * @throws IllegalStateException when dozens of jobs did not fit
     */
    public static Scenario random(long seed, ScenarioKind kind, Severity severity, int maxWorld) {
        if (kind.faulty() && !severity.fits(kind)) {
            throw new IllegalArgumentException(
                    "severity is " + severity.word() + ", which " + kind.word() + " cannot be");
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Scenario> found = attempt(seed * 1009 + attempt, kind, severity, maxWorld);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new IllegalStateException(
                "seed " + seed + ": no " + severity + " " + kind.word() + " in " + ATTEMPTS + " jobs");
    }

    private static Optional<Scenario> attempt(long seed, ScenarioKind kind, Severity severity, int maxWorld) {
        Draw draw = new Draw(seed * 31 + kind.ordinal());
        JobDraw job = new JobDraw(draw, kind, maxWorld);
        Layout layout = job.layout();
        JobModel model = job.model();
        int first = kind == ScenarioKind.WARM_UP ? 0 : draw.between(5, 400);
        int last = first + draw.between(7, 11);
        NoiseLevel noise = draw.of(List.of(NoiseLevel.QUIET, NoiseLevel.USUAL, NoiseLevel.USUAL, NoiseLevel.NOISY));
        Dialect dialect = dialect(draw);
        Scenario plain =
                builder(layout, model, draw.seed(), first, last, noise, dialect).build();
        double step = Simulation.run(plain).stepNanos(1);
        if (kind.needs().cpuBound()) {
            model = cpuBound(draw, plain, step);
            plain = builder(layout, model, plain.seed(), first, last, noise, dialect)
                    .build();
            step = Simulation.run(plain).stepNanos(1);
        }
        DisturbanceDraw disturbances = new DisturbanceDraw(draw, layout, model, first, step);
        Scenario.Builder builder = builder(layout, model, plain.seed(), first, last, noise, dialect);
        if (!kind.faulty()) {
            disturbances.of(kind).ifPresent(builder::disturbance);
            return Optional.of(builder.name(name(kind, severity)).build());
        }
        disturbances.background().ifPresent(builder::disturbance);
        List<Fault> faults = new FaultDraw(draw, layout, model, first, last).of(kind);
        if (severity == Severity.MILD) {
            double excess = draw.between(0.035, 0.085);
            faults = faults.stream().map(f -> f.scaled(excess / f.severity())).toList();
        }
        Scenario base = builder.name(name(kind, severity)).build();
        LinkIdentity identity = new LinkIdentity(base);
        if (faults.stream().anyMatch(f -> LinkIdentity.concerns(f) && !identity.locatable(f))) {
            return Optional.empty();
        }
        return tune(base, faults, severity);
    }

    private static String name(ScenarioKind kind, Severity severity) {
        return kind.faulty() && severity != Severity.STRONG ? kind.word() + " (" + severity.word() + ")" : kind.word();
    }

    private static Scenario.Builder builder(
            Layout layout, JobModel model, long seed, int first, int last, NoiseLevel noise, Dialect dialect) {
        return Scenario.builder(layout, model)
                .seed(seed)
                .steps(first, last)
                .noise(noise)
                .dialect(dialect);
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
