package dev.argus.cli.demo;

import dev.argus.cli.demo.DemoJudge.Judgement;
import dev.argus.cli.demo.DemoJudge.Summary;
import dev.argus.cli.text.DemoText;
import dev.argus.cli.text.LiveText;
import dev.argus.cli.text.Look;
import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.RankSet;
import dev.argus.simulator.LiveFault;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Speaks to a person. */
final class DemoInText implements DemoVoice {
    private static final int FEW = 8;

    private final Look look;

    DemoInText(Look look) {
        this.look = look;
    }

    @Override
    public String started(
            DemoOptions options, int hosts, double stepSeconds, @Nullable URI address, @Nullable Path tokenFile) {
        int every = options.pace().faulty() + options.pace().healthy();
        String text = DemoText.headline(
                String.format(
                        Locale.ROOT,
                        "%d simulated GPUs on %d hosts, steps of %.1f s, a fault every %.0f s (seed %d)",
                        options.ranks(),
                        hosts,
                        stepSeconds,
                        every * stepSeconds,
                        options.seed()),
                look);
        if (address != null) {
            text += DemoText.line("Open", address.toString(), look);
        }
        if (tokenFile != null) {
            text += DemoText.line(
                    "Token", "in " + tokenFile + ", for questions (argus query); the page needs none", look);
        }
        return text + DemoText.line("Stop", "with ctrl-C; nothing stays behind", look) + "\n";
    }

    @Override
    public String healthy(int ranks, int step) {
        return DemoText.good(ranks + " ranks report, step " + step + ": nothing is wrong now", look) + "\n";
    }

    @Override
    public String change(String job, IncidentChange change) {
        return LiveText.change("", change, null, look);
    }

    @Override
    public String judged(Judgement j) {
        LiveFault fault = j.fault();
        if (fault == null) {
            return DemoText.bad("WRONG: nothing like that was injected", look) + "\n";
        }
        String injected = "injected from step " + fault.firstStep() + " to " + fault.lastStep() + ": "
                + fault.scenario().about() + " (" + who(fault) + ")";
        if (j.match() == null) {
            return DemoText.bad("MISSED: " + injected, look) + "\n";
        }
        String said = "; said " + j.stepsAfter() + " steps after it began";
        if (!j.sinceRight()) {
            said += ", since step " + j.since() + ", which is WRONG";
        }
        return (j.match() == LiveFault.Match.RIGHT && j.sinceRight()
                        ? DemoText.good("RIGHT: " + injected + said, look)
                        : j.match() == LiveFault.Match.RIGHT
                                ? DemoText.bad("RIGHT, BUT NOT SINCE WHEN: " + injected + said, look)
                                : DemoText.bad("RIGHT PLACE, OTHER KIND: " + injected + said, look))
                + "\n";
    }

    private static String who(LiveFault fault) {
        if (!fault.scope().equals("ranks")) {
            return "all ranks";
        }
        RankSet ranks = fault.ranks();
        String where = fault.hosts().size() <= FEW ? " on " + String.join(", ", fault.hosts()) : "";
        return (ranks.size() == 1 ? "rank " : "ranks ") + ranks + where;
    }

    @Override
    public String ended(Summary s) {
        String delay = s.medianSteps() < 0 ? "" : " after " + s.medianSteps() + " steps (median)";
        return "\n"
                + DemoText.headline(
                        s.faults() + (s.faults() == 1 ? " fault: " : " faults: ") + s.right() + " named right" + delay
                                + (s.otherKindFirst() > 0
                                        ? " (" + s.otherKindFirst() + " as another kind at first)"
                                        : "")
                                + ", " + s.otherKind()
                                + " taken for another kind, "
                                + (s.otherSince() > 0 ? s.otherSince() + " said to have begun at another time, " : "")
                                + s.missed() + " missed; " + s.wrong()
                                + " verdicts about what was not injected",
                        look);
    }
}
