package dev.argus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.server.config.ServerSettings;
import dev.argus.server.config.SettingsReader;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a server says of how agents get to it can be done as it is said. */
class ServeAdviceTest {
    private static String advice(String at, Map<String, String> flags) throws Exception {
        ServerSettings settings =
                SettingsReader.read(null, Map.of("HOME", "/home/me"), flags).settings();
        return String.join("\n", ServeCommand.advice(settings, URI.create(at), "/data/operator.token"));
    }

    @Test
    void onLoopbackTheOperatorsTokenIsEnough() throws Exception {
        assertThat(advice("http://127.0.0.1:8642/", Map.of()))
                .isEqualTo("agents of this host ship to it with: ./argus agent --to"
                        + " http://127.0.0.1:8642/api/v1/frames --token-file /data/operator.token");
    }

    @Test
    void onAllAddressesAgentsNeedANameTlsAndATokenOfTheirJob() throws Exception {
        String said = advice("http://0.0.0.0:8642/", Map.of("host", "0.0.0.0"));
        assertThat(said)
                .contains("by TLS alone", "https://NAME-OF-THIS-HOST/api/v1/frames", "allowed-hosts")
                .contains("$(cat /data/operator.token)\" http://localhost:8642/api/v1/jobs/JOB/tokens")
                .doesNotContain("--to http://0.0.0.0");
    }

    @Test
    void withTlsTheAddressIsTheOneThatIsListenedAt() throws Exception {
        String said = advice("https://argus.example:8642/", Map.of("host", "argus.example", "allowed-hosts", "argus"));
        assertThat(said)
                .contains("--to https://argus.example:8642/api/v1/frames --token-file FILE")
                .contains("https://argus.example:8642/api/v1/jobs/JOB/tokens")
                .doesNotContain("allowed-hosts");
    }
}
