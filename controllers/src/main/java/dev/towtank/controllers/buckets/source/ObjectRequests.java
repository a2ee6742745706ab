package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.XmlText;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What is asked about one object.
final class ObjectRequests {

    private static final String COPY = "x-amz-copy-source";

    /// What a reader may have another way, by the name of the parameter that says so.
    private static final Map<String, String> OVERRIDES = Map.of(
            "response-content-type", "content-type",
            "response-content-language", "content-language",
            "response-expires", "expires",
            "response-cache-control", "cache-control",
            "response-content-disposition", "content-disposition",
            "response-content-encoding", "content-encoding");

    WebResponse answer(Asked asked) throws IOException, S3Refusal {
        return switch (asked.request().method()) {
            case "PUT" -> asked.request().header(COPY).isEmpty() ? put(asked) : copy(asked);
            case "GET" -> asked.has("tagging") ? noTags(asked) : read(asked, true);
            case "HEAD" -> read(asked, false);
            case "DELETE" -> delete(asked);
            default -> throw S3Server.notAllowed();
        };
    }

    private static WebResponse put(Asked asked) throws IOException, S3Refusal {
        asked.refuseWhatIsNotDone();
        var headers = asked.kept();
        var condition = Precondition.of(asked.request());
        condition.require(asked.bucket().find(asked.key())); // before the bytes are sent; and again behind them
        if (asked.body().announced() < 0) {
            throw new S3Refusal(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");
        }
        var piece = asked.bucket().receive(asked.body(), asked.body().announced());
        var object = keep(asked, asked.body().etag(), headers, List.of(piece), condition);
        return WebResponse.empty(200).with("ETag", "\"" + object.etag() + "\"");
    }

    private static StoredObject keep(
            Asked asked,
            String etag,
            Map<String, String> headers,
            List<StoredObject.Piece> pieces,
            Precondition condition)
            throws IOException, S3Refusal {
        boolean isKept = false;
        try {
            var object = asked.bucket().put(asked.key(), etag, headers, pieces, condition);
            isKept = true;
            return object;
        } finally {
            if (!isKept) {
                asked.bucket().forget(pieces);
            }
        }
    }

    private static WebResponse read(Asked asked, boolean withBytes) throws IOException, S3Refusal {
        var object = asked.bucket().find(asked.key()).orElseThrow(S3Refusal::noSuchKey);
        Precondition.of(asked.request()).requireToRead(object, asked.request());
        var range = ByteRange.of(asked.request().header("range"), object.size());
        var wanted = range.orElse(new ByteRange(0, object.size()));
        WebResponse.Body body = withBytes ? new ObjectBody(asked.bucket(), object, wanted) : _ -> {};
        var response = new WebResponse(range.isPresent() ? 206 : 200, List.of(), wanted.length(), body);
        if (range.isPresent()) {
            response = response.with("Content-Range", wanted.header(object.size()));
        }
        return S3Server.described(response, object, headers(asked, object));
    }

    private static WebResponse noTags(Asked asked) throws S3Refusal {
        if (asked.bucket().find(asked.key()).isEmpty()) {
            throw S3Refusal.noSuchKey();
        }
        return S3Server.xml(200, new XmlText("Tagging", XmlText.NAMESPACE).begin("TagSet"));
    }

    private static Map<String, String> headers(Asked asked, StoredObject object) {
        var headers = new HashMap<>(object.headers());
        OVERRIDES.forEach((parameter, header) -> {
            var wanted = asked.parameter(parameter);
            if (!wanted.isEmpty() && wanted.chars().allMatch(each -> each >= ' ' && each < 0x7f)) {
                headers.put(header, wanted);
            }
        });
        return headers;
    }

    private static WebResponse delete(Asked asked) throws IOException, S3Refusal {
        var condition = Precondition.of(asked.request());
        if (!condition.equals(Precondition.NONE)) {
            condition.require(asked.bucket().find(asked.key()));
        }
        asked.bucket().delete(asked.key());
        return WebResponse.empty(204);
    }

    /// What a copy is made of.
    ///
    /// @throws S3Refusal it is in another bucket
    static Asked.Target requireOwn(String header, String bucket) throws S3Refusal {
        var path = header.startsWith("/") ? header : "/" + header;
        if (path.contains("?versionId=")) {
            throw S3Refusal.notImplemented("versionId of " + COPY);
        }
        var source = Asked.Target.of(path);
        if (!source.bucket().equals(bucket)) {
            throw S3Refusal.denied(
                    "Access Denied: these keys open the bucket " + bucket + " alone, and " + COPY + " names another");
        }
        return source;
    }

    static void refuseConditions(WebRequest request) throws S3Refusal {
        for (var name : request.headers().keySet()) {
            if (name.startsWith(COPY + "-if-")) {
                throw S3Refusal.notImplemented("the header " + name);
            }
        }
    }

    /// The object that a copy is made of; only ever in the same bucket, which is all that the keys open.
    static StoredObject source(Asked asked) throws S3Refusal {
        var header = asked.request().header(COPY);
        var source = requireOwn(header, asked.bucket().name());
        refuseConditions(asked.request());
        return asked.bucket().find(source.key()).orElseThrow(S3Refusal::noSuchKey);
    }

    private static WebResponse copy(Asked asked) throws IOException, S3Refusal {
        asked.refuseWhatIsNotDone();
        var source = source(asked);
        boolean isReplaced = asked.request().header("x-amz-metadata-directive").equals("REPLACE");
        if (source.key().equals(asked.key()) && !isReplaced) {
            throw new S3Refusal(
                    400,
                    "InvalidRequest",
                    "This copy request is illegal because it is trying to copy an object to itself without changing "
                            + "the object's metadata.");
        }
        var headers = isReplaced ? asked.kept() : source.headers();
        var piece = received(asked, source, new ByteRange(0, source.size()));
        var object = keep(asked, source.etag(), headers, List.of(piece), Precondition.of(asked.request()));
        var xml = new XmlText("CopyObjectResult", XmlText.NAMESPACE)
                .text("LastModified", HttpDates.inDocument(object.modified()))
                .text("ETag", "\"" + object.etag() + "\"");
        return S3Server.xml(200, xml);
    }

    /// The bytes of another object, kept once more.
    static StoredObject.Piece received(Asked asked, StoredObject source, ByteRange range)
            throws IOException, S3Refusal {
        return asked.bucket().copied(new ObjectBody(asked.bucket(), source, range), range.length());
    }
}
