package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.PemTls;
import dev.towtank.controllers.buckets.s3.OutsidePlace;
import dev.towtank.controllers.buckets.s3.S3Keys;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.Signing;
import dev.towtank.controllers.buckets.s3.UriText;
import dev.towtank.controllers.git.source.NetworkWords;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Speaks to object stores elsewhere, with the keys of those who administer them.
public final class OutsideStores implements AutoCloseable {

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration USUAL = Duration.ofSeconds(30);
    private static final int LARGEST_ANSWER = 4 << 20;
    private static final int MOST_CLIENTS = 16;
    private static final int PAGE = 1000;
    private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z]{1,60})</Code>");

    /// @param key of an object; empty for the bucket itself
    /// @param contentHash of the body
    /// @param within until when it must be answered
    record Call(
            String method,
            String bucket,
            String key,
            List<UriText.Parameter> query,
            Map<String, String> headers,
            String contentHash,
            HttpRequest.BodyPublisher body,
            Duration within) {

        static Call of(String method, String bucket, String key, UriText.Parameter... query) {
            return new Call(
                    method, bucket, key, List.of(query), Map.of(), Signing.NOTHING, BodyPublishers.noBody(), USUAL);
        }

        Call saying(String text) {
            return new Call(
                    method, bucket, key, query, headers, Signing.sha256(text), BodyPublishers.ofString(text), within);
        }
    }

    private final InstantSource clock;
    private final Map<String, HttpClient> clients = new HashMap<>();

    public OutsideStores(InstantSource clock) {
        this.clock = clock;
    }

    /// @throws IOException nobody answers; the message says who was asked
    HttpResponse<InputStream> send(OutsidePlace place, Call call) throws IOException, InterruptedException {
        var path = "/" + call.bucket + (call.key.isEmpty() ? "" : "/" + UriText.encode(call.key, true));
        var signing = new S3Keys.Call(call.method, place.host(), path, call.query, call.headers, call.contentHash);
        var query = signing.queryText();
        var request = HttpRequest.newBuilder(URI.create(place.endpoint() + path + (query.isEmpty() ? "" : "?" + query)))
                .timeout(call.within)
                .method(call.method, call.body);
        place.keys().signed(signing, clock.instant()).forEach(request::setHeader);
        try {
            return client(place.authority()).send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof RefusedBody refused) {
                    throw refused; // the client's own mistake
                }
            }
            throw new IOException(NetworkWords.words(e, place.host()), e);
        }
    }

    private synchronized HttpClient client(String authority) throws IOException {
        var known = clients.get(authority);
        if (known != null) {
            return known;
        }
        if (clients.size() >= MOST_CLIENTS) {
            clients.clear(); // which ends them once nobody uses them any more
        }
        var tls = PemTls.context(
                authority.isEmpty() ? Optional.empty() : Optional.of(authority), Optional.empty(), Optional.empty());
        var made = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT)
                .sslContext(tls)
                .build();
        clients.put(authority, made);
        return made;
    }

    /// A short answer.
    private record Answer(int status, String text) {

        boolean isGood() {
            return status / 100 == 2;
        }

        String code() {
            var found = CODE.matcher(text);
            return found.find() ? found.group(1) : "";
        }

        /// @param what was asked for
        IOException problem(OutsidePlace place, String what) {
            return new IOException("the object store at " + place.host() + " does not " + what + ": it answers "
                    + status + (code().isEmpty() ? "" : " " + code()));
        }
    }

    private Answer ask(OutsidePlace place, Call call) throws IOException, InterruptedException {
        var answer = send(place, call);
        try (var body = answer.body()) {
            return new Answer(answer.statusCode(), new String(body.readNBytes(LARGEST_ANSWER), StandardCharsets.UTF_8));
        }
    }

    /// Whether there is a bucket of this name, whoever's it is.
    boolean exists(OutsidePlace place, String bucket) throws IOException, InterruptedException {
        var answer = ask(place, Call.of("HEAD", bucket, ""));
        return switch (answer.status) {
            case 404 -> false;
            case 200, 301, 307 -> true;
            // Of somebody else, or the keys are worth nothing; which of them, a request with an answer tells.
            case 403 -> {
                var told = ask(place, Call.of("GET", bucket, "", new UriText.Parameter("location", "")));
                if (List.of("InvalidAccessKeyId", "SignatureDoesNotMatch", "RequestTimeTooSkewed")
                        .contains(told.code())) {
                    throw told.problem(place, "take the keys of its administrator");
                }
                yield true;
            }
            default -> throw answer.problem(place, "say whether it has the bucket " + bucket);
        };
    }

    /// @return whether it is there now and is of these keys
    boolean make(OutsidePlace place, String bucket) throws IOException, InterruptedException {
        var call = Call.of("PUT", bucket, "");
        var region = place.keys().region();
        var answer = ask(
                place,
                region.equals(S3Keys.USUAL_REGION)
                        ? call
                        : call.saying("<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                                + "<LocationConstraint>" + region
                                + "</LocationConstraint></CreateBucketConfiguration>"));
        if (answer.isGood() || answer.code().equals("BucketAlreadyOwnedByYou")) {
            return true;
        }
        if (answer.code().equals("BucketAlreadyExists")) {
            return false;
        }
        throw answer.problem(place, "make the bucket " + bucket);
    }

    /// With all that is in it.
    void remove(OutsidePlace place, String bucket) throws IOException, InterruptedException {
        for (int left = PAGE; ; left--) {
            var list = ask(
                    place,
                    Call.of(
                            "GET",
                            bucket,
                            "",
                            new UriText.Parameter("list-type", "2"),
                            new UriText.Parameter("max-keys", Integer.toString(PAGE))));
            if (list.code().equals("NoSuchBucket")) {
                return;
            }
            var keys = entries(place, list, "ListBucketResult", "Contents");
            if (keys.isEmpty()) {
                break;
            }
            if (left == 0) {
                throw new IOException("bucket " + bucket + " at " + place.host() + " is not empty yet");
            }
            for (var object : keys) {
                demand(place, Call.of("DELETE", bucket, object.getOrDefault("Key", "")), "delete an object");
            }
        }
        abortUploads(place, bucket);
        demand(place, Call.of("DELETE", bucket, ""), "delete the bucket " + bucket);
    }

    private void abortUploads(OutsidePlace place, String bucket) throws IOException, InterruptedException {
        var list = ask(place, Call.of("GET", bucket, "", new UriText.Parameter("uploads", "")));
        for (var upload : entries(place, list, "ListMultipartUploadsResult", "Upload")) {
            var id = new UriText.Parameter("uploadId", upload.getOrDefault("UploadId", ""));
            demand(place, Call.of("DELETE", bucket, upload.getOrDefault("Key", ""), id), "abort an upload");
        }
    }

    private void demand(OutsidePlace place, Call call, String what) throws IOException, InterruptedException {
        var answer = ask(place, call);
        if (!answer.isGood() && answer.status != 404) {
            throw answer.problem(place, what);
        }
    }

    private static List<Map<String, String>> entries(OutsidePlace place, Answer list, String root, String entry)
            throws IOException {
        if (!list.isGood()) {
            throw list.problem(place, "list a bucket");
        }
        try {
            var bytes = new ByteArrayInputStream(list.text.getBytes(StandardCharsets.UTF_8));
            return XmlReading.read(bytes, root, entry, PAGE).entries();
        } catch (S3Refusal e) {
            throw new IOException("the object store at " + place.host() + " answers what is no list", e);
        }
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(HttpClient::shutdownNow);
        clients.clear();
    }
}
