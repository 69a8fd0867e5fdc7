package dev.argus.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.agent.Tuning;
import dev.argus.model.RankSet;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlSocketTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private ControlClient.Answer ask(Function<String, Future<List<String>>> handler, String request) throws Exception {
        try (ControlSocket socket = ControlSocket.open(folder)) {
            AtomicBoolean done = new AtomicBoolean();
            CompletableFuture<ControlClient.Answer> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return ControlClient.ask(folder, request, PATIENCE);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                } finally {
                    done.set(true);
                }
            });
            while (!done.get()) {
                socket.poll(handler, System.nanoTime());
                Thread.sleep(1);
            }
            return answer.get();
        }
    }

    @Test
    void aRequestIsAnswered() throws Exception {
        ControlClient.Answer answer =
                ask(line -> CompletableFuture.completedFuture(List.of("you said " + line, "\u001b[31mred")), "status");
        assertThat(answer.error()).isEmpty();
        assertThat(answer.lines()).containsExactly("you said status", " [31mred");
        assertThat(ControlSocket.of(folder)).as("it goes with the agent").doesNotExist();
    }

    @Test
    void anAnswerMayTakeItsTime() throws Exception {
        CompletableFuture<List<String>> later = new CompletableFuture<>();
        ControlClient.Answer answer = ask(
                line -> {
                    later.completeOnTimeout(List.of("done"), 50, java.util.concurrent.TimeUnit.MILLISECONDS);
                    return later;
                },
                "excerpt");
        assertThat(answer.lines()).containsExactly("done");
    }

    @Test
    void whatCannotBeIsAnErrorLine() throws Exception {
        ControlClient.Answer wrong = ask(
                line -> {
                    throw new IllegalArgumentException("found this, expected that");
                },
                "nonsense");
        assertThat(wrong.error()).isEqualTo("found this, expected that");
        assertThat(wrong.lines()).isEmpty();
        ControlClient.Answer tooLong =
                ask(line -> CompletableFuture.completedFuture(List.of()), "x".repeat(ControlSocket.MOST_LINE + 1));
        assertThat(tooLong.error()).contains("at most");
        ControlClient.Answer tooMuch = ask(
                line -> CompletableFuture.completedFuture(List.of("x".repeat(ControlSocket.MOST_ANSWER))), "status");
        assertThat(tooMuch.error()).contains("too long");
    }

    @Test
    void whoSaysNothingIsLetGoAndOthersAreServed() throws Exception {
        try (ControlSocket socket = ControlSocket.open(folder);
                SocketChannel silent = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.connect(UnixDomainSocketAddress.of(ControlSocket.of(folder)));
            silent.write(ByteBuffer.wrap("half a li".getBytes(StandardCharsets.UTF_8)));
            socket.poll(line -> CompletableFuture.completedFuture(List.of()), 0);
            socket.poll(line -> CompletableFuture.completedFuture(List.of()), ControlSocket.PATIENCE_NANOS + 1);
            ByteBuffer in = ByteBuffer.allocate(10);
            assertThat(silent.read(in)).isEqualTo(-1);
        }
    }

    @Test
    void aSocketThatAKilledAgentLeftIsReplacedAndARunningOneIsNot() throws Exception {
        Files.createFile(ControlSocket.of(folder));
        try (ControlSocket first = ControlSocket.open(folder)) {
            assertThatThrownBy(() -> ControlSocket.open(folder))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another agent runs");
            first.poll(line -> CompletableFuture.completedFuture(List.of()), 0);
        }
        assertThatThrownBy(() -> ControlClient.ask(folder, "status", PATIENCE)).isInstanceOf(IOException.class);
    }

    @Test
    void requestsAreReadStrictly() {
        assertThat(ControlRequest.parse("status")).isEqualTo(new ControlRequest.Status());
        assertThat(ControlRequest.parse("set ranks=0-2,9 signals=steps,kernels sampling=4 turns=19/1 stacks=0"))
                .isEqualTo(new ControlRequest.Set(RankSet.of(0, 1, 2, 9), new Tuning(9, 4, 19, 1, 0)));
        assertThat(ControlRequest.parse("set turns=off"))
                .isEqualTo(new ControlRequest.Set(RankSet.EMPTY, new Tuning(null, null, 1, 0, null)));
        assertThat(ControlRequest.parse("excerpt seconds=7")).isEqualTo(new ControlRequest.Excerpt(RankSet.EMPTY, 7));
        for (String wrong : List.of(
                "",
                "stop",
                "set",
                "set ranks=1",
                "set stacks=1001",
                "set stacks=-1",
                "set sampling=0",
                "set turns=300/1",
                "set turns=1",
                "set signals=everything",
                "set stacks=1 stacks=2",
                "set stacks=1 colour=red",
                "status now",
                "excerpt ranks=3-1",
                "excerpt ranks=0-9999999",
                "excerpt ranks=a",
                "excerpt seconds=0",
                "excerpt seconds=99999999999999")) {
            assertThatThrownBy(() -> ControlRequest.parse(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected");
        }
    }
}
