package dev.argus.stacks;

import java.io.IOException;

/**
 * Which process: pids are used again, together with the start it is always the same one.
 *
 * @param pid as this host sees it
 * @param startTicks clock ticks after boot
 */
public record ProcessIdentity(int pid, long startTicks) {
    private static final int START_FIELD = 22;

    /**
     * The process that has this pid now.
     *
     * @throws StackAccessException if there is none, or it cannot be told
     */
    public static ProcessIdentity of(int pid) throws StackAccessException {
        String stat;
        try {
            stat = ProcFiles.text(pid, "stat");
        } catch (IOException gone) {
            throw new StackAccessException("no process " + pid + ": expected one that runs, by its pid on this host");
        }
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        int at = START_FIELD - 3; // the first after the name is the third
        try {
            return new ProcessIdentity(pid, Long.parseLong(fields[at]));
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException odd) {
            throw new StackAccessException("process " + pid + " has no start time in /proc/" + pid + "/stat");
        }
    }
}
