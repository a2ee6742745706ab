package dev.towtank.app.secrets;

import dev.towtank.app.secrets.ChainFacts.BucketAnswer;
import dev.towtank.controllers.buckets.s3.S3Keys;
import dev.towtank.controllers.buckets.s3.Signing;
import dev.towtank.controllers.buckets.s3.UriText;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/// Asks an object store whether the keys in a Secret open the bucket that it names.
record BucketProbe(String endpoint, String bucket, String accessKey, String secretKey) {

    private static final Pattern ENDPOINT = Pattern.compile("(https?)://([A-Za-z0-9.-]{1,253})(:[0-9]{1,5})?/?");
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z]{1,60})</Code>");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_BYTES = 64 << 10;

    /// Nothing where the Secret is not of this kind.
    static Optional<BucketProbe> of(Resource secret) {
        var probe = new BucketProbe(
                value(secret, "AWS_S3_ENDPOINT"),
                value(secret, "AWS_S3_BUCKET"),
                value(secret, "AWS_ACCESS_KEY_ID"),
                value(secret, "AWS_SECRET_ACCESS_KEY"));
        boolean isComplete = ENDPOINT.matcher(probe.endpoint).matches()
                && BUCKET.matcher(probe.bucket).matches()
                && !probe.accessKey.isEmpty()
                && !probe.secretKey.isEmpty();
        return isComplete ? Optional.of(probe) : Optional.empty();
    }

    private static String value(Resource secret, String key) {
        try {
            return new String(Base64.getDecoder().decode(secret.json().string("data", key)), StandardCharsets.UTF_8)
                    .strip();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /// @param reached from the host and the name of a port to where that is on this machine
    BucketAnswer ask(BiFunction<String, String, Optional<String>> reached, InstantSource clock) {
        var parts = ENDPOINT.matcher(endpoint);
        if (!parts.matches()) {
            throw new IllegalStateException("was checked before");
        }
        var host = parts.group(2);
        var given = host + Optional.ofNullable(parts.group(3)).orElse("");
        // Our own store on this machine has a certificate of our own; to ask whether keys fit takes no certificate.
        var here = host.contains(".svc") ? reached.apply(host, "s3") : Optional.<String>empty();
        var base = here.map(address -> "http://" + address).orElse(parts.group(1) + "://" + given);
        return new BucketAnswer(bucket, endpoint, ask(base, here.orElse(given), clock));
    }

    private String ask(String base, String host, InstantSource clock) {
        var query = List.of(new UriText.Parameter("list-type", "2"), new UriText.Parameter("max-keys", "1"));
        var call = new S3Keys.Call("GET", host, "/" + bucket, query, Map.of(), Signing.NOTHING);
        var request = HttpRequest.newBuilder(URI.create(base + call.path() + "?" + call.queryText()))
                .timeout(PATIENCE)
                .GET();
        new S3Keys(accessKey, secretKey, S3Keys.USUAL_REGION)
                .signed(call, clock.instant())
                .forEach(request::setHeader);
        try (var http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            var answer = http.send(request.build(), BodyHandlers.ofInputStream());
            try (var body = answer.body()) {
                var text = new String(body.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
                return answer.statusCode() == 200 ? "" : code(text, answer.statusCode());
            }
        } catch (IOException e) {
            return "nobody answers at " + host + ": " + e.getClass().getSimpleName();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private static String code(String text, int status) {
        var found = CODE.matcher(text);
        return found.find() ? found.group(1) : "it answers " + status;
    }

    @Override
    public String toString() {
        return "probe of " + bucket + " at " + endpoint;
    }
}
