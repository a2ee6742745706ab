package dev.towtank.controllers.buckets.s3;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Keys of an object store, and how a request is signed with them.
public record S3Keys(String accessKey, String secretKey, String region) {

    public static final String USUAL_REGION = "us-east-1";

    /// Stands for the hash of a body that is not known when it begins to be sent.
    public static final String UNSIGNED = "UNSIGNED-PAYLOAD";

    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int DAY = 8;

    /// What is signed.
    ///
    /// @param host with its port, where the address has one
    /// @param path with its escapes
    /// @param query without
    /// @param headers that must not change on the way; by their names in lower case
    /// @param contentHash of the body, or what stands for it
    public record Call(
            String method,
            String host,
            String path,
            List<UriText.Parameter> query,
            Map<String, String> headers,
            String contentHash) {

        public Call {
            query = List.copyOf(query);
            headers = Map.copyOf(headers);
        }

        /// The query as it is sent, which is how it is signed.
        public String queryText() {
            return query.stream()
                    .map(each -> Map.entry(UriText.encode(each.name(), false), UriText.encode(each.value(), false)))
                    .sorted(Map.Entry.<String, String>comparingByKey().thenComparing(Map.Entry.comparingByValue()))
                    .map(each -> each.getKey() + "=" + each.getValue())
                    .collect(Collectors.joining("&"));
        }
    }

    /// The headers that such a request has, with those that show who sends it; without its host.
    public Map<String, String> signed(Call call, Instant now) {
        var moment = MOMENT.format(now);
        var scope = String.join("/", moment.substring(0, DAY), region, "s3", "aws4_request");
        var headers = new TreeMap<>(call.headers());
        headers.put("host", call.host());
        headers.put("x-amz-date", moment);
        headers.put("x-amz-content-sha256", call.contentHash());
        var names = String.join(";", headers.keySet());
        var canonical = String.join(
                "\n",
                call.method(),
                call.path(),
                call.queryText(),
                headers.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                        .map(header -> header.getKey() + ":" + header.getValue().strip() + "\n")
                        .collect(Collectors.joining()),
                names,
                call.contentHash());
        var signature = Signing.of(secretKey, moment, scope).ofRequest(canonical);
        headers.remove("host");
        headers.put(
                "authorization",
                Signing.ALGORITHM + " Credential=" + accessKey + "/" + scope + ", SignedHeaders=" + names
                        + ", Signature=" + signature);
        return headers;
    }

    @Override
    public String toString() {
        return "keys for " + region;
    }
}
