package dev.argus.model;

/**
 * How a frame of a call stack is written, wherever it is from: {@code wait (threading.py:306)}.
 *
 * <p>Names are hostile and stay exact; whoever shows them escapes them. Cost: O(length).
 */
public final class StackFrames {
    /** The main thread's name, as Python's own {@code threading} and py-spy have it. */
    public static final String MAIN_THREAD = "MainThread";

    /** Most characters of a name that are kept. */
    public static final int MAX_NAME = 400;

    private static final String[] LIBRARY_FOLDERS = {"/site-packages/", "/dist-packages/"};

    private StackFrames() {}

    /**
     * A frame in words; what is unknown is left out.
     *
     * @param function qualified where the source knows it
     * @param file empty when unknown
     * @param line decimal; empty or 0 when unknown
     */
    public static String named(String function, String file, String line) {
        if (file.isEmpty()) {
            return function;
        }
        return function + " (" + file + (line.isEmpty() || line.equals("0") ? "" : ":" + line) + ")";
    }

    /** At most {@link #MAX_NAME} characters of it. */
    public static String cut(String name) {
        return name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name;
    }

    /**
     * The part of a path that is the same on every host: below the folder of libraries, such as {@code torch/nn/functional.py},
     * else below that of Python itself, such as {@code threading.py}, else the file and its folder.
     */
    public static String shortFile(String path) {
        for (String folder : LIBRARY_FOLDERS) {
            int at = path.lastIndexOf(folder);
            if (at >= 0) {
                return path.substring(at + folder.length());
            }
        }
        int lib = path.lastIndexOf("/lib/python");
        if (lib >= 0) {
            int at = path.indexOf('/', lib + "/lib/python".length());
            if (at > 0) {
                return path.substring(at + 1);
            }
        }
        int file = path.lastIndexOf('/');
        int folder = file <= 0 ? -1 : path.lastIndexOf('/', file - 1);
        return folder < 0 ? path.substring(file <= 0 ? file + 1 : 0) : path.substring(folder + 1);
    }
}
