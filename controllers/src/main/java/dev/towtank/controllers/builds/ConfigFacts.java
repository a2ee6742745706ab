package dev.towtank.controllers.builds;

import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is known about a BuildConfig.
///
/// @param builds all of its, the oldest first
/// @param images the newest image of each tag that it may be set off by, by `namespace/stream:tag`
/// @param secretVersion the state of the Secret of its source; empty where it names none
/// @param missing an image that it stands on and that is in no stream yet
record ConfigFacts(List<Resource> builds, Map<String, String> images, String secretVersion, Optional<String> missing) {
    ConfigFacts {
        builds = List.copyOf(builds);
        images = Map.copyOf(images);
    }
}
