package dev.argus.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.server.Served;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS from PEM files; keys and certificates are made by the JDK's keytool. */
class TlsTest {
    private static final String PASSWORD = "password";
    private static final Map<String, KeyStore> MADE = new HashMap<>();

    @TempDir
    Path folder;

    private KeyStore store(String algorithm) throws Exception {
        KeyStore made = MADE.get(algorithm);
        if (made == null) {
            made = make(algorithm);
            MADE.put(algorithm, made);
        }
        return made;
    }

    private KeyStore make(String algorithm) throws Exception {
        Path file = folder.resolve(algorithm + ".p12");
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process made = new ProcessBuilder(
                        tool.toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.out").toFile())
                .start();
        assertThat(made.waitFor(120, TimeUnit.SECONDS)).isTrue();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static String pem(String what, byte[] bytes) {
        return "some text before\n-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }

    private static String certificate(KeyStore store) throws Exception {
        return pem("CERTIFICATE", store.getCertificate("server").getEncoded());
    }

    private static String key(KeyStore store) throws Exception {
        return pem("PRIVATE KEY", store.getKey("server", PASSWORD.toCharArray()).getEncoded());
    }

    private static HttpClient trusting(Certificate certificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", certificate);
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void servesWithKeysOfTheseKinds(String algorithm) throws Exception {
        KeyStore store = store(algorithm);
        Path both = Files.writeString(folder.resolve("both.pem"), key(store) + certificate(store), UTF_8);
        try (Served served = new Served(
                trusting(store.getCertificate("server")),
                EventHub.Bounds.DEFAULT,
                folder.resolve("data"),
                "certificates=" + both)) {
            assertThat(served.front.address().getScheme()).isEqualTo("https");
            assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
            String origin = served.front.address().toString().replaceAll("/$", "");
            assertThat(served.post(
                                    "/api/v1/query",
                                    "{\"sql\":\"SELECT 1\"}",
                                    "Authorization",
                                    served.bearer(),
                                    "Origin",
                                    origin)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void theKeyMayBeInAFileOfItsOwn() throws Exception {
        KeyStore store = store("EC");
        Path certificates = Files.writeString(folder.resolve("tls.crt"), certificate(store), UTF_8);
        Path key = Files.writeString(folder.resolve("tls.key"), key(store), UTF_8);
        try (Served served = new Served(
                trusting(store.getCertificate("server")),
                EventHub.Bounds.DEFAULT,
                folder.resolve("data"),
                "certificates=" + certificates,
                "certificate-key=" + key)) {
            assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void filesThatCannotBeUsedAreSaidWithWhatToDo() throws Exception {
        KeyStore store = store("EC");
        KeyStore other = store("RSA");
        assertUnusable(certificate(store), "found no private key");
        assertUnusable(key(store), "found no certificate");
        assertUnusable(
                certificate(store) + pem("RSA PRIVATE KEY", new byte[] {1}),
                "a key of the form RSA PRIVATE KEY, expected -----BEGIN PRIVATE KEY");
        assertUnusable(
                certificate(store) + pem("ENCRYPTED PRIVATE KEY", new byte[] {1}), "openssl pkcs8 -topk8 -nocrypt");
        assertUnusable(certificate(store) + pem("PRIVATE KEY", new byte[] {1, 2, 3}), "cannot be read");
        assertUnusable(pem("CERTIFICATE", new byte[] {1, 2, 3}) + key(store), "certificate 1 cannot be read");
        assertUnusable(certificate(store) + key(other), "a certificate of another key");
        assertUnusable("", "found no certificate");
        assertThatThrownBy(() -> PemFiles.configurator(folder.resolve("none"), null))
                .hasMessageContaining("no such file");
    }

    private void assertUnusable(String text, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.pem"), text, UTF_8);
        assertThatThrownBy(() -> PemFiles.configurator(file, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(message)
                .hasMessageStartingWith("TLS: '");
    }
}
