package dev.argus.wire;

import dev.argus.model.AgentCommand;
import dev.argus.model.AgentCommand.Retune;
import dev.argus.model.AgentCommand.SendExcerpt;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands in a reply.
 *
 * <pre>
 * kind:byte  length  { id  job:text  ranks as runs, then
 *   1 retune    signals  sampling  stacksPerSecond
 *   2 excerpt   attempt  from  duration }
 * </pre>
 */
public final class AgentCommandCodec {
    private AgentCommandCodec() {}

    /** Writes one. */
    public static void encode(AgentCommand command, WireWriter to) {
        WireWriter content = new WireWriter();
        content.writeVarint(command.id()).writeText(command.job());
        RankDeclarationCodec.ranks(command.ranks(), content);
        int kind = switch (command) {
            case Retune r -> {
                content.writeVarint(r.signals()).writeVarint(r.sampling()).writeVarint(r.stacksPerSecond());
                yield 1;
            }
            case SendExcerpt e -> {
                content.writeVarint(e.attempt()).writeVarint(e.fromNanos()).writeVarint(e.toNanos() - e.fromNanos());
                yield 2;
            }
        };
        to.writeByte(kind).writeBytes(content.toByteArray());
    }

    /**
     * Reads how many there are, and those whose kinds are known.
     *
     * @throws WireException if there are more than that, or one cannot be
     */
    public static List<AgentCommand> decodeAll(WireReader from, int most) {
        int n = from.readCount(2);
        if (n > most) {
            throw new WireException(n + " commands, expected at most " + most);
        }
        List<AgentCommand> commands = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int kind = from.readByte();
            byte[] content = from.readBytes();
            if (kind == 1 || kind == 2) {
                commands.add(decode(kind, new WireReader(content)));
            }
        }
        return commands;
    }

    private static AgentCommand decode(int kind, WireReader from) {
        long id = from.readVarint();
        String job = FrameReader.name(from);
        RankSet ranks = RankDeclarationCodec.ranks(from, AgentCommand.MOST_RANKS);
        try {
            AgentCommand command;
            if (kind == 1) {
                command = new Retune(id, job, ranks, from.readInt(), from.readInt(), from.readInt());
            } else {
                int attempt = from.readInt();
                long begin = from.readVarint();
                long duration = from.readVarint();
                command = new SendExcerpt(id, job, ranks, attempt, begin, begin + duration);
            }
            from.expectEnd();
            return command;
        } catch (IllegalArgumentException outside) {
            throw new WireException(String.valueOf(outside.getMessage()));
        }
    }
}
