package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.S3Refusal;
import java.util.Optional;
import java.util.regex.Pattern;

/// A part of an object.
///
/// @param first the position of its first byte
record ByteRange(long first, long length) {

    private static final Pattern FORM = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    /// Nothing where the whole is wanted, or what is said is no single range: HTTP lets a server send the whole then.
    static Optional<ByteRange> of(String header, long size) throws S3Refusal {
        var match = FORM.matcher(header);
        if (!match.matches() || header.equals("bytes=-")) {
            return Optional.empty();
        }
        long first = match.group(1).isEmpty()
                ? Math.max(0, size - Long.parseLong(match.group(2)))
                : Long.parseLong(match.group(1));
        long last = match.group(1).isEmpty() || match.group(2).isEmpty()
                ? size - 1
                : Math.min(size - 1, Long.parseLong(match.group(2)));
        if (first >= size) {
            throw new S3Refusal(416, "InvalidRange", "The requested range is not satisfiable");
        }
        return last < first ? Optional.empty() : Optional.of(new ByteRange(first, last - first + 1));
    }

    String header(long size) {
        return "bytes " + first + "-" + (first + length - 1) + "/" + size;
    }
}
