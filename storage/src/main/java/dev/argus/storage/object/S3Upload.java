package dev.argus.storage.object;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** One file in parts; what fails is aborted, so that no part is left to be paid for. Holds one part in memory. */
final class S3Upload {
    private static final int MOST_PARTS = 10_000;

    private final S3Client client;
    private final S3Address address;
    private final String key;

    S3Upload(S3Client client, S3Address address, String key) {
        this.client = client;
        this.address = address;
        this.key = key;
    }

    void send(Path file, long length) throws IOException {
        long partBytes = Math.max(address.partBytes(), Math.ceilDiv(length, MOST_PARTS));
        if (partBytes > Integer.MAX_VALUE) {
            throw new IOException("'" + key + "' has " + length + " bytes, which is too long");
        }
        String upload = client.createMultipartUpload(
                        r -> r.bucket(address.bucket()).key(key))
                .uploadId();
        boolean done = false;
        try {
            List<CompletedPart> parts = parts(file, (int) partBytes, upload);
            client.completeMultipartUpload(
                    r -> r.bucket(address.bucket()).key(key).uploadId(upload).multipartUpload(m -> m.parts(parts)));
            done = true;
        } finally {
            if (!done) {
                abort(upload);
            }
        }
    }

    private List<CompletedPart> parts(Path file, int partBytes, String upload) throws IOException {
        List<CompletedPart> parts = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            for (byte[] part = in.readNBytes(partBytes); part.length > 0; part = in.readNBytes(partBytes)) {
                int number = parts.size() + 1;
                String tag = client.uploadPart(
                                r -> r.bucket(address.bucket())
                                        .key(key)
                                        .uploadId(upload)
                                        .partNumber(number),
                                RequestBody.fromBytes(part))
                        .eTag();
                parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
            }
        }
        return parts;
    }

    private void abort(String upload) {
        try {
            client.abortMultipartUpload(r -> r.bucket(address.bucket()).key(key).uploadId(upload));
        } catch (SdkException alsoFailed) {
            // the first failure is the one to tell
        }
    }
}
