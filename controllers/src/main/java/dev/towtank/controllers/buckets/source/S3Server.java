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
    private final Gateway gateway;

    /// @param gateway to buckets that are elsewhere
    S3Server(BucketStore store, Gateway gateway, InstantSource clock) {
        this.store = store;
        this.gateway = gateway;
        this.clock = clock;
    }

    static WebResponse xml(int status, XmlText xml) {
        return WebResponse.of(status, "application/xml", xml.done().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public WebResponse handle(WebRequest request) throws IOException, InterruptedException {
        return answer(request).with("x-amz-request-id", UUID.randomUUID().toString());
    }

    private WebResponse answer(WebRequest request) throws IOException, InterruptedException {
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

    private WebResponse answerOrRefuse(WebRequest request) throws IOException, InterruptedException, S3Refusal {
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
        var body = new Incoming(request, authorization, signing);
        var query = Asked.query(request.query());
        if (grant.outside().isPresent()) {
            requireOwn(grant, target.bucket());
            refuseWhatIsNotDone(target, query, request.method());
            return gateway.answer(grant.outside().get(), new Gateway.Passed(request, target, query, body));
        }
        if (grant.more() > 0 && target.key().isEmpty()) {
            var answer = new FurtherBuckets(store).answer(grant, target.bucket(), request.method(), query);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        requireOwn(grant, target.bucket());
        return route(new Asked(request, store.bucket(target.bucket()), target.key(), query, body));
    }

    private void requireOwn(Grant grant, String bucket) throws IOException, S3Refusal {
        if (bucket.equals(grant.bucket())) {
            return;
        }
        if (grant.more() == 0 || !store.bucketsOf(grant.claim()).contains(bucket)) {
            // Whether it exists is nobody's business who has no keys for it.
            throw S3Refusal.denied("Access Denied: these keys open the bucket " + grant.bucket() + " alone");
        }
    }

    private WebResponse own(Grant grant) throws IOException {
        return buckets.own(grant.more() == 0 ? List.of(grant.bucket()) : store.bucketsOf(grant.claim()));
    }

    static S3Refusal notAllowed() {
        return new S3Refusal(405, "MethodNotAllowed", "The specified method is not allowed against this resource.");
    }

    private WebResponse route(Asked asked) throws IOException, S3Refusal {
        refuseWhatIsNotDone(
                new Asked.Target(asked.bucket().name(), asked.key()),
                asked.query(),
                asked.request().method());
        if (asked.key().isEmpty()) {
            return isUpload(asked.query()) ? uploads.list(asked) : buckets.answer(asked);
        }
        return isUpload(asked.query()) ? uploads.answer(asked) : objects.answer(asked);
    }

    static boolean isUpload(Map<String, String> query) {
        return query.containsKey("uploads") || query.containsKey("uploadId");
    }

    private static void refuseWhatIsNotDone(Asked.Target target, Map<String, String> query, String method)
            throws S3Refusal {
        for (var name : NOT_DONE) {
            boolean isPart = name.equals("partNumber") && isUpload(query);
            // Whoever copies an object asks for its tags: it has none, and that can be said.
            boolean isAboutTags = name.equals("tagging") && !target.key().isEmpty() && method.equals("GET");
            if (query.containsKey(name) && !isPart && !isAboutTags) {
                throw S3Refusal.notImplemented("?" + name);
            }
        }
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
