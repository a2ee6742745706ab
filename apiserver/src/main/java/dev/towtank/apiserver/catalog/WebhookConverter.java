package dev.towtank.apiserver.catalog;

import dev.towtank.apiserver.webhook.WebhookClient;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// The strategy `Webhook`: a server of the kind's authors converts.
///
/// @param cluster of the definition
/// @param webhook of the definition: `clientConfig` and `conversionReviewVersions`
record WebhookConverter(WebhookClient client, LogicalCluster cluster, Json.Obj webhook, RandomGenerator random)
        implements VersionConverter {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MOST_OBJECTS = 250;
    private static final long MOST_BYTES = 4L * 1024 * 1024;

    @Override
    public boolean mayWait() {
        return true;
    }

    @Override
    public List<Json.Obj> convert(List<Json.Obj> objects, String apiVersion) {
        var converted = new ArrayList<Json.Obj>(objects.size());
        var batch = new ArrayList<Json.Obj>();
        long bytes = 0;
        for (var object : objects) {
            long size = objects.size() == 1 ? 0 : JsonText.bytes(object).length;
            if (!batch.isEmpty() && (batch.size() == MOST_OBJECTS || bytes + size > MOST_BYTES)) {
                converted.addAll(ask(batch, apiVersion));
                batch.clear();
                bytes = 0;
            }
            batch.add(object);
            bytes += size;
        }
        converted.addAll(ask(batch, apiVersion));
        return converted;
    }

    private List<Json.Obj> ask(List<Json.Obj> objects, String apiVersion) {
        var subject = subject(objects.getFirst());
        var reviewVersion = reviewVersion();
        var uid = Metadata.uid(random);
        var request = Json.Obj.of(
                "uid",
                Json.of(uid),
                "desiredAPIVersion",
                Json.of(apiVersion),
                "objects",
                new Json.Arr(List.copyOf(objects)));
        var review = Json.Obj.of(
                "kind",
                Json.of("ConversionReview"),
                "apiVersion",
                Json.of("apiextensions.k8s.io/" + reviewVersion),
                "request",
                request);
        try {
            var answer = client.post(cluster, webhook.object("clientConfig"), review, TIMEOUT);
            return new ConversionAnswer(objects, apiVersion).read(answer, reviewVersion, uid);
        } catch (WebhookClient.Failed e) {
            throw failure(subject, " failed: " + e.text());
        } catch (ConversionAnswer.Wrong e) {
            throw failure(subject, e.text());
        }
    }

    private String reviewVersion() {
        for (var version : webhook.array("conversionReviewVersions").strings()) {
            if (version.equals("v1") || version.equals("v1beta1")) {
                return version;
            }
        }
        throw new StatusError(StatusError.Reason.UNKNOWN, "no supported conversion review versions");
    }

    private static StatusError failure(String subject, String why) {
        return new StatusError(StatusError.Reason.UNKNOWN, "conversion webhook for " + subject + why);
    }

    private static String subject(Json.Obj object) {
        return object.string("apiVersion") + ", Kind=" + object.string("kind");
    }
}
