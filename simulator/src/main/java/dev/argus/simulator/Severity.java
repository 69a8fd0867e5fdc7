package dev.argus.simulator;

/** How much a drawn fault costs, as a share of the steps in which it holds. */
public enum Severity {
    /** At least 2 %. */
    STRONG(0.02, 40),
    /** Between 0.5 and 2 %. */
    WEAK(0.006, 0.019);

    final double least;
    final double most;

    Severity(double least, double most) {
        this.least = least;
        this.most = most;
    }
}
