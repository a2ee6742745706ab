package dev.towtank.controllers.gitops.sets;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;

/// What is known about an ApplicationSet.
///
/// @param isPending whether more will be known soon
/// @param problem why its Applications are not known; empty when they are
/// @param wanted its Applications as they should be
/// @param there Applications that are its own, or have the name of a wanted one
record SetFacts(boolean isPending, String problem, List<Json.Obj> wanted, List<Resource> there) {

    SetFacts {
        wanted = List.copyOf(wanted);
        there = List.copyOf(there);
    }

    static SetFacts pending() {
        return new SetFacts(true, "", List.of(), List.of());
    }

    static SetFacts failed(String problem) {
        return new SetFacts(false, problem, List.of(), List.of());
    }
}
