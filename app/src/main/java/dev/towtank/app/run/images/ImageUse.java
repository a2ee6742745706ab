package dev.towtank.app.run.images;

import java.util.Set;

/// A container of a run that will want an image.
///
/// @param task as its pipeline names it; empty for the only one
/// @param container the step or sidecar
/// @param isCertain whether it will run if all goes well; not where a condition decides
/// @param programs what its script or command calls
public record ImageUse(
        String image, String pullPolicy, String task, String container, boolean isCertain, Set<String> programs) {

    public ImageUse {
        programs = Set.copyOf(programs);
    }

    /// Whether its name is known only when results are there.
    public boolean isOpen() {
        return image.contains("$(");
    }

    String place() {
        return task.isEmpty() ? container : task + " > " + container;
    }
}
