package dev.argus.wire;

import dev.argus.model.AgentRecord;
import java.util.List;

/**
 * A frame as read.
 *
 * @param head whose it is
 * @param records its records, name ids of the reader's table
 * @param unknown records of kinds that this reader does not know, stepped over
 * @param damaged records whose content could not be read, stepped over
 */
public record Frame(FrameHead head, List<AgentRecord> records, int unknown, int damaged) {
    /** Copies defensively. */
    public Frame {
        records = List.copyOf(records);
    }
}
