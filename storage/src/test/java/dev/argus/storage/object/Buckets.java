package dev.argus.storage.object;

import dev.argus.testkit.s3.S3Server;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** How tests reach the bucket of a real S3 server. */
final class Buckets {
    /** What it knows its client by. */
    static final AwsCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create(S3Server.NAME, S3Server.SECRET));

    private Buckets() {}

    /** The bucket, with little patience. */
    static S3Address of(S3Server server, String prefix) {
        return new S3Address(
                S3Server.BUCKET, prefix, server.address(), 5L << 20, Duration.ofSeconds(20), Duration.ofSeconds(40));
    }
}
