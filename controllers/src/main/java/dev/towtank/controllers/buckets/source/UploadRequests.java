package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.XmlText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is asked about uploads in parts.
final class UploadRequests {

    private static final int MOST_ENTRIES = 1000;

    WebResponse answer(Asked asked) throws IOException, S3Refusal {
        return switch (asked.request().method()) {
            case "POST" -> asked.has("uploads") ? begin(asked) : complete(asked);
            case "PUT" -> put(asked);
            case "GET" -> parts(asked);
            case "DELETE" -> {
                asked.bucket().uploads().abort(upload(asked));
                yield WebResponse.empty(204);
            }
            default -> throw S3Server.notAllowed();
        };
    }

    private static Uploads.Upload upload(Asked asked) throws S3Refusal {
        return asked.bucket().uploads().find(asked.parameter("uploadId"), asked.key());
    }

    private static WebResponse begin(Asked asked) throws IOException, S3Refusal {
        asked.refuseWhatIsNotDone();
        var upload = asked.bucket().uploads().begin(asked.key(), asked.kept());
        var xml = new XmlText("InitiateMultipartUploadResult", XmlText.NAMESPACE)
                .text("Bucket", asked.bucket().name())
                .text("Key", asked.key())
                .text("UploadId", upload.id());
        return S3Server.xml(200, xml);
    }

    private static WebResponse put(Asked asked) throws IOException, S3Refusal {
        int number = asked.number("partNumber", 0, 1, Integer.MAX_VALUE);
        if (number > Uploads.MOST_PARTS) {
            throw S3Refusal.invalid("Part number must be an integer between 1 and 10000, inclusive");
        }
        var upload = upload(asked);
        boolean isCopy = !asked.request().header("x-amz-copy-source").isEmpty();
        var part = isCopy ? copied(asked, upload, number) : received(asked, upload, number);
        var tag = "\"" + part.etag() + "\"";
        if (!isCopy) {
            return WebResponse.empty(200).with("ETag", tag);
        }
        var xml = new XmlText("CopyPartResult", XmlText.NAMESPACE)
                .text("LastModified", HttpDates.inDocument(part.modified()))
                .text("ETag", tag);
        return S3Server.xml(200, xml);
    }

    private static Uploads.Part received(Asked asked, Uploads.Upload upload, int number) throws IOException, S3Refusal {
        if (asked.body().announced() < 0) {
            throw new S3Refusal(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");
        }
        var piece = asked.bucket().receive(asked.body(), asked.body().announced());
        return kept(asked, upload, number, asked.body().etag(), piece);
    }

    private static Uploads.Part copied(Asked asked, Uploads.Upload upload, int number) throws IOException, S3Refusal {
        var source = ObjectRequests.source(asked);
        var range = ByteRange.of(asked.request().header("x-amz-copy-source-range"), source.size())
                .orElse(new ByteRange(0, source.size()));
        var piece = ObjectRequests.received(asked, source, range);
        return kept(asked, upload, number, asked.bucket().md5(piece), piece);
    }

    private static Uploads.Part kept(
            Asked asked, Uploads.Upload upload, int number, String etag, StoredObject.Piece piece)
            throws IOException, S3Refusal {
        var part = Optional.<Uploads.Part>empty();
        try {
            part = Optional.of(asked.bucket().uploads().put(upload, number, etag, piece));
            return part.get();
        } finally {
            if (part.isEmpty()) {
                asked.bucket().forget(List.of(piece));
            }
        }
    }

    private static WebResponse complete(Asked asked) throws IOException, S3Refusal {
        var document = XmlReading.read(asked.body(), "CompleteMultipartUpload", "Part", Uploads.MOST_PARTS);
        var named = new ArrayList<Uploads.Named>();
        for (var entry : document.entries()) {
            try {
                int number =
                        Integer.parseInt(entry.getOrDefault("PartNumber", "").strip());
                var tag = entry.getOrDefault("ETag", "").strip().replace("\"", "");
                named.add(new Uploads.Named(number, tag));
            } catch (NumberFormatException e) {
                throw S3Refusal.malformed("a part without a number");
            }
        }
        var upload = upload(asked);
        var object = asked.bucket().uploads().complete(upload, named, Precondition.of(asked.request()));
        var xml = new XmlText("CompleteMultipartUploadResult", XmlText.NAMESPACE)
                .text("Location", "/" + asked.bucket().name() + "/" + asked.key())
                .text("Bucket", asked.bucket().name())
                .text("Key", asked.key())
                .text("ETag", "\"" + object.etag() + "\"");
        return S3Server.xml(200, xml);
    }

    private static WebResponse parts(Asked asked) throws S3Refusal {
        var upload = upload(asked);
        int most = asked.number("max-parts", MOST_ENTRIES, 1, MOST_ENTRIES);
        int after = asked.number("part-number-marker", 0, 0, Uploads.MOST_PARTS);
        var rest = upload.parts().tailMap(after, false);
        var xml = new XmlText("ListPartsResult", XmlText.NAMESPACE)
                .text("Bucket", asked.bucket().name())
                .text("Key", asked.key())
                .text("UploadId", upload.id())
                .text("PartNumberMarker", after)
                .text("MaxParts", most);
        int last = after;
        int count = 0;
        for (var part : rest.values()) {
            if (count++ == most) {
                return S3Server.xml(200, xml.text("IsTruncated", "true").text("NextPartNumberMarker", last));
            }
            xml.begin("Part")
                    .text("PartNumber", part.number())
                    .text("LastModified", HttpDates.inDocument(part.modified()))
                    .text("ETag", "\"" + part.etag() + "\"")
                    .text("Size", part.piece().size())
                    .end();
            last = part.number();
        }
        return S3Server.xml(200, xml.text("IsTruncated", "false"));
    }

    /// All uploads under way in the bucket: there are never more than fit on one page.
    WebResponse list(Asked asked) throws S3Refusal {
        if (!asked.request().method().equals("GET")) {
            throw S3Server.notAllowed();
        }
        var prefix = asked.parameter("prefix");
        var xml = new XmlText("ListMultipartUploadsResult", XmlText.NAMESPACE)
                .text("Bucket", asked.bucket().name())
                .text("Prefix", prefix)
                .text("MaxUploads", MOST_ENTRIES)
                .text("IsTruncated", "false");
        for (var upload : asked.bucket().uploads().all()) {
            if (upload.key().startsWith(prefix)) {
                xml.begin("Upload")
                        .text("Key", upload.key())
                        .text("UploadId", upload.id())
                        .text("Initiated", HttpDates.inDocument(upload.begun()))
                        .end();
            }
        }
        return S3Server.xml(200, xml);
    }
}
