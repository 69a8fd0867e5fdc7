package dev.argus.server.http;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import dev.argus.model.SafeText;
import dev.argus.transport.PlainFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Certificates and a key from PEM files, for TLS 1.2 and 1.3. */
final class PemFiles {
    private static final int MOST_BYTES = 1 << 20;
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----", Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
    private static final String CONVERT = "openssl pkcs8 -topk8 -nocrypt -in KEY -out NEW";

    private PemFiles() {}

    /**
     * TLS with these.
     *
     * @param certificates the server's certificate, then those above it
     * @param key file of the key, null when it is in the other one
     * @throws IOException if they cannot be used; the message says which and what to do
     */
    static HttpsConfigurator configurator(Path certificates, @Nullable Path key) throws IOException {
        List<Certificate> chain = certificates(certificates);
        PrivateKey secret = key(key == null ? certificates : key);
        try {
            if (!belongTogether(chain.getFirst().getPublicKey(), secret)) {
                throw unusable(
                        certificates, "a certificate of another key", "the certificate of the private key first", null);
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            char[] none = new char[0];
            store.setKeyEntry("server", secret, none, chain.toArray(new Certificate[0]));
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, none);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return new HttpsConfigurator(context) {
                @Override
                public void configure(HttpsParameters parameters) {
                    SSLParameters tls = getSSLContext().getDefaultSSLParameters();
                    tls.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
                    parameters.setSSLParameters(tls);
                }
            };
        } catch (GeneralSecurityException wrong) {
            throw unusable(certificates, "something that TLS cannot be made of", "a certificate and its key", wrong);
        }
    }

    private static boolean belongTogether(PublicKey open, PrivateKey secret) throws GeneralSecurityException {
        if (!open.getAlgorithm().equals(secret.getAlgorithm())) {
            return false;
        }
        String algorithm = switch (open.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> open.getAlgorithm();
        };
        byte[] anything = {1};
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(secret);
        signature.update(anything);
        byte[] signed = signature.sign();
        signature.initVerify(open);
        signature.update(anything);
        return signature.verify(signed);
    }

    private static List<Certificate> certificates(Path file) throws IOException {
        List<Certificate> chain = new ArrayList<>();
        for (Matcher block = BLOCK.matcher(text(file)); block.find(); ) {
            if (block.group(1).equals("CERTIFICATE")) {
                try {
                    chain.add(CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(bytes(file, block.group(2)))));
                } catch (GeneralSecurityException wrong) {
                    throw unusable(
                            file, "certificate " + (chain.size() + 1) + " cannot be read", "X.509 as PEM", wrong);
                }
            }
        }
        if (chain.isEmpty()) {
            throw unusable(file, "no certificate", "blocks that begin with -----BEGIN CERTIFICATE-----", null);
        }
        return chain;
    }

    private static PrivateKey key(Path file) throws IOException {
        String other = "";
        for (Matcher block = BLOCK.matcher(text(file)); block.find(); ) {
            if (block.group(1).equals("PRIVATE KEY")) {
                return key(file, new PKCS8EncodedKeySpec(bytes(file, block.group(2))));
            }
            other = block.group(1).endsWith("PRIVATE KEY") ? block.group(1) : other;
        }
        String found = other.isEmpty() ? "no private key" : "a key of the form " + other;
        throw unusable(
                file, found, "-----BEGIN PRIVATE KEY----- (PKCS#8, not encrypted); convert it: " + CONVERT, null);
    }

    private static PrivateKey key(Path file, PKCS8EncodedKeySpec spec) throws IOException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException ofAnother) {
                // the next one may fit
            } catch (GeneralSecurityException unknown) {
                throw unusable(file, algorithm + " is not known here", "a complete JDK", unknown);
            }
        }
        throw unusable(file, "a private key that cannot be read", "one of RSA, EC or Ed25519 as PKCS#8", null);
    }

    private static byte[] bytes(Path file, String base64) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException wrong) {
            throw unusable(file, "a block that is no Base64", "PEM", wrong);
        }
    }

    private static String text(Path file) throws IOException {
        try {
            return new String(PlainFile.read(file, MOST_BYTES), StandardCharsets.US_ASCII);
        } catch (java.nio.file.NoSuchFileException nothing) {
            throw unusable(file, "no such file", "PEM files; set certificates and certificate-key", nothing);
        } catch (FileSystemException odd) {
            throw new IOException("TLS: '" + SafeText.of(file.toString()) + "': " + PlainFile.reason(odd), odd);
        }
    }

    private static IOException unusable(Path file, String found, String expected, @Nullable Exception cause) {
        return new IOException(
                "TLS: '" + SafeText.of(file.toString()) + "': found " + found + ", expected " + expected, cause);
    }
}
