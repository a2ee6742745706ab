package dev.towtank.controllers.buckets.s3;

import dev.towtank.cluster.web.WebRequest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// How a request says who sends it: by a header, or by its address (a presigned URL).
///
/// @param moment when it was signed, as it was sent
/// @param validFor how long a presigned URL may be used
public record Authorization(
        String accessKey,
        String scope,
        List<String> signedHeaders,
        String signature,
        String moment,
        Optional<Duration> validFor) {

    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT);
    private static final Duration SKEW = Duration.ofMinutes(15);
    private static final long LONGEST = Duration.ofDays(7).toSeconds();
    private static final String CONTENT_HASH = "x-amz-content-sha256";
    private static final String UNSIGNED = "UNSIGNED-PAYLOAD";

    /// @throws S3Refusal where it does not say, or not so that anybody understands it
    public static Authorization read(WebRequest request) throws S3Refusal {
        var header = request.header("authorization");
        if (!header.isEmpty()) {
            return ofHeader(header, request);
        }
        if (!request.parameter("X-Amz-Algorithm").isEmpty()) {
            return ofQuery(request);
        }
        throw S3Refusal.denied("Access Denied: the request is not signed");
    }

    private static Authorization ofHeader(String header, WebRequest request) throws S3Refusal {
        if (!header.startsWith(Signing.ALGORITHM + " ")) {
            throw new S3Refusal(
                    400,
                    "InvalidRequest",
                    "The authorization mechanism you have provided is not supported. Please use " + Signing.ALGORITHM
                            + ".");
        }
        var fields = new HashMap<String, String>();
        for (var part : header.substring(Signing.ALGORITHM.length() + 1).split(",", -1)) {
            int sign = part.indexOf('=');
            if (sign > 0) {
                fields.put(
                        part.substring(0, sign).strip(),
                        part.substring(sign + 1).strip());
            }
        }
        return of(
                fields.getOrDefault("Credential", ""),
                fields.getOrDefault("SignedHeaders", ""),
                fields.getOrDefault("Signature", ""),
                request.header("x-amz-date"),
                Optional.empty());
    }

    private static Authorization ofQuery(WebRequest request) throws S3Refusal {
        if (!request.parameter("X-Amz-Algorithm").equals(Signing.ALGORITHM)) {
            throw malformed("X-Amz-Algorithm only supports \"" + Signing.ALGORITHM + "\"");
        }
        long seconds;
        try {
            seconds = Long.parseLong(request.parameter("X-Amz-Expires"));
        } catch (NumberFormatException e) {
            throw malformed("X-Amz-Expires should be a number");
        }
        if (seconds < 1 || seconds > LONGEST) {
            throw malformed("X-Amz-Expires must be between 1 and " + LONGEST + " seconds");
        }
        return of(
                request.parameter("X-Amz-Credential"),
                request.parameter("X-Amz-SignedHeaders"),
                request.parameter("X-Amz-Signature"),
                request.parameter("X-Amz-Date"),
                Optional.of(Duration.ofSeconds(seconds)));
    }

    private static Authorization of(
            String credential, String signedHeaders, String signature, String moment, Optional<Duration> validFor)
            throws S3Refusal {
        var parts = credential.split("/", 2);
        var scope = parts.length < 2 ? new String[0] : parts[1].split("/", -1);
        if (scope.length != 4 || !scope[2].equals("s3") || !scope[3].equals("aws4_request")) {
            throw malformed(
                    "the Credential is mal-formed; expecting " + "\"<YOUR-AKID>/YYYYMMDD/REGION/s3/aws4_request\"");
        }
        if (!moment.startsWith(scope[0] + "T")) {
            throw malformed("the date of the Credential is not the same as X-Amz-Date");
        }
        var names = List.of(signedHeaders.split(";", -1));
        if (signature.isEmpty() || !names.contains("host")) {
            throw malformed("it needs a Signature, and the host among SignedHeaders");
        }
        return new Authorization(parts[0], parts[1], names, signature, moment, validFor);
    }

    private static S3Refusal malformed(String why) {
        return new S3Refusal(
                400, "AuthorizationHeaderMalformed", "The authorization of the request is malformed; " + why);
    }

    /// The key that pieces of the body are signed with, too.
    ///
    /// @throws S3Refusal where it was signed with another secret, for another request, or at another time
    public Signing verified(WebRequest request, String secretKey, Instant now) throws S3Refusal {
        refuseUnsignedHeaders(request);
        refuseOtherTimes(now);
        var signing = Signing.of(secretKey, moment, scope);
        if (!Signing.isSame(signing.ofRequest(canonical(request)), signature)) {
            throw new S3Refusal(
                    403,
                    "SignatureDoesNotMatch",
                    "The request signature we calculated does not match the signature you provided. "
                            + "Check your key and signing method.");
        }
        return signing;
    }

    private void refuseUnsignedHeaders(WebRequest request) throws S3Refusal {
        for (var name : request.headers().keySet()) {
            boolean isSelfEvident = validFor.isEmpty() && name.equals(CONTENT_HASH);
            if (name.startsWith("x-amz-") && !signedHeaders.contains(name) && !isSelfEvident) {
                throw S3Refusal.denied("There were headers present in the request which were not signed: " + name);
            }
        }
    }

    private void refuseOtherTimes(Instant now) throws S3Refusal {
        var signed = signedAt();
        if (validFor.isPresent() && now.isAfter(signed.plus(validFor.get()))) {
            throw S3Refusal.denied("Request has expired");
        }
        if (signed.isAfter(now.plus(SKEW)) || (validFor.isEmpty() && signed.isBefore(now.minus(SKEW)))) {
            throw new S3Refusal(
                    403,
                    "RequestTimeTooSkewed",
                    "The difference between the request time and the current time is too large.");
        }
    }

    private Instant signedAt() throws S3Refusal {
        try {
            return LocalDateTime.parse(moment, MOMENT).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw malformed("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
        }
    }

    /// What the sender says about the body: its hash, or one of the words that stand for none.
    public String contentHash(WebRequest request) {
        var said = request.header(CONTENT_HASH);
        return said.isEmpty() && validFor.isPresent() ? UNSIGNED : said;
    }

    /// What is signed: everything about the request that must not be another.
    String canonical(WebRequest request) throws S3Refusal {
        var path = UriText.encode(UriText.decode(request.path()), true);
        var query = UriText.parameters(request.query()).stream()
                .filter(parameter -> !parameter.name().equals("X-Amz-Signature"))
                .map(parameter ->
                        Map.entry(UriText.encode(parameter.name(), false), UriText.encode(parameter.value(), false)))
                .sorted(Map.Entry.<String, String>comparingByKey().thenComparing(Map.Entry.comparingByValue()))
                .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                .collect(Collectors.joining("&"));
        var headers = signedHeaders.stream()
                .sorted(Comparator.naturalOrder())
                .map(name -> name + ":" + value(request, name) + "\n")
                .collect(Collectors.joining());
        return String.join(
                "\n", request.method(), path, query, headers, String.join(";", signedHeaders), contentHash(request));
    }

    private static String value(WebRequest request, String name) {
        return request.headers().getOrDefault(name, List.of()).stream()
                .map(value -> Arrays.stream(value.strip().split(" ", -1))
                        .filter(word -> !word.isEmpty())
                        .collect(Collectors.joining(" ")))
                .collect(Collectors.joining(","));
    }
}
