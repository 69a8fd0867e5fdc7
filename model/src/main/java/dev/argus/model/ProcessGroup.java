package dev.argus.model;

/**
 * A process group as one rank's trace declares it.
 *
 * @param name the framework's name of the group ("0", "12"); the same name may mean different groups on different ranks
 * @param description free text such as {@code TENSOR_MODEL_PARALLEL_GROUP}, or empty
 * @param size number of members stated, or -1
 * @param ranks the members; empty when the trace does not list them
 * @param complete false when the list was printed with "..." inside
 */
public record ProcessGroup(String name, String description, int size, RankSet ranks, boolean complete) {}
