package dev.argus.transport;

import dev.argus.model.AgentCommand;
import java.util.List;

/** What agents are to be asked. Called by many threads; must not block. */
@FunctionalInterface
public interface CommandSource {
    /** Nothing, ever. */
    CommandSource NONE = (job, host, after) -> List.of();

    /**
     * Commands for an agent, ascending by id; they are given again until the agent says that it did them.
     *
     * @param job job
     * @param host host of the agent
     * @param after highest id that the agent has done; nothing up to it is to be given
     */
    List<AgentCommand> commands(String job, String host, long after);
}
