package dev.towtank.controllers.testclusters.spaces;

import java.util.List;

/// What has become of a space so far.
sealed interface SpaceState {

    /// For something that may come.
    record Waits(String why) implements SpaceState {}

    /// Until somebody changes what is wrong.
    record Fails(String why) implements SpaceState {}

    record Ends() implements SpaceState {}

    /// @param url of the cluster that it is in
    record Stands(List<Room> rooms, boolean hasSecrets, String url) implements SpaceState {
        public Stands {
            rooms = List.copyOf(rooms);
        }
    }
}
