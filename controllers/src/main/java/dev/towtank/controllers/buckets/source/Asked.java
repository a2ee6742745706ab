package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebRequest;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.UriText;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A request of somebody who may make it.
///
/// @param key of an object; empty for the bucket itself
/// @param query without escapes
record Asked(WebRequest request, Bucket bucket, String key, Map<String, String> query, Incoming body) {

    private static final int LONGEST_KEY = 1024;
    private static final int LARGEST_METADATA = 8192;

    /// What S3 keeps with an object and sends again.
    private static final List<String> KEPT = List.of(
            "content-type", "cache-control", "content-disposition", "content-encoding", "content-language", "expires");

    /// What would change the meaning of the request, and does not exist here.
    private static final List<String> REFUSED = List.of(
            "x-amz-server-side-encryption",
            "x-amz-tagging",
            "x-amz-object-lock-",
            "x-amz-grant-",
            "x-amz-website-redirect-location",
            "x-amz-mfa",
            "x-amz-write-offset-bytes");

    /// Bucket and key of a path.
    record Target(String bucket, String key) {

        static Target of(String path) throws S3Refusal {
            int slash = path.indexOf('/', 1);
            var bucket = UriText.decode(path.substring(1, slash < 0 ? path.length() : slash));
            var key = slash < 0 ? "" : UriText.decode(path.substring(slash + 1));
            if (key.getBytes(StandardCharsets.UTF_8).length > LONGEST_KEY) {
                throw new S3Refusal(400, "KeyTooLongError", "Your key is too long");
            }
            return new Target(bucket, key);
        }
    }

    Asked {
        query = Map.copyOf(query);
    }

    boolean has(String parameter) {
        return query.containsKey(parameter);
    }

    String parameter(String name) {
        return query.getOrDefault(name, "");
    }

    /// A whole number in a query.
    int number(String parameter, int fallback, int least, int most) throws S3Refusal {
        var text = parameter(parameter);
        try {
            int number = text.isEmpty() ? fallback : Integer.parseInt(text);
            if (number >= least) {
                return Math.min(number, most);
            }
        } catch (NumberFormatException e) {
            // as a number that is too small
        }
        throw S3Refusal.invalid(parameter + " must be a number from " + least + " to " + most);
    }

    static Map<String, String> query(String text) throws S3Refusal {
        var query = new HashMap<String, String>();
        for (var parameter : UriText.parameters(text)) {
            query.putIfAbsent(parameter.name(), parameter.value());
        }
        return query;
    }

    /// What is kept with an object that this request writes.
    Map<String, String> kept() throws S3Refusal {
        var kept = new HashMap<String, String>();
        int size = 0;
        for (var name : request.headers().keySet()) {
            var value = String.join(",", request.headers().getOrDefault(name, List.of()));
            if (name.startsWith("x-amz-meta-")) {
                size += name.length() + value.length();
                kept.put(name, value);
            } else if (KEPT.contains(name)) {
                kept.put(name, value);
            }
        }
        if (size > LARGEST_METADATA) {
            throw new S3Refusal(
                    400, "MetadataTooLarge", "Your metadata headers exceed the maximum allowed metadata size");
        }
        var encoding = kept.getOrDefault("content-encoding", "");
        if (encoding.equals("aws-chunked")) {
            kept.remove("content-encoding");
        } else if (encoding.startsWith("aws-chunked,")) {
            kept.put(
                    "content-encoding",
                    encoding.substring("aws-chunked,".length()).strip());
        }
        kept.putIfAbsent("content-type", "binary/octet-stream");
        return kept;
    }

    void refuseWhatIsNotDone() throws S3Refusal {
        refuseWhatIsNotDone(request);
    }

    /// @throws S3Refusal for a header that means something which is not done here
    static void refuseWhatIsNotDone(WebRequest request) throws S3Refusal {
        for (var name : request.headers().keySet()) {
            if (REFUSED.stream().anyMatch(name::startsWith)) {
                throw S3Refusal.notImplemented("the header " + name);
            }
        }
        var access = request.header("x-amz-acl");
        if (!List.of("", "private", "bucket-owner-full-control").contains(access)) {
            throw S3Refusal.notImplemented("x-amz-acl: " + access);
        }
        var storage = request.header("x-amz-storage-class");
        if (!List.of("", "STANDARD").contains(storage)) {
            throw S3Refusal.notImplemented("x-amz-storage-class: " + storage);
        }
    }
}
