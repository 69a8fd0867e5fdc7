package dev.argus.storage.object;

import dev.argus.storage.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Objects in a bucket of an S3-compatible store, every key behind a prefix. Credentials and region come from where the SDK looks for them: environment, system properties, files of the user, the machine's own.
 *
 * <p>An object appears when all of it has arrived: longer files go in parts, and an upload that fails is aborted. A call that fails is tried four times, within the bounds of {@link S3Address}; then it is an {@link IOException} that
 * says what was tried and what to do. Nothing is deleted on the way.
 *
 * <p>Thread-safe.
 */
public final class S3Objects implements ObjectStore {
    private static final int TRIES = 4;
    private static final int PAGE = 1000;

    private final S3Address address;
    private final S3Client client;

    /** With the SDK's usual chain of credentials. */
    public S3Objects(S3Address address) {
        this(address, DefaultCredentialsProvider.builder().build());
    }

    /** With credentials from elsewhere. */
    public S3Objects(S3Address address, AwsCredentialsProvider credentials) {
        this.address = address;
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(address.attempt())
                        .socketTimeout(address.attempt()))
                .credentialsProvider(credentials)
                .region(region())
                // Not every compatible store knows the newer checksums; MD5 and TLS are checked in any case.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(c -> c.apiCallAttemptTimeout(address.attempt())
                        .apiCallTimeout(address.whole())
                        .retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(TRIES)
                                .build()));
        if (address.endpoint() != null) {
            builder.endpointOverride(address.endpoint()).forcePathStyle(true);
        }
        this.client = builder.build();
    }

    /** Stores with an endpoint of their own take any region. */
    private static Region region() {
        try {
            return new DefaultAwsRegionProviderChain().getRegion();
        } catch (SdkException none) {
            return Region.US_EAST_1;
        }
    }

    @Override
    public void put(String key, Path file) throws IOException {
        String whole = whole(key);
        long length = Files.size(file);
        try {
            if (length <= address.partBytes()) {
                client.putObject(r -> r.bucket(address.bucket()).key(whole), RequestBody.fromFile(file));
            } else {
                new S3Upload(client, address, whole).send(file, length);
            }
        } catch (SdkException failed) {
            throw failure("cannot write", key, failed);
        }
    }

    @Override
    public Optional<InputStream> get(String key) throws IOException {
        String whole = whole(key);
        try {
            return Optional.of(client.getObject(r -> r.bucket(address.bucket()).key(whole)));
        } catch (SdkException failed) {
            if (isMissing(failed)) {
                return Optional.empty();
            }
            throw failure("cannot read", key, failed);
        }
    }

    @Override
    public Optional<Head> head(String key) throws IOException {
        String whole = whole(key);
        try {
            HeadObjectResponse about =
                    client.headObject(r -> r.bucket(address.bucket()).key(whole));
            return Optional.of(
                    new Head(key, about.contentLength(), about.lastModified().toEpochMilli()));
        } catch (SdkException failed) {
            if (isMissing(failed)) {
                return Optional.empty();
            }
            throw failure("cannot look at", key, failed);
        }
    }

    @Override
    public List<Head> list(String prefix, String after, int most) throws IOException {
        String from = address.prefix() + ObjectKeys.checkPrefix(prefix);
        List<Head> found = new ArrayList<>();
        String last = after.isEmpty() ? "" : address.prefix() + after;
        try {
            boolean more = most > 0;
            while (more) {
                String behind = last;
                int page = Math.min(PAGE, most - found.size());
                ListObjectsV2Response answer = client.listObjectsV2(r -> r.bucket(address.bucket())
                        .prefix(from)
                        .startAfter(behind.isEmpty() ? null : behind)
                        .maxKeys(page));
                for (var object : answer.contents()) {
                    last = object.key();
                    found.add(new Head(
                            last.substring(address.prefix().length()),
                            object.size(),
                            object.lastModified().toEpochMilli()));
                }
                more = Boolean.TRUE.equals(answer.isTruncated())
                        && !answer.contents().isEmpty()
                        && found.size() < most;
            }
        } catch (SdkException failed) {
            throw failure("cannot list", prefix, failed);
        }
        return found;
    }

    @Override
    public void delete(String key) throws IOException {
        String whole = whole(key);
        try {
            client.deleteObject(r -> r.bucket(address.bucket()).key(whole));
        } catch (SdkException failed) {
            if (!isMissing(failed)) {
                throw failure("cannot remove", key, failed);
            }
        }
    }

    private String whole(String key) {
        return address.prefix() + ObjectKeys.check(key);
    }

    private static boolean isMissing(SdkException failed) {
        return failed instanceof NoSuchKeyException
                || (failed instanceof S3Exception answer
                        && answer.statusCode() == 404
                        && !"NoSuchBucket".equals(code(answer)));
    }

    private static String code(S3Exception answer) {
        return answer.awsErrorDetails() == null
                ? ""
                : String.valueOf(answer.awsErrorDetails().errorCode());
    }

    private IOException failure(String what, String key, SdkException failed) {
        String where = "bucket " + address.bucket()
                + (address.endpoint() == null ? "" : " at " + address.endpoint().getAuthority());
        String todo = failed instanceof S3Exception answer
                ? Map.of(403, "; check the credentials and what they may", 404, "; does the bucket exist?")
                        .getOrDefault(answer.statusCode(), "")
                : "; is the address right, and the service up?";
        return new IOException(what + " '" + key + "' in " + where + ": " + failed.getMessage() + todo, failed);
    }

    @Override
    public void close() {
        client.close();
    }
}
