package dev.argus.simulator;

/**
 * When faults of a job that goes on come and go.
 *
 * @param healthyFirst healthy steps before the first fault
 * @param faulty steps of each fault
 * @param healthy healthy steps after each
 */
public record LivePace(int healthyFirst, int faulty, int healthy) {
    /** Refuses what cannot be. */
    public LivePace {
        if (healthyFirst < 0 || faulty < 1 || healthy < 0) {
            throw new IllegalArgumentException("pace of " + healthyFirst + ", " + faulty + " and " + healthy
                    + " steps, must have a fault of 1 step or more and no negative number");
        }
    }
}
