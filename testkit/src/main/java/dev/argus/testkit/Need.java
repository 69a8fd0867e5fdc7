package dev.argus.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** What a test can need from the machine beyond a JDK and Maven. Whether it is there is looked up once per JVM. */
public enum Need {
    /** The folder of public traces, see {@link Shared}. */
    SHARED("set ARGUS_SHARED to the folder of public data"),

    /** The system's Python, 3.11 or newer, for tests that look into one from outside. */
    PYTHON("apt-get install python3, of 3.11 or newer"),

    /** The right to start processes as another user, and without some of our own rights. */
    OTHER_USER("run the tests as root, with setpriv of util-linux"),

    /** The right to mount a file system of a given size. */
    MOUNT("run the tests as root, where file systems may be mounted"),

    /** PyTorch for the system's Python, for tests that profile a real training job. */
    TORCH("apt-get install python3-torch"),

    /** The zstd command, an independent writer of the format. */
    ZSTD_CLI("apt-get install zstd"),

    /** A browser without a window, for tests that open a page. */
    CHROMIUM("apt-get install chromium"),

    /** A C compiler and make, on Linux, for the producers written in C. */
    C_COMPILER("on Linux: apt-get install gcc libc6-dev make"),

    /** Prometheus and its promtool. */
    PROMETHEUS("apt-get install prometheus"),

    /** Prometheus' Alertmanager. */
    ALERTMANAGER("apt-get install prometheus-alertmanager"),

    /** Room for the processes of a small cluster, on Linux. */
    CLUSTER_MEMORY("run the tests on Linux with 6 GB of memory that is free or can be freed"),

    /** The native half of the fuzzer, for this system; its jar has it, but not for every system. */
    FUZZER("run the build on Linux or macOS, x86-64 or arm64, or Windows, x86-64");

    private static final long PROBE_SECONDS = 120;
    private static final Map<Need, Boolean> KNOWN = new ConcurrentHashMap<>();

    private final String remedy;

    Need(String remedy) {
        this.remedy = remedy;
    }

    /** {@return what to install or set, in one phrase} */
    public String remedy() {
        return remedy;
    }

    /** {@return whether this machine has it} */
    public boolean isMet() {
        return KNOWN.computeIfAbsent(this, Need::probe);
    }

    private static boolean probe(Need need) {
        return switch (need) {
            case SHARED -> Files.isDirectory(Shared.folder());
            case PYTHON -> succeeds("/usr/bin/python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))");
            case OTHER_USER ->
                succeeds("setpriv", "--reuid=65534", "--clear-groups", "--bounding-set", "-sys_ptrace", "true");
            case MOUNT -> succeeds("unshare", "--mount", "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "/mnt");
            case TORCH -> succeeds("/usr/bin/python3", "-c", "import torch");
            case ZSTD_CLI -> onPath("zstd");
            case CHROMIUM -> onPath("chromium");
            case C_COMPILER -> System.getProperty("os.name").equals("Linux") && onPath("gcc") && onPath("make");
            case PROMETHEUS -> onPath("prometheus") && onPath("promtool");
            case ALERTMANAGER -> onPath("prometheus-alertmanager");
            case CLUSTER_MEMORY -> availableKiB() >= 6L << 20;
            case FUZZER -> Need.class.getResource(fuzzerLibrary()) != null;
        };
    }

    private static long availableKiB() {
        try {
            return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                    .filter(line -> line.startsWith("MemAvailable:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException none) {
            return 0;
        }
    }

    private static String fuzzerLibrary() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String cpu = System.getProperty("os.arch").replace("amd64", "x86_64");
        String folder = (os.startsWith("mac") ? "macos" : os.startsWith("windows") ? "windows" : os) + "_" + cpu;
        return "/com/code_intelligence/jazzer/driver/jazzer_driver_" + folder + "/"
                + System.mapLibraryName("jazzer_driver");
    }

    private static boolean onPath(String command) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, command))) {
                return true;
            }
        }
        return false;
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
