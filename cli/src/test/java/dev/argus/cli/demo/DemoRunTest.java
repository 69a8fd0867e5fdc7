package dev.argus.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.cli.text.Look;
import dev.argus.simulator.LivePace;
import dev.argus.simulator.ScenarioKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small demonstration as it is: server, threads, loopback, clock. */
class DemoRunTest {
    /** Far more than it takes; only a demonstration that says nothing waits so long. */
    private static final int MOST_SECONDS = 300;

    @TempDir
    Path temp;

    private final List<String> lines = new ArrayList<>();
    private final CountDownLatch stop = new CountDownLatch(1);

    private void line(String line) {
        lines.add(line);
        if (line.startsWith("RIGHT:")) {
            stop.countDown();
        }
    }

    @Test
    void theServerSaysWhatWasInjected() throws IOException {
        DemoOptions options =
                new DemoOptions(32, 3, 0.5, new LivePace(10, 20, 20), List.of(ScenarioKind.COMPUTE), 0, MOST_SECONDS);

        new Demo(options, DemoServers.argus(), temp, false, Look.PLAIN, this::line, notice -> {}).run(stop);

        String said = String.join("", lines);
        assertThat(said)
                .contains("Open        http://127.0.0.1:", "OPENED rank ", "RIGHT: injected from step 10 to 29");
        assertThat(lines.getLast()).contains("1 fault: 1 named right");
        try (Stream<Path> left = Files.list(temp)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aServerThatCannotBeginIsSaidAndLeavesNothing() throws IOException {
        DemoOptions options = DemoOptions.of(32, 3, 0, MOST_SECONDS);
        DemoServer.Starter broken = (data, port, changes, problems) -> {
            throw new IOException("no");
        };

        assertThatThrownBy(() -> new Demo(options, broken, temp, false, Look.PLAIN, this::line, notice -> {}).run(stop))
                .isInstanceOf(IOException.class)
                .hasMessage("no");

        try (Stream<Path> left = Files.list(temp)) {
            assertThat(left).isEmpty();
        }
    }
}
