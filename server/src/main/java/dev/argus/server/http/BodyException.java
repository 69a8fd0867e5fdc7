package dev.argus.server.http;

import java.io.IOException;

/** A body that is longer than it may be, or ends before its time. */
public final class BodyException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    BodyException(Problem problem) {
        super(problem.getMessage());
        this.problem = problem;
    }

    /** What is said of it. */
    public Problem problem() {
        return problem;
    }
}
