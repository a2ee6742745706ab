package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.Signing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The bytes within a body that comes in pieces (`aws-chunked`): each with its length, often with a signature that
/// goes
/// on from the one before, and headers behind the last.
final class SignedChunks extends InputStream {

    private static final int LONGEST_LINE = 8192;
    private static final int MOST_TRAILERS = 16;
    private static final long LARGEST_CHUNK = 1L << 30;
    private static final String SIGNATURE = ";chunk-signature=";
    private static final String TRAILER_SIGNATURE = "x-amz-trailer-signature";

    private final InputStream in;
    private final Optional<Signing> signing;
    private final boolean hasTrailers;
    private final Map<String, String> trailers = new HashMap<>();
    private String before;
    private String expected = "";
    private MessageDigest digest = Signing.digest("SHA-256");
    private long left;
    private boolean isFirst = true;
    private boolean isEnded;

    /// @param signing empty where the pieces are not signed
    /// @param seed the signature of the request
    SignedChunks(InputStream in, Optional<Signing> signing, String seed, boolean hasTrailers) {
        this.in = in;
        this.signing = signing;
        this.before = seed;
        this.hasTrailers = hasTrailers;
    }

    /// By their names in lower case, when the bytes have been read to their end.
    Map<String, String> trailers() {
        return Map.copyOf(trailers);
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (left == 0 && !isEnded) {
            next();
        }
        if (isEnded) {
            return -1;
        }
        int read = in.read(bytes, offset, (int) Math.min(length, left));
        if (read < 0) {
            throw incomplete();
        }
        digest.update(bytes, offset, read);
        left -= read;
        return read;
    }

    private void next() throws IOException {
        if (!isFirst) {
            if (!line().isEmpty()) {
                throw malformed("a piece is longer than it says");
            }
            verifyPiece();
        }
        isFirst = false;
        var header = line();
        int mark = header.indexOf(';');
        left = length(mark < 0 ? header : header.substring(0, mark));
        expected = mark >= 0 && header.startsWith(SIGNATURE, mark) ? header.substring(mark + SIGNATURE.length()) : "";
        if (left == 0) {
            verifyPiece();
            end();
        }
    }

    private static long length(String text) throws IOException {
        try {
            long length = HexFormat.fromHexDigitsToLong(text);
            if (text.isEmpty() || length < 0 || length > LARGEST_CHUNK) {
                throw malformed("a piece of " + text + " bytes");
            }
            return length;
        } catch (IllegalArgumentException e) {
            throw malformed("a piece without a length");
        }
    }

    private void verifyPiece() throws IOException {
        var hash = HexFormat.of().formatHex(digest.digest());
        digest = Signing.digest("SHA-256");
        if (signing.isPresent()) {
            var right = signing.get().ofChunk(before, hash);
            if (!Signing.isSame(right, expected)) {
                throw mismatch();
            }
            before = right;
        }
    }

    private void end() throws IOException {
        var signed = new StringBuilder();
        var signature = "";
        for (var line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (!hasTrailers || colon < 0 || trailers.size() == MOST_TRAILERS) {
                throw malformed("there is more behind the last piece");
            }
            var name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            var value = line.substring(colon + 1).strip();
            if (name.equals(TRAILER_SIGNATURE)) {
                signature = value;
            } else {
                trailers.put(name, value);
                signed.append(name).append(':').append(value).append('\n');
            }
        }
        if (hasTrailers
                && signing.isPresent()
                && !Signing.isSame(signing.get().ofTrailer(before, signed.toString()), signature)) {
            throw mismatch();
        }
        isEnded = true;
    }

    /// Up to the end of a line; the body's own end is one.
    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int each = in.read(); each >= 0 && each != '\n'; each = in.read()) {
            if (line.size() == LONGEST_LINE) {
                throw malformed("a line without an end");
            }
            line.write(each);
        }
        return line.toString(StandardCharsets.US_ASCII).stripTrailing();
    }

    private static RefusedBody malformed(String why) {
        return new RefusedBody(400, "InvalidRequest", "The body is not in the form aws-chunked: " + why);
    }

    private static RefusedBody incomplete() {
        return new RefusedBody(
                400,
                "IncompleteBody",
                "You did not provide the number of bytes specified by the Content-Length HTTP header");
    }

    private static RefusedBody mismatch() {
        return new RefusedBody(
                403,
                "SignatureDoesNotMatch",
                "The signature of a piece of the body does not match the signature you provided.");
    }
}
