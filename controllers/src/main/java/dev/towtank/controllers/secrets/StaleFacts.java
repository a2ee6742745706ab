package dev.towtank.controllers.secrets;

import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// @param target the Secret, where it is there
/// @param pods that are there and take values of it by environment variables
/// @param workloads that the stale ones of them belong to
record StaleFacts(Optional<Resource> target, List<Resource> pods, List<Workload> workloads) {

    record Workload(Kind<?> kind, Resource object) {}

    StaleFacts {
        pods = List.copyOf(pods);
        workloads = List.copyOf(workloads);
    }

    /// Values are nobody's business.
    @Override
    public String toString() {
        return "facts about " + pods.size() + " pods";
    }
}
