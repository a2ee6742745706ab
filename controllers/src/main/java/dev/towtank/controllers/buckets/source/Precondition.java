package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebRequest;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;

/// Under which a request is to be carried out, by what is there when it is.
///
/// @param match tags of which it must have one; `*` is any; empty for no condition
/// @param noneMatch tags of which it must have none
record Precondition(String match, String noneMatch) {

    static final Precondition NONE = new Precondition("", "");

    static Precondition of(WebRequest request) {
        return new Precondition(request.header("if-match"), request.header("if-none-match"));
    }

    /// Before something is written.
    void require(Optional<StoredObject> there) throws S3Refusal {
        if (!match.isEmpty() && there.isEmpty()) {
            throw S3Refusal.noSuchKey();
        }
        if (!match.isEmpty() && !names(match, there)) {
            throw S3Refusal.preconditionFailed();
        }
        if (!noneMatch.isEmpty() && names(noneMatch, there)) {
            throw S3Refusal.preconditionFailed();
        }
    }

    /// Before something is read; the conditions on time count where none on tags do.
    void requireToRead(StoredObject there, WebRequest request) throws S3Refusal {
        var known = Optional.of(there);
        var second = there.modified().truncatedTo(ChronoUnit.SECONDS);
        boolean isUnmodified = instant(request.header("if-unmodified-since"))
                .map(moment -> !second.isAfter(moment))
                .orElse(true);
        if (match.isEmpty() ? !isUnmodified : !names(match, known)) {
            throw S3Refusal.preconditionFailed();
        }
        boolean isModified = instant(request.header("if-modified-since"))
                .map(second::isAfter)
                .orElse(true);
        if (noneMatch.isEmpty() ? !isModified : names(noneMatch, known)) {
            throw new S3Refusal(304, "NotModified", "Not Modified");
        }
    }

    private static boolean names(String tags, Optional<StoredObject> there) {
        return there.filter(object -> Arrays.stream(tags.split(",", -1))
                        .map(tag -> tag.strip().replace("\"", ""))
                        .anyMatch(tag -> tag.equals("*") || tag.equals(object.etag())))
                .isPresent();
    }

    private static Optional<Instant> instant(String header) {
        try {
            return header.isEmpty()
                    ? Optional.empty()
                    : Optional.of(ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty(); // as HTTP has it: a date that is none is no condition
        }
    }
}
