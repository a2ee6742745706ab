package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// All that is known around somebody who asks for a space.
///
/// @param problem why there can be none, or none yet; then there are no rooms
/// @param url of the cluster that the space is in
/// @param account whose token the tenant gets; empty for none
/// @param remains namespaces that were made for it and are still there
public record SpaceFacts(
        Optional<Problem> problem,
        String url,
        String account,
        List<Furnished> rooms,
        List<Resource> remains,
        List<Resource> accounts) {

    public SpaceFacts {
        rooms = List.copyOf(rooms);
        remains = List.copyOf(remains);
        accounts = List.copyOf(accounts);
    }

    /// @param mayPass whether it is worth waiting
    public record Problem(String why, boolean mayPass) {}

    /// @param secret of the tenant, where it is there
    public record Furnished(Room room, Optional<Resource> namespace, Optional<Resource> secret) {}
}
