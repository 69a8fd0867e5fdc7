package dev.argus.agent.ship;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent's memory is a promise: one that ships over HTTP needs none of Kafka's classes, so it works where their jar is missing. */
class LeanAgentTest {
    @TempDir
    Path folder;

    @Test
    void shippingOverHttpNeedsNothingOfKafka() throws IOException, InterruptedException {
        String whole = System.getProperty("java.class.path");
        String lean = Arrays.stream(whole.split(File.pathSeparator, -1))
                .filter(p -> !Path.of(p).getFileName().toString().startsWith("kafka-clients"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(lean).as("the jar was on the class path").isNotEqualTo(whole);
        Path spool = Files.createDirectory(folder.resolve("spool"));
        Path said = folder.resolve("said");
        Process agent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        lean,
                        LeanAgent.class.getName(),
                        spool.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(agent.waitFor()).as(Files.readString(said, UTF_8)).isZero();
        assertThat(Files.readString(said, UTF_8)).contains("shipped without Kafka");
    }
}
