package dev.argus.transport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Clients as a sender needs them: HTTP/1.1, no redirects, the stated certificates trusted. */
final class HttpClients {
    private HttpClients() {}

    private static final int MOST_CERTIFICATE_BYTES = 1 << 20;

    /**
     * A client.
     *
     * @throws IOException if the certificates cannot be read
     */
    static HttpClient of(SenderSettings settings, Executor threads) throws IOException {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(settings.connectTimeout())
                .executor(threads);
        Path ca = settings.caFile();
        if (ca != null) {
            builder.sslContext(trusting(ca));
        }
        return builder.build();
    }

    private static SSLContext trusting(Path file) throws IOException {
        try (InputStream in = new ByteArrayInputStream(PlainFile.read(file, MOST_CERTIFICATE_BYTES))) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int n = 0;
            for (Certificate c : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca" + n++, c);
            }
            if (n == 0) {
                throw new IOException("no certificate in " + file + ", expected PEM");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException damaged) {
            throw new IOException("certificates in " + file + ": " + damaged.getMessage(), damaged);
        }
    }
}
