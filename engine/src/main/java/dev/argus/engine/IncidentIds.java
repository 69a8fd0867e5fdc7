package dev.argus.engine;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;

/** Ids of incidents that are not of a step: a hash of what they are, so that the same input gives the same id. */
final class IncidentIds {
    private IncidentIds() {}

    /** FNV-1a over attempt, kind, scope, ranks and world size, in the form in which {@link IncidentWriter} does it. */
    static String of(int attempt, IncidentKind kind, Scope scope, RankSet ranks, int world) {
        String text = attempt + "|" + kind.text() + "|" + scope.text() + "|" + ranks + "||-1|" + world;
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return String.format("%016x", hash);
    }
}
