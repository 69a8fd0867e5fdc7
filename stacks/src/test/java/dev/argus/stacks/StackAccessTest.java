package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.testkit.Need;
import dev.argus.testkit.Requires;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StackAccessTest {
    @Test
    @Requires(Need.PYTHON)
    void saysThatAProcessCanBeRead() throws Exception {
        try (Target target = Target.of("print('ready'); import time; time.sleep(100)")) {
            StackAccess access = StackAccess.check(target.pid());
            assertThat(access.possible()).isTrue();
            assertThat(access.version()).startsWith("3.");
            assertThat(access.toString())
                    .isEqualTo("Python " + access.version() + " in process " + target.pid() + " can be read");
        }
    }

    /** A JVM without CAP_SYS_PTRACE looks at another user's process. */
    @Test
    @Requires({Need.PYTHON, Need.OTHER_USER})
    void saysWhoseProcessItIsAndWhatToDo() throws Exception {
        try (Target target = Target.of(
                "print('ready'); import time; time.sleep(100)", "setpriv", "--reuid=65534", "--clear-groups")) {
            Process child = new ProcessBuilder(
                            "setpriv",
                            "--bounding-set",
                            "-sys_ptrace",
                            "--inh-caps",
                            "-sys_ptrace",
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Check.class.getName(),
                            Integer.toString(target.pid()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(child.waitFor()).isZero();
            assertThat(said)
                    .startsWith("false: the system does not allow to read the memory of process " + target.pid())
                    .contains("it runs as user 65534, this as user 0, and CAP_SYS_PTRACE is missing")
                    .contains("run as user 65534, or add the capability SYS_PTRACE");
        }
    }

    /** What the child above runs. */
    static final class Check {
        private Check() {}

        public static void main(String[] args) {
            StackAccess access = StackAccess.check(Integer.parseInt(args[0]));
            System.out.println(access.possible() + ": " + access);
        }
    }

    @Test
    void eachRefusalHasItsReasonAndItsWayOut() {
        assertThat(refusal("1000", "1000", 3, true)).contains("ptrace_scope is 3", "until the next boot");
        assertThat(refusal("0", "1000", 1, true)).contains("seccomp", "shareProcessNamespace");
        assertThat(refusal("1000", "0", 1, false)).contains("runs as user 0, this as user 1000", "SYS_PTRACE");
        assertThat(refusal("1000", "1000", 2, false)).contains("ptrace_scope is 2", "set kernel.yama.ptrace_scope");
        assertThat(refusal("1000", "1000", 1, false)).contains("only its ancestors", "PR_SET_PTRACER");
        assertThat(refusal("1000", "1000", 0, false)).contains("the user is the same", "PR_SET_DUMPABLE");
        assertThat(refusal("1000", "1000", -1, false)).contains("the user is the same");
    }

    private static String refusal(String own, String theirs, int scope, boolean mayTrace) {
        String text = StackAccess.refusal(7, ForeignMemory.EPERM, own, theirs, scope, mayTrace, false);
        assertThat(text).contains("process 7", "error 1", "; do: ");
        return text;
    }

    @Test
    void saysThatThereIsNoSuchProcess() {
        StackAccess access = StackAccess.check(Integer.MAX_VALUE);
        assertThat(access.possible()).isFalse();
        assertThat(access.found()).contains("no process 2147483647");
    }
}
