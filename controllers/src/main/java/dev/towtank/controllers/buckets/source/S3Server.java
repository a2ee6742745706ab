package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebHandler;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.buckets.s3.Authorization;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.XmlText;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// S3 with buckets in the path, for those who have keys: everybody sees one bucket, their own.
final class S3Server implements WebHandler {

    private static final System.Logger LOG = System.getLogger(S3Server.class.getName());

    /// Parts of a bucket or an object that S3 has and this server has not.
    private static final List<String> NOT_DONE = List.of(
            "acl",
            "accelerate",
            "analytics",
            "attributes",
            "cors",
            "encryption",
            "intelligent-tiering",
            "inventory",
            "legal-hold",
            "lifecycle",
            "logging",
            "metrics",
            "notification",
            "object-lock",
            "ownershipControls",
            "policy",
            "policyStatus",
            "publicAccessBlock",
            "replication",
            "requestPayment",
            "restore",
            "retention",
            "select",
            "tagging",
            "torrent",
            "versionId",
            "versions",
            "website",
            "append",
            "partNumber");

    private final BucketStore store;
    private final InstantSource clock;
    private final ObjectRequests objects = new ObjectRequests();
    private final BucketRequests buckets = new BucketRequests();
    private final UploadRequests uploads = new UploadRequests();

    S3Server(BucketStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    static WebResponse xml(int status, XmlText xml) {
        return WebResponse.of(status, "application/xml", xml.done().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public WebResponse handle(WebRequest request) throws IOException, InterruptedException {
        return answer(request).with("x-amz-request-id", UUID.randomUUID().toString());
    }

    private WebResponse answer(WebRequest request) throws IOException {
        try {
            return answerOrRefuse(request);
        } catch (S3Refusal e) {
            return e.response(request.path());
        } catch (RefusedBody e) {
            return e.refusal().response(request.path());
        } catch (WebRequest.TooLarge e) {
            return new S3Refusal(400, "EntityTooLarge", String.valueOf(e.getMessage())).response(request.path());
        } catch (FileSystemException e) {
            LOG.log(Level.ERROR, "the object store cannot use its files", e);
            return new S3Refusal(500, "InternalError", "We encountered an internal error. Please try again.")
                    .response(request.path());
        }
    }

    private WebResponse answerOrRefuse(WebRequest request) throws IOException, S3Refusal {
        var authorization = Authorization.read(request);
        var grant = store.grant(authorization.accessKey())
                .orElseThrow(() -> new S3Refusal(
                        403,
                        "InvalidAccessKeyId",
                        "The AWS Access Key Id you provided does not exist in our records."));
        var signing = authorization.verified(request, grant.secretKey(), clock.instant());
        var target = Asked.Target.of(request.path());
        if (target.bucket().isEmpty()) {
            if (!request.method().equals("GET")) {
                throw notAllowed();
            }
            return own(grant);
        }
        if (!target.bucket().equals(grant.bucket())) {
            // Whether it exists is nobody's business who has no keys for it.
            throw S3Refusal.denied("Access Denied: these keys open the bucket " + grant.bucket() + " alone");
        }
        var asked = new Asked(
                request,
                store.bucket(grant.bucket()),
                target.key(),
                Asked.query(request.query()),
                new Incoming(request, authorization, signing));
        return route(asked);
    }

    private WebResponse own(Grant grant) throws IOException {
        return buckets.own(store.bucket(grant.bucket()));
    }

    static S3Refusal notAllowed() {
        return new S3Refusal(405, "MethodNotAllowed", "The specified method is not allowed against this resource.");
    }

    private WebResponse route(Asked asked) throws IOException, S3Refusal {
        boolean isUpload = asked.has("uploads") || asked.has("uploadId");
        for (var name : NOT_DONE) {
            if (asked.has(name) && !(isUpload && name.equals("partNumber")) && !isAboutTags(asked, name)) {
                throw S3Refusal.notImplemented("?" + name);
            }
        }
        if (asked.key().isEmpty()) {
            return isUpload ? uploads.list(asked) : buckets.answer(asked);
        }
        return isUpload ? uploads.answer(asked) : objects.answer(asked);
    }

    /// Whoever copies an object asks for its tags: it has none, and that can be said.
    private static boolean isAboutTags(Asked asked, String name) {
        return name.equals("tagging")
                && !asked.key().isEmpty()
                && asked.request().method().equals("GET");
    }

    /// Headers that describe an object.
    static WebResponse described(WebResponse response, StoredObject object, Map<String, String> headers) {
        var described = response.with("ETag", "\"" + object.etag() + "\"")
                .with("Last-Modified", HttpDates.text(object.modified()))
                .with("Accept-Ranges", "bytes");
        for (var header : headers.entrySet()) {
            described = described.with(header.getKey(), header.getValue());
        }
        return described;
    }
}
