package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.ControllerRevisions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A state of a predictor that had pods: kept as a ControllerRevision, so that one that serves can go on doing so
/// though
/// the InferenceService says something else by now.
record Revision(Resource object) {

    /// On revisions and pods: the line of revisions.
    static final String TRACK_LABEL = "towtank.dev/predictor";
    /// On pods: the revision.
    static final String REVISION_LABEL = "serving.knative.dev/revision";

    String name() {
        return object.name();
    }

    long number() {
        return object.json().integer("revision");
    }

    Json.Obj template() {
        return object.json().object("data");
    }

    boolean isOf(Track track) {
        return track.base().equals(object.labels().get(TRACK_LABEL));
    }

    static Optional<Revision> newest(List<Revision> revisions, Track track) {
        return revisions.stream()
                .filter(revision -> revision.isOf(track))
                .max(Comparator.comparingLong(Revision::number));
    }

    /// The one that a predictor means, if it is there: the newest, or the one that serves, where somebody has gone back
    /// to
    /// what that says.
    static Optional<Revision> meant(List<Revision> revisions, Track track, Json.Obj template, String serving) {
        return newest(revisions, track)
                .filter(revision -> revision.template().equals(template))
                .or(() -> revisions.stream()
                        .filter(revision -> revision.name().equals(serving) && revision.isOf(track))
                        .filter(revision -> revision.template().equals(template))
                        .findFirst());
    }

    /// The object of a new one.
    static Resource next(Resource service, Track track, Json.Obj template, List<Revision> revisions) {
        long number = newest(revisions, track).map(Revision::number).orElse(0L) + 1;
        var labels =
                Json.Obj.of(ServingKinds.SERVICE_LABEL, Json.of(service.name()), TRACK_LABEL, Json.of(track.base()));
        return service.with(Json.Obj.builder()
                .put("apiVersion", ControllerRevisions.KIND.apiVersion())
                .put("kind", ControllerRevisions.KIND.kind())
                .put(
                        "metadata",
                        Json.Obj.builder()
                                .put("name", "%s-%05d".formatted(track.base(), number))
                                .put("namespace", service.namespace())
                                .put("labels", labels)
                                .put(
                                        "ownerReferences",
                                        Json.Arr.of(service.asOwner(true).json()))
                                .build())
                .put("data", template)
                .put("revision", number)
                .build());
    }
}
