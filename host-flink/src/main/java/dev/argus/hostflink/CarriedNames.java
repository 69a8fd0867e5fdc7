package dev.argus.hostflink;

import dev.argus.model.CommunicatorTrail;
import dev.argus.model.GroupUse;
import dev.argus.model.NameTable;
import dev.argus.model.RankDeclaration;
import java.util.List;

/** What ranks said of themselves by the ids of another table of names. */
final class CarriedNames {
    private CarriedNames() {}

    static RankDeclaration of(RankDeclaration d, NameTable from, NameTable to) {
        List<GroupUse> groups = d.groups().stream()
                .map(g -> new GroupUse(
                        id(g.group(), from, to), id(g.members(), from, to), g.size(), g.calls(), g.pointToPoint()))
                .toList();
        List<CommunicatorTrail> trails = d.trails().stream()
                .map(t -> new CommunicatorTrail(id(t.group(), from, to), t.pairs(), t.steps()))
                .toList();
        return new RankDeclaration(
                d.attempt(),
                d.rank(),
                d.header(),
                d.gpuIndex(),
                d.gpuUuid(),
                d.gpu(),
                groups,
                trails,
                d.workSignature());
    }

    private static int id(int id, NameTable from, NameTable to) {
        return id < 0 ? id : to.id(from.name(id));
    }
}
