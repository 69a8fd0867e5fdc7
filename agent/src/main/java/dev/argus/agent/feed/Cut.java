package dev.argus.agent.feed;

import dev.argus.hostlocal.live.RankDeclaration;
import dev.argus.hostlocal.live.RankStep;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rank has to report.
 *
 * @param steps steps that have ended, ascending
 * @param declaration who it is, when that was not known before or has changed; else null
 */
public record Cut(List<RankStep> steps, @Nullable RankDeclaration declaration) {
    static final Cut NOTHING = new Cut(List.of(), null);
}
