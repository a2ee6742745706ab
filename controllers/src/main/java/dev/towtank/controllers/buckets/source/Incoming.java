package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebRequest;
import dev.towtank.controllers.buckets.s3.Authorization;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.Signing;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/// The bytes of a body, checked against everything that was said about them: whoever reads to the end without a
/// [RefusedBody] has what the client meant.
final class Incoming extends InputStream {

    private static final String CHUNKED = "STREAMING-";
    private static final String CHUNKED_SIGNED = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
    private static final String CHUNKED_UNSIGNED = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
    private static final String TRAILER = "-TRAILER";

    private final WebRequest request;
    private final InputStream in;
    private final Optional<SignedChunks> chunks;
    private final String contentHash;
    private final long announced;
    private final MessageDigest md5 = Signing.digest("MD5");
    private final MessageDigest sha256 = Signing.digest("SHA-256");
    private final Optional<BodyChecksum> checksum;
    private final Optional<BodyChecksum.Sum> sum;
    private long count;
    private Optional<String> etag = Optional.empty();

    Incoming(WebRequest request, Authorization authorization, Signing signing) throws S3Refusal {
        this.request = request;
        contentHash = authorization.contentHash(request);
        chunks = chunks(authorization, signing);
        in = chunks.<InputStream>map(each -> each).orElse(request.body());
        announced = length(request.header(chunks.isPresent() ? "x-amz-decoded-content-length" : "content-length"));
        checksum = checksum(request);
        sum = checksum.map(BodyChecksum::begin);
    }

    private Optional<SignedChunks> chunks(Authorization authorization, Signing signing) throws S3Refusal {
        if (!contentHash.startsWith(CHUNKED)) {
            return Optional.empty();
        }
        var trailers = contentHash.endsWith(TRAILER);
        return switch (contentHash) {
            case CHUNKED_SIGNED, CHUNKED_SIGNED + TRAILER ->
                Optional.of(
                        new SignedChunks(request.body(), Optional.of(signing), authorization.signature(), trailers));
            case CHUNKED_UNSIGNED -> Optional.of(new SignedChunks(request.body(), Optional.empty(), "", true));
            default -> throw S3Refusal.notImplemented("x-amz-content-sha256: " + contentHash);
        };
    }

    private static long length(String header) throws S3Refusal {
        try {
            return header.isEmpty() ? -1 : Long.parseUnsignedLong(header);
        } catch (NumberFormatException e) {
            throw S3Refusal.invalid("no length: " + header);
        }
    }

    private static Optional<BodyChecksum> checksum(WebRequest request) throws S3Refusal {
        var trailer = request.header("x-amz-trailer");
        if (!trailer.isEmpty()) {
            return Optional.of(BodyChecksum.ofHeader(trailer)
                    .orElseThrow(() -> S3Refusal.notImplemented("x-amz-trailer: " + trailer)));
        }
        for (var each : BodyChecksum.values()) {
            if (!request.header(each.header()).isEmpty()) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /// −1 where nobody says.
    long announced() {
        return announced;
    }

    /// The MD5 of all of it, when it has been read.
    String etag() {
        return etag.orElseThrow();
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = etag.isPresent() ? -1 : in.read(bytes, offset, length);
        if (read >= 0) {
            count += read;
            if (announced >= 0 && count > announced) {
                throw incomplete();
            }
            md5.update(bytes, offset, read);
            if (chunks.isEmpty()) {
                sha256.update(bytes, offset, read);
            }
            sum.ifPresent(each -> each.update(bytes, offset, read));
        } else if (etag.isEmpty()) {
            verify();
        }
        return read;
    }

    private void verify() throws RefusedBody {
        if (announced >= 0 && count != announced) {
            throw incomplete();
        }
        boolean isHashed = chunks.isEmpty() && !contentHash.equals("UNSIGNED-PAYLOAD");
        if (isHashed && !contentHash.equals(HexFormat.of().formatHex(sha256.digest()))) {
            throw new RefusedBody(
                    400,
                    "XAmzContentSHA256Mismatch",
                    "The provided 'x-amz-content-sha256' header does not match what was computed.");
        }
        var hash = md5.digest();
        var said = request.header("content-md5");
        if (!said.isEmpty() && !said.equals(Base64.getEncoder().encodeToString(hash))) {
            throw badDigest("Content-MD5");
        }
        verifyChecksum();
        etag = Optional.of(HexFormat.of().formatHex(hash));
    }

    private void verifyChecksum() throws RefusedBody {
        if (checksum.isPresent() && sum.isPresent()) {
            var header = checksum.get().header();
            var trailer = chunks.map(SignedChunks::trailers).map(all -> all.getOrDefault(header, ""));
            var said = trailer.filter(text -> !text.isEmpty()).orElse(request.header(header));
            if (!said.equals(BodyChecksum.text(sum.get().value()))) {
                throw badDigest(header);
            }
        }
    }

    private static RefusedBody incomplete() {
        return new RefusedBody(
                400,
                "IncompleteBody",
                "You did not provide the number of bytes specified by the Content-Length HTTP header");
    }

    private static RefusedBody badDigest(String header) {
        return new RefusedBody(400, "BadDigest", "The " + header + " you specified did not match what we received.");
    }
}
