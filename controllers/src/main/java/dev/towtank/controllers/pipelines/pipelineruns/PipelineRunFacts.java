package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// What the reconciler of PipelineRuns needs to know.
///
/// @param draft what was worked out already; the same comes out without it
public record PipelineRunFacts(Settings settings, Children children, World world, Draft draft) {

    PipelineRunFacts with(Draft worked) {
        return new PipelineRunFacts(settings, children, world, worked);
    }

    /// Lookups for one run.
    public interface World {

        Fetched pipeline(Ref reference);

        /// @param run the name of the run that the task is for
        Fetched task(String run, Ref reference);

        Fetched childPipeline(String run, Ref reference);

        boolean hasClaim(String name);

        Optional<Resource> claim(String name);

        /// The names of the pipelines that this run is inside of, its own first.
        List<String> ancestors();
    }
}
