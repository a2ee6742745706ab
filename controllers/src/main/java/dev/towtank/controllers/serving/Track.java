package dev.towtank.controllers.serving;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;

/// One line of revisions of an InferenceService: its predictor's, or that of a canary beside it. A canary is promoted
/// by
/// giving its name to the predictor, which so takes over the line.
///
/// @param base what the names of its revisions begin with
/// @param percent of the traffic that a canary wants; the predictor gets what is left
record Track(String base, String canary, Json.Obj predictor, long percent) {

    static Track ofPredictor(Resource service) {
        var predictor = service.spec().object("predictor");
        return new Track(base(service, predictor), "", predictor, 100);
    }

    static List<Track> ofCanaries(Resource service) {
        var tracks = new ArrayList<Track>();
        for (var canary : service.spec().objects("canary")) {
            var predictor = canary.object("predictor");
            tracks.add(new Track(
                    base(service, predictor), predictor.string("name"), predictor, canary.integer("trafficPercent")));
        }
        return tracks;
    }

    private static String base(Resource service, Json.Obj predictor) {
        var name = predictor.string("name");
        return service.name() + (name.isEmpty() ? "" : "-" + name) + "-predictor";
    }

    int replicas() {
        return (int) Math.max(1, predictor.integerOr(1, "minReplicas"));
    }
}
