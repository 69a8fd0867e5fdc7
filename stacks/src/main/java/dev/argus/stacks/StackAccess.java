package dev.argus.stacks;

import dev.argus.stacks.ProcFiles.Mapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the stacks of a process can be read with the rights there are, and what is missing.
 *
 * @param pid of the process
 * @param possible true if they can be read
 * @param version of its Python, empty if unknown
 * @param found what was found, in a sentence
 * @param advice what to do, in a sentence; empty if nothing
 */
public record StackAccess(int pid, boolean possible, String version, String found, String advice) {
    private static final int PTRACE_BIT = 19;
    private static final Path SCOPE = Path.of("/proc/sys/kernel/yama/ptrace_scope");

    /**
     * Tries it: finds the interpreter and takes one sample, which is thrown away. Some milliseconds.
     *
     * @param pid as this host sees it
     */
    public static StackAccess check(int pid) {
        try (StackSampler sampler = StackSampler.attach(pid)) {
            int taken = sampler.sampleOnce(0, stack -> {});
            String found = "Python " + sampler.version() + " in process " + pid + " can be read";
            return taken > 0
                    ? new StackAccess(pid, true, sampler.version(), found, "")
                    : new StackAccess(
                            pid,
                            !sampler.ended(),
                            sampler.version(),
                            found + ", but its main thread showed no Python frames just now: " + sampler.losses(),
                            "try again; a process that only runs C code has none");
        } catch (StackAccessException e) {
            String text = String.valueOf(e.getMessage());
            int split = text.indexOf("; do: ");
            return split < 0
                    ? new StackAccess(pid, false, "", text, "")
                    : new StackAccess(pid, false, "", text.substring(0, split), text.substring(split + 6));
        } catch (UnsupportedOperationException e) {
            return new StackAccess(pid, false, "", String.valueOf(e.getMessage()), "take stacks with py-spy");
        }
    }

    /** Both sentences as one. */
    @Override
    public String toString() {
        return advice.isEmpty() ? found : found + "; " + advice;
    }

    /**
     * Reads a few bytes of the process.
     *
     * @throws StackAccessException if that is not allowed; the message says why, and behind {@code "; do: "} what to do
     */
    static void require(ForeignMemory memory) throws StackAccessException {
        int pid = memory.pid();
        @Nullable List<Mapping> mappings = null;
        try {
            mappings = ProcFiles.mappings(ProcFiles.text(pid, "maps"));
        } catch (IOException closed) {
            // the same rights are needed; why they are missing is told below
        }
        memory.begin();
        int status = ForeignMemory.EPERM;
        if (mappings != null) {
            if (mappings.isEmpty()) {
                throw new StackAccessException(
                        "process " + pid + " has no program: a kernel thread, or one that just ended");
            }
            memory.add(mappings.getFirst().start(), 8);
            status = memory.read();
        }
        if (status == ForeignMemory.COMPLETE) {
            return;
        }
        if (status == ForeignMemory.ESRCH) {
            throw new StackAccessException("process " + pid + " ended");
        }
        throw new StackAccessException(
                refusal(pid, status, user("self"), user(Integer.toString(pid)), scope(), mayTrace(), mappings != null));
    }

    /**
     * Why the system refused.
     *
     * @param scope of Yama: 0 same user, 1 descendants or who was allowed, 2 only with CAP_SYS_PTRACE, 3 nobody; -1: not there
     * @param mapped true if its memory map could be read, which needs nearly the same rights
     */
    static String refusal(int pid, int status, String own, String theirs, int scope, boolean mayTrace, boolean mapped) {
        String what = "the system does not allow to read the memory of process " + pid + " (process_vm_readv, error "
                + -status + ")";
        if (scope == 3) {
            return what + ": kernel.yama.ptrace_scope is 3, which forbids it to everybody until the next boot"
                    + "; do: boot with 2 or less, or do without stacks";
        }
        if (mayTrace) {
            return what
                    + " although CAP_SYS_PTRACE is there: a container's seccomp profile, SELinux or another user namespace stands before it"
                    + "; do: allow process_vm_readv in the profile, or run as a sidecar with shareProcessNamespace in the same pod";
        }
        if (!own.equals(theirs)) {
            return what + ": it runs as user " + theirs + ", this as user " + own
                    + ", and CAP_SYS_PTRACE is missing; expected the same user"
                    + "; do: run as user " + theirs + ", or add the capability SYS_PTRACE";
        }
        if (scope == 2) {
            return what + ": kernel.yama.ptrace_scope is 2, which needs CAP_SYS_PTRACE"
                    + "; do: add the capability SYS_PTRACE, or set kernel.yama.ptrace_scope to 1 or 0";
        }
        if (scope == 1) {
            return what + ": kernel.yama.ptrace_scope is 1, so only its ancestors may, and whom it allows"
                    + "; do: let the process allow it (PR_SET_PTRACER: the Python producer does when told to), add the capability SYS_PTRACE, "
                    + "or set kernel.yama.ptrace_scope to 0";
        }
        return what + (mapped ? "" : ", nor its memory map")
                + ": the user is the same, so it has more rights than this (set-user-id, capabilities) or forbids dumps (PR_SET_DUMPABLE)"
                + "; do: add the capability SYS_PTRACE";
    }

    private static String user(String pid) {
        try {
            String uid = ProcFiles.status(Files.readString(Path.of("/proc/" + pid + "/status")), "Uid");
            return uid == null ? "unknown" : uid.split("\\s+", -1)[0];
        } catch (IOException hidden) {
            return "unknown";
        }
    }

    private static int scope() {
        try {
            return Integer.parseInt(Files.readString(SCOPE).strip());
        } catch (IOException | NumberFormatException none) {
            return -1; // a kernel without Yama
        }
    }

    private static boolean mayTrace() {
        try {
            String caps = ProcFiles.status(Files.readString(Path.of("/proc/self/status")), "CapEff");
            return caps != null && ((Long.parseUnsignedLong(caps, 16) >>> PTRACE_BIT) & 1) == 1;
        } catch (IOException | NumberFormatException hidden) {
            return false;
        }
    }
}
