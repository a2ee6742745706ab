package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.buckets.s3.Listing;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.UriText;
import dev.towtank.controllers.buckets.s3.XmlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;

/// What is asked about a bucket as a whole.
final class BucketRequests {

    private static final int MOST_KEYS = 1000;

    WebResponse answer(Asked asked) throws IOException, S3Refusal {
        return switch (asked.request().method()) {
            case "HEAD" -> WebResponse.empty(200).with("x-amz-bucket-region", "us-east-1");
            case "GET" -> get(asked);
            case "POST" -> {
                if (!asked.has("delete")) {
                    throw S3Server.notAllowed();
                }
                yield deleteMany(asked);
            }
            default -> throw refusal(asked.request().method());
        };
    }

    /// Why nobody does that to a claim's bucket.
    static S3Refusal refusal(String method) {
        return switch (method) {
            case "PUT" ->
                new S3Refusal(
                        409,
                        "BucketAlreadyOwnedByYou",
                        "Your previous request to create the named bucket succeeded and you already own it.");
            case "DELETE" ->
                S3Refusal.denied(
                        "Access Denied: the bucket belongs to an ObjectBucketClaim; delete that to delete the bucket");
            default -> S3Server.notAllowed();
        };
    }

    /// All buckets of whoever asks.
    WebResponse own(List<String> names) {
        var xml = new XmlText("ListAllMyBucketsResult", XmlText.NAMESPACE)
                .begin("Owner")
                .text("ID", names.getFirst())
                .end()
                .begin("Buckets");
        for (var name : names) {
            xml.begin("Bucket")
                    .text("Name", name)
                    .text("CreationDate", HttpDates.inDocument(Instant.EPOCH))
                    .end();
        }
        return S3Server.xml(200, xml);
    }

    private static WebResponse get(Asked asked) throws S3Refusal {
        if (asked.has("location")) {
            return S3Server.xml(200, new XmlText("LocationConstraint", XmlText.NAMESPACE));
        }
        if (asked.has("versioning")) {
            return S3Server.xml(200, new XmlText("VersioningConfiguration", XmlText.NAMESPACE));
        }
        return list(asked, asked.parameter("list-type").equals("2"));
    }

    private static WebResponse list(Asked asked, boolean isSecond) throws S3Refusal {
        int limit = asked.number("max-keys", MOST_KEYS, 0, MOST_KEYS);
        var token = asked.parameter("continuation-token");
        var after =
                isSecond ? token.isEmpty() ? asked.parameter("start-after") : key(token) : asked.parameter("marker");
        var listing = new Listing(asked.parameter("prefix"), asked.parameter("delimiter"), after, limit);
        var page = limit == 0
                ? new Listing.Page<StoredObject>(List.of(), List.of(), "")
                : listing.of(asked.bucket().objects());
        var isEncoded = asked.parameter("encoding-type").equals("url");
        UnaryOperator<String> encoded = text -> isEncoded ? UriText.encode(text, true) : text;

        var xml = new XmlText("ListBucketResult", XmlText.NAMESPACE)
                .text("Name", asked.bucket().name())
                .text("Prefix", encoded.apply(listing.prefix()))
                .text("MaxKeys", limit)
                .text("IsTruncated", String.valueOf(page.isTruncated()));
        if (!listing.delimiter().isEmpty()) {
            xml.text("Delimiter", encoded.apply(listing.delimiter()));
        }
        if (isEncoded) {
            xml.text("EncodingType", "url");
        }
        position(xml, asked, page, isSecond, encoded);
        for (var object : page.objects()) {
            xml.begin("Contents")
                    .text("Key", encoded.apply(object.key()))
                    .text("LastModified", HttpDates.inDocument(object.modified()))
                    .text("ETag", "\"" + object.etag() + "\"")
                    .text("Size", object.size())
                    .text("StorageClass", "STANDARD")
                    .end();
        }
        for (var prefix : page.prefixes()) {
            xml.begin("CommonPrefixes").text("Prefix", encoded.apply(prefix)).end();
        }
        return S3Server.xml(200, xml);
    }

    private static void position(
            XmlText xml,
            Asked asked,
            Listing.Page<StoredObject> page,
            boolean isSecond,
            UnaryOperator<String> encoded) {
        if (isSecond) {
            xml.text("KeyCount", page.objects().size() + page.prefixes().size());
            if (asked.has("continuation-token")) {
                xml.text("ContinuationToken", asked.parameter("continuation-token"));
            }
            if (asked.has("start-after")) {
                xml.text("StartAfter", encoded.apply(asked.parameter("start-after")));
            }
            if (page.isTruncated()) {
                xml.text("NextContinuationToken", token(page.next()));
            }
        } else {
            xml.text("Marker", encoded.apply(asked.parameter("marker")));
            if (page.isTruncated()) {
                xml.text("NextMarker", encoded.apply(page.next()));
            }
        }
    }

    private static String token(String key) {
        return Base64.getUrlEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    private static String key(String token) throws S3Refusal {
        try {
            return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw S3Refusal.invalid("The continuation token provided is incorrect");
        }
    }

    private static WebResponse deleteMany(Asked asked) throws IOException, S3Refusal {
        var document = XmlReading.read(asked.body(), "Delete", "Object", MOST_KEYS);
        boolean isQuiet = document.texts().getOrDefault("Quiet", "").equals("true");
        var xml = new XmlText("DeleteResult", XmlText.NAMESPACE);
        for (var entry : document.entries()) {
            var key = entry.getOrDefault("Key", "");
            if (entry.containsKey("VersionId")) {
                xml.begin("Error").text("Key", key).text("Code", "NotImplemented");
                xml.text("Message", "VersionId is not implemented here").end();
                continue;
            }
            asked.bucket().delete(key);
            if (!isQuiet) {
                xml.begin("Deleted").text("Key", key).end();
            }
        }
        return S3Server.xml(200, xml);
    }
}
