package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.buckets.s3.OutsideKey;
import dev.towtank.controllers.buckets.s3.OutsidePlace;
import dev.towtank.controllers.buckets.s3.S3Keys;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.Signing;
import dev.towtank.controllers.buckets.s3.UriText;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// Passes requests on to the object store elsewhere that a bucket is in, signed by its administrator; and only those
/// that are about this one bucket and that this server would answer itself.
public final class Gateway {

    private static final System.Logger LOG = System.getLogger(Gateway.class.getName());
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final String COPY = "x-amz-copy-source";

    /// What a client says about an object, or about what it wants of it.
    private static final List<String> PASSED_ON = List.of(
            "cache-control",
            "content-disposition",
            "content-encoding",
            "content-language",
            "content-md5",
            "content-type",
            "expires",
            "if-match",
            "if-modified-since",
            "if-none-match",
            "if-unmodified-since",
            "range",
            "x-amz-checksum-",
            COPY,
            COPY + "-range",
            "x-amz-meta-",
            "x-amz-metadata-directive",
            "x-amz-sdk-checksum-algorithm");

    /// What belongs to one connection, or is said by this server itself.
    private static final List<String> NOT_PASSED_BACK = List.of(
            "connection", "content-length", "date", "keep-alive", "server", "transfer-encoding", "x-amz-request-id");

    /// A request of somebody whose bucket it is about.
    record Passed(WebRequest request, Asked.Target target, Map<String, String> query, Incoming body) {
        Passed {
            query = Map.copyOf(query);
        }
    }

    private final OutsideStores stores;
    private final Function<OutsideKey, Optional<OutsidePlace>> places;

    /// @param places where a class has its buckets now
    public Gateway(OutsideStores stores, Function<OutsideKey, Optional<OutsidePlace>> places) {
        this.stores = stores;
        this.places = places;
    }

    WebResponse answer(OutsideKey key, Passed asked) throws IOException, InterruptedException, S3Refusal {
        var method = asked.request.method();
        refuse(asked);
        var place = places.apply(key)
                .orElseThrow(() -> unavailable("StorageClass " + key.storageClass() + " does not say where it is"));
        var body = body(asked);
        var hash = body.isPresent() ? S3Keys.UNSIGNED : Signing.NOTHING;
        var call = new OutsideStores.Call(
                method,
                asked.target.bucket(),
                asked.target.key(),
                query(asked.query),
                headers(asked.request),
                hash,
                body.orElse(BodyPublishers.noBody()),
                LONGEST);
        try {
            return response(stores.send(place, call), method.equals("HEAD"));
        } catch (RefusedBody e) {
            throw e.refusal();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a request could not be passed on", e);
            throw unavailable(String.valueOf(e.getMessage()));
        }
    }

    private static S3Refusal unavailable(String why) {
        return new S3Refusal(503, "ServiceUnavailable", "The object store of this bucket cannot be asked: " + why);
    }

    /// What this server does not let anybody do with a bucket of its own.
    private static void refuse(Passed asked) throws S3Refusal {
        var method = asked.request.method();
        Asked.refuseWhatIsNotDone(asked.request);
        if (asked.target.key().isEmpty()) {
            boolean isRead = method.equals("GET") || method.equals("HEAD");
            boolean isDeletion = method.equals("POST") && asked.query.containsKey("delete");
            if (!isRead && !isDeletion) {
                throw BucketRequests.refusal(method);
            }
        } else if (!List.of("GET", "HEAD", "PUT", "DELETE").contains(method)
                && !(method.equals("POST") && S3Server.isUpload(asked.query))) {
            throw S3Server.notAllowed();
        }
        var source = asked.request.header(COPY);
        if (!source.isEmpty()) {
            ObjectRequests.requireOwn(source, asked.target.bucket());
            ObjectRequests.refuseConditions(asked.request);
        }
    }

    private static List<UriText.Parameter> query(Map<String, String> query) {
        return query.entrySet().stream()
                .filter(each -> !each.getKey().toLowerCase(Locale.ROOT).startsWith("x-amz-")) // of a presigned address
                .map(each -> new UriText.Parameter(each.getKey(), each.getValue()))
                .toList();
    }

    private static Map<String, String> headers(WebRequest request) {
        var headers = new TreeMap<String, String>();
        request.headers().forEach((name, values) -> {
            boolean isPassedOn =
                    PASSED_ON.stream().anyMatch(each -> each.endsWith("-") ? name.startsWith(each) : name.equals(each));
            if (isPassedOn) {
                headers.put(name, String.join(",", values));
            }
        });
        // How the body came is not how it goes on.
        var encoding = headers.getOrDefault("content-encoding", "");
        if (encoding.equals("aws-chunked")) {
            headers.remove("content-encoding");
        } else if (encoding.startsWith("aws-chunked,")) {
            headers.put(
                    "content-encoding",
                    encoding.substring("aws-chunked,".length()).strip());
        }
        return headers;
    }

    private static Optional<BodyPublisher> body(Passed asked) throws IOException, S3Refusal {
        var method = asked.request.method();
        if (!method.equals("PUT") && !method.equals("POST")) {
            return Optional.empty();
        }
        long length = asked.body.announced();
        boolean isEmpty = length == 0
                || (length < 0 && asked.request.header("transfer-encoding").isEmpty());
        if (isEmpty) {
            var _ = asked.body.read(); // which looks at what was said about it
            return Optional.empty();
        }
        if (length < 0) {
            throw new S3Refusal(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");
        }
        var held = new HeldBack(asked.body);
        return Optional.of(BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> held), length));
    }

    private static WebResponse response(HttpResponse<InputStream> answer, boolean isHead) throws IOException {
        var body = answer.body();
        boolean hasBody = !isHead && answer.statusCode() != 204 && answer.statusCode() != 304;
        long length = answer.headers().firstValueAsLong("content-length").orElse(hasBody ? -1 : 0);
        if (!hasBody) {
            body.close();
        }
        WebResponse.Body bytes = out -> {
            try (body) {
                body.transferTo(out);
            }
        };
        var response = new WebResponse(answer.statusCode(), List.of(), length, hasBody ? bytes : _ -> {});
        for (var header : answer.headers().map().entrySet()) {
            var name = header.getKey().toLowerCase(Locale.ROOT);
            if (!NOT_PASSED_BACK.contains(name) && !name.startsWith(":")) {
                response = response.with(header.getKey(), String.join(",", header.getValue()));
            }
        }
        return response;
    }

    /// Gives the last byte away when all that was said about the body has turned out to be true: before, whoever
    /// receives it has no whole object.
    private static final class HeldBack extends InputStream {
        private final InputStream in;
        private int last = -2;

        HeldBack(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (last == -2) {
                last = in.read();
            }
            if (last < 0 || length == 0) {
                return length == 0 ? 0 : -1;
            }
            int count = in.read(bytes, offset, length);
            if (count < 0) {
                bytes[offset] = (byte) last;
                last = -1;
                return 1;
            }
            // What was held back goes first.
            byte newest = bytes[offset + count - 1];
            System.arraycopy(bytes, offset, bytes, offset + 1, count - 1);
            bytes[offset] = (byte) last;
            last = newest & 0xff;
            return count;
        }
    }
}
