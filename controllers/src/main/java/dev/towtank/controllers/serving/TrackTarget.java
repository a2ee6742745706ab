package dev.towtank.controllers.serving;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.Optional;

/// What the pods of a track should look like, or why nobody knows.
sealed interface TrackTarget {

    /// @param runtime that serves it; none for a container of the user's own
    record Known(Json.Obj template, Optional<Runtimes.Choice.Found> runtime) implements TrackTarget {}

    record Unknown(Runtimes.Choice.None why) implements TrackTarget {}

    static TrackTarget of(Resource service, Track track, ServiceFacts facts) {
        var model = track.predictor().get("model");
        if (!(model instanceof Json.Obj spec)) {
            return new Known(template(service, track, facts, Optional.empty()), Optional.empty());
        }
        return switch (facts.runtimes().choose(spec)) {
            case Runtimes.Choice.Found found ->
                new Known(template(service, track, facts, Optional.of(found.runtime())), Optional.of(found));
            case Runtimes.Choice.None why -> new Unknown(why);
        };
    }

    private static Json.Obj template(Resource service, Track track, ServiceFacts facts, Optional<Resource> runtime) {
        var template = Template.of(service, track.predictor(), runtime, facts.credentials());
        return Reloading.marked(service, template, Revision.newest(facts.revisions(), track), facts.otherFile());
    }
}
