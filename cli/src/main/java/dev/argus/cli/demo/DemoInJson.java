package dev.argus.cli.demo;

import dev.argus.cli.demo.DemoJudge.Judgement;
import dev.argus.cli.demo.DemoJudge.Summary;
import dev.argus.cli.json.ChangeJson;
import dev.argus.cli.json.LineJson;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.simulator.LiveFault;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Speaks to a program: one object a line, {@code argus.demo/1}; changes of incidents as {@code argus.change/1}. */
final class DemoInJson implements DemoVoice {
    private static LineJson event(String name) {
        return new LineJson("argus.demo/1").with("event", name);
    }

    @Override
    public String started(
            DemoOptions options, int hosts, double stepSeconds, @Nullable URI address, @Nullable Path tokenFile) {
        return event("started")
                .with("ranks", options.ranks())
                .with("hosts", hosts)
                .with("seed", options.seed())
                .with("stepNanos", (long) (stepSeconds * 1e9))
                .with("address", address == null ? null : address.toString())
                .with("tokenFile", tokenFile == null ? null : tokenFile.toString())
                .line();
    }

    @Override
    public String healthy(int ranks, int step) {
        return event("healthy").with("ranks", ranks).with("step", step).line();
    }

    @Override
    public String change(String job, IncidentChange change) {
        return ChangeJson.line(job, change, null);
    }

    @Override
    public String judged(Judgement j) {
        LiveFault fault = j.fault();
        LineJson line = event("judged").with("result", result(j)).with("step", j.step());
        if (fault != null) {
            line.with("stepsAfter", j.stepsAfter())
                    .with("kind", fault.kind())
                    .with("injected", fault.scenario().word())
                    .with("ranks", fault.ranks().toString())
                    .with("firstStep", fault.firstStep())
                    .with("lastStep", fault.lastStep());
        }
        return line.line();
    }

    private static String result(Judgement j) {
        LiveFault.Match match = j.match();
        return match == null ? "missed" : match.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String ended(Summary s) {
        return event("ended")
                .with("faults", s.faults())
                .with("right", s.right())
                .with("otherKind", s.otherKind())
                .with("otherKindFirst", s.otherKindFirst())
                .with("otherSince", s.otherSince())
                .with("missed", s.missed())
                .with("wrong", s.wrong())
                .with("medianSteps", s.medianSteps())
                .line();
    }
}
