package dev.argus.cli;

/** Wrong usage, in one line: what was found, what was expected, what to do. Foreign text in it must be safe already. */
final class UsageError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageError(String line) {
        super(line, null, false, false);
    }

    String line() {
        String message = getMessage();
        return message == null ? "wrong usage" : message;
    }
}
