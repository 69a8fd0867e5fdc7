package dev.argus.model;

/**
 * How one rank used one process group.
 *
 * @param group name id of the group as its collectives name it
 * @param members name id of the printed list of members, or -1
 * @param size number of members stated, or -1
 * @param calls number of collectives
 * @param pointToPoint true when it carried sends or receives
 */
public record GroupUse(int group, int members, int size, long calls, boolean pointToPoint) {}
