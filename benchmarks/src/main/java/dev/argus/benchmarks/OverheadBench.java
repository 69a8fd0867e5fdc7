package dev.argus.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What watching costs: the training job that is watched, and the agent itself ({@code docs/overhead.md}). */
final class OverheadBench implements Bench {
    @Override
    public String name() {
        return "overhead";
    }

    @Override
    public String about() {
        return "what everything on costs a real PyTorch job, and what the agent takes for 8 simulated ranks";
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, InterruptedException, CannotMeasure {
        Path launcher = StartBench.launcher();
        List<Figure> figures = new ArrayList<>();
        try (Scratch scratch = Scratch.inMemory()) {
            Path errors = scratch.folder("log").resolve("build.txt");
            request.progress().accept("building");
            if (ChildRun.of(List.of(launcher.toString(), "agent", "--help"), errors)
                            .exitCode()
                    != 0) {
                throw new CannotMeasure(launcher + " agent --help failed: " + java.nio.file.Files.readString(errors));
            }
            boolean full = request.full();
            TrainingOverhead training = new TrainingOverhead(launcher, scratch, request);
            figures.addAll(training.measure("training", 2, full ? 8 : 1, full ? 60 : 20, true));
            if (full) {
                figures.addAll(training.measure("training4", 4, 3, 20, false));
                figures.addAll(training.same(4, 20));
            }
            AgentCost agent = new AgentCost(launcher, scratch, request);
            figures.addAll(agent.steady(full ? 300 : 20, full ? 12 : 2, full ? 10 : 5));
            figures.addAll(agent.minutes(full ? 60 : 3));
        }
        return figures;
    }
}
