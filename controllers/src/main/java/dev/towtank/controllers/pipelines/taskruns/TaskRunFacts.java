package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.pods.ImageCommands;
import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// What the reconciler of TaskRuns needs to know. What is needed only to begin is looked up when it is asked.
///
/// @param pod the one of the current attempt
public record TaskRunFacts(Settings settings, Optional<Resource> pod, World world, ImageCommands images) {

    /// Lookups in the run's namespace.
    public interface World {

        Fetched task(Ref reference);

        Fetched stepAction(Ref reference);

        Optional<Resource> serviceAccount(String name);

        Optional<Resource> secret(String name);

        boolean hasClaim(String name);

        List<Resource> limitRanges();

        /// What a container has said that says no more.
        Answer<String> log(Resource pod, String container);
    }
}
