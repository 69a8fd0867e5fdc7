package dev.argus.engine;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;

/** Ids of incidents. */
final class IncidentIds {
    private IncidentIds() {}

    /** The id of an incident without steps. */
    static String of(int attempt, IncidentKind kind, Scope scope, RankSet ranks, int world) {
        return String.format("%016x", hash(attempt, kind, scope, ranks, "", -1, world));
    }

    /** FNV-1a over what an incident is: the same input gives the same id. */
    static long hash(int attempt, IncidentKind kind, Scope scope, RankSet ranks, String host, long step, int world) {
        String text =
                attempt + "|" + kind.text() + "|" + scope.text() + "|" + ranks + "|" + host + "|" + step + "|" + world;
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
