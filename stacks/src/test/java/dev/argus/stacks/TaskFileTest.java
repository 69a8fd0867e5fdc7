package dev.argus.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;

/** Name and state of a thread of this process, which changes its name. */
class TaskFileTest {
    private static final int SELF = (int) ProcessHandle.current().pid();

    @Test
    void namesAreFollowedWhateverTheyHold() throws Exception {
        SynchronousQueue<String> wanted = new SynchronousQueue<>();
        SynchronousQueue<Integer> told = new SynchronousQueue<>();
        CountDownLatch over = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                int id = Integer.parseInt(Files.readSymbolicLink(Path.of("/proc/thread-self"))
                        .getFileName()
                        .toString());
                for (String name = wanted.take(); !name.isEmpty(); name = wanted.take()) {
                    Files.writeString(Path.of("/proc/thread-self/comm"), name);
                    told.put(id);
                }
                over.countDown();
            } catch (Exception failed) {
                Thread.currentThread().interrupt();
            }
        });
        wanted.put("a");
        int id = told.take();
        try (TaskFile task = Objects.requireNonNull(TaskFile.open(SELF, id))) {
            assertThat(task.refresh()).isTrue();
            assertThat(task.name()).isEqualTo("a");
            for (String name : new String[] {"a", "a) R (b", "a) S 1 2", "123456789012345", "a", "(x)", "("}) {
                wanted.put(name);
                told.take();
                assertThat(task.refresh()).isTrue();
                assertThat(task.name()).isEqualTo(name);
            }
            wanted.put("");
            over.await();
            thread.join();
            while (task.refresh()) {
                Thread.onSpinWait(); // the system ends it a moment after the JVM
            }
            assertThat(task.lives()).isFalse();
        }
    }
}
