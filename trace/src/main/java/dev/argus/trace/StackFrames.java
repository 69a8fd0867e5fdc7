package dev.argus.trace;

/** How a frame is written, wherever it is from. */
final class StackFrames {
    private StackFrames() {}

    /** Such as {@code wait (threading.py:306)}; what is unknown is left out. */
    static String named(String function, String file, String line) {
        if (file.isEmpty()) {
            return function;
        }
        return function + " (" + file + (line.isEmpty() || line.equals("0") ? "" : ":" + line) + ")";
    }
}
