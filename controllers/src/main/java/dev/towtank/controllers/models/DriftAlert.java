package dev.towtank.controllers.models;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// A drift in the words of Alertmanager: as it tells its receivers (version 4), or as others tell it (v2).
final class DriftAlert {

    private static final String NAME = "ModelDrift";
    /// What Alertmanager writes while an alert goes on.
    private static final String NOT_YET = "0001-01-01T00:00:00Z";

    private final Resource policy;
    private final String summary;
    private final String startsAt;
    private final String endsAt;
    private final String repeatedBy;

    /// @param endsAt empty while it goes on
    /// @param repeatedBy when it is told again at the latest, if it goes on
    DriftAlert(Resource policy, String summary, String startsAt, String endsAt, String repeatedBy) {
        this.policy = policy;
        this.summary = summary;
        this.startsAt = startsAt;
        this.endsAt = endsAt;
        this.repeatedBy = repeatedBy;
    }

    ModelDeed deed() {
        var alert = policy.spec().object("alert");
        return new ModelDeed(
                alert.string("url"), Map.of(), alert.string("format").equals("alertmanager") ? posted() : received());
    }

    private Json.Obj labels() {
        var labels = new TreeMap<>(policy.spec().stringMap("alert", "labels"));
        labels.put("alertname", NAME);
        labels.put("model", policy.spec().string("model"));
        labels.put("namespace", policy.namespace());
        labels.put("policy", policy.name());
        return Json.Obj.ofStrings(labels);
    }

    private Json.Obj annotations() {
        return Json.Obj.of("summary", Json.of(summary));
    }

    /// The body of `POST /api/v2/alerts`. Without an end, Alertmanager would take it for over after five minutes.
    private Json.Arr posted() {
        return Json.Arr.of(Json.Obj.builder()
                .put("annotations", annotations())
                .put("endsAt", endsAt.isEmpty() ? repeatedBy : endsAt)
                .put("labels", labels())
                .put("startsAt", startsAt)
                .build());
    }

    private Json.Obj received() {
        var status = endsAt.isEmpty() ? "firing" : "resolved";
        var labels = labels();
        var group = Json.Obj.of(
                "alertname", Json.of(NAME), "model", Json.of(policy.spec().string("model")));
        var alert = Json.Obj.builder()
                .put("annotations", annotations())
                .put("endsAt", endsAt.isEmpty() ? NOT_YET : endsAt)
                .put("fingerprint", fingerprint(labels))
                .put("generatorURL", "")
                .put("labels", labels)
                .put("startsAt", startsAt)
                .put("status", status)
                .build();
        return Json.Obj.builder()
                .put("alerts", Json.Arr.of(alert))
                .put("commonAnnotations", annotations())
                .put("commonLabels", labels)
                .put("externalURL", "")
                .put(
                        "groupKey",
                        "{}:{alertname=\"%s\", model=\"%s\"}"
                                .formatted(NAME, policy.spec().string("model")))
                .put("groupLabels", group)
                .put("receiver", policy.name())
                .put("status", status)
                .put("truncatedAlerts", 0)
                .put("version", "4")
                .build();
    }

    /// The same for the same labels: FNV-1a, as Alertmanager has it.
    private static String fingerprint(Json.Obj labels) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : labels.toString().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
        }
        return "%016x".formatted(hash);
    }
}
