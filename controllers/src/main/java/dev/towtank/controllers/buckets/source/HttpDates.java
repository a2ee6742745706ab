package dev.towtank.controllers.buckets.source;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Moments as they are written in headers and documents.
final class HttpDates {

    private static final DateTimeFormatter HEADER = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DOCUMENT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private HttpDates() {}

    static String text(Instant moment) {
        return HEADER.format(moment);
    }

    static String inDocument(Instant moment) {
        return DOCUMENT.format(moment);
    }
}
