package dev.argus.agent.feed;

import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.RankDeclaration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a rank has to report.
 *
 * @param steps steps that have ended, ascending
 * @param unrecorded those of them during which signals were off on purpose
 * @param declaration who it is, when that was not known before or has changed; else null
 */
public record Cut(
        List<RankStep> steps,
        Set<Long> unrecorded,
        @Nullable RankDeclaration declaration) {
    static final Cut NOTHING = new Cut(List.of(), Set.of(), null);
}
