package dev.argus.cli.demo;

import dev.argus.cli.demo.DemoJudge.Judgement;
import dev.argus.cli.demo.DemoJudge.Summary;
import dev.argus.hostlocal.live.IncidentChange;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How a demonstration speaks; each answer is one or more whole lines. */
interface DemoVoice {
    /**
     * It has begun.
     *
     * @param hosts simulated hosts
     * @param stepSeconds length of a step
     */
    String started(DemoOptions options, int hosts, double stepSeconds, @Nullable URI address, @Nullable Path tokenFile);

    /** The job runs, and nothing is wrong. */
    String healthy(int ranks, int step);

    /** Something has changed about an incident. */
    String change(String job, IncidentChange change);

    /** Whether that was right. */
    String judged(Judgement judgement);

    /** It ends. */
    String ended(Summary summary);
}
