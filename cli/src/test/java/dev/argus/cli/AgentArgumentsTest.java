package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an agent makes of the address of its server. */
class AgentArgumentsTest {
    /** The address that a browser opens is enough; whoever gives a path has it taken as it stands. */
    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:8642, http://127.0.0.1:8642/api/v1/frames",
        "http://127.0.0.1:8642/, http://127.0.0.1:8642/api/v1/frames",
        "https://argus.example:8443/, https://argus.example:8443/api/v1/frames",
        "https://argus.example, https://argus.example/api/v1/frames",
        "http://[::1]:8642/, http://[::1]:8642/api/v1/frames",
        "http://127.0.0.1:8642/api/v1/frames, http://127.0.0.1:8642/api/v1/frames",
        "https://proxy.example/argus/frames, https://proxy.example/argus/frames",
        "https://argus.example/?a=b, https://argus.example/?a=b",
    })
    void addressOfAServerIsCompletedByThatOfItsFrames(String given, String shippedTo) {
        assertThat(AgentArguments.framesAt(URI.create(given))).isEqualTo(URI.create(shippedTo));
    }
}
