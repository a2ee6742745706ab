package dev.towtank.cluster;

import dev.towtank.cluster.pods.ImageCommands;
import dev.towtank.cluster.pods.ImageShelf;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.web.WebDoor;
import dev.towtank.model.StatusError;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/// What a process gives to all of its features alike.
///
/// @param inHand is told which objects are worked on
/// @param directory below which features keep files; without one, what they keep ends with the process
/// @param pods the way into pods
/// @param images what images run, for those who do not say
/// @param shelf where images go that are made here
/// @param authority by which clients know the API server: certificates in PEM
/// @param address of the API server, once it listens
public record Ground(
        Timers timers,
        Meters meters,
        InHand inHand,
        Optional<Path> directory,
        PodAccess pods,
        ImageCommands images,
        ImageShelf shelf,
        WebDoor web,
        String authority,
        Supplier<URI> address) {

    /// For features that need objects and time alone.
    public static Ground of(Timers timers) {
        return new Ground(
                timers,
                Meters.NONE,
                InHand.FORGETFUL,
                Optional.empty(),
                PodAccess.NONE,
                ImageCommands.UNKNOWN,
                ImageShelf.NONE,
                WebDoor.CLOSED,
                "",
                Ground::nowhere);
    }

    private static URI nowhere() {
        throw new StatusError(StatusError.Reason.SERVICE_UNAVAILABLE, "no API server listens here");
    }

    public Ground with(Meters counting) {
        return new Ground(timers, counting, inHand, directory, pods, images, shelf, web, authority, address);
    }

    public Ground with(InHand journal) {
        return new Ground(timers, meters, journal, directory, pods, images, shelf, web, authority, address);
    }

    public Ground with(PodAccess access, ImageCommands commands) {
        return new Ground(timers, meters, inHand, directory, access, commands, shelf, web, authority, address);
    }

    public Ground with(ImageShelf place) {
        return new Ground(timers, meters, inHand, directory, pods, images, place, web, authority, address);
    }

    public Ground with(WebDoor door) {
        return new Ground(timers, meters, inHand, directory, pods, images, shelf, door, authority, address);
    }

    public Ground in(Path place) {
        return new Ground(timers, meters, inHand, Optional.of(place), pods, images, shelf, web, authority, address);
    }

    public Ground at(String certificates, Supplier<URI> server) {
        return new Ground(timers, meters, inHand, directory, pods, images, shelf, web, certificates, server);
    }
}
